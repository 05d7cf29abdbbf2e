"""One reading in several orders: nothing is lost, nothing comes twice, and memory is bounded."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.cli.compare.orders import StreamOrders, as_sparse
from ranktron.cli.shared.figures import list_bounds
from ranktron.core.rows import CSR
from ranktron.data.streams import Block


def numbered(sizes, sparse=(), columns=2):
    """Blocks whose rows hold their own number, those in ``sparse`` stored sparsely."""
    blocks, first = [], 0
    for place, size in enumerate(sizes):
        numbers = np.arange(first, first + size)
        rows = np.column_stack([numbers, *[-numbers] * (columns - 1)]).astype(float)
        blocks.append(Block(as_sparse(rows) if place in sparse else rows, columns, None, numbers % 3))
        first += size
    return blocks


def dense(rows, columns):
    if not isinstance(rows, CSR):
        return rows
    matrix = np.zeros((len(rows.indptr) - 1, columns))
    for i in range(len(matrix)):
        part = slice(rows.indptr[i], rows.indptr[i + 1])
        matrix[i, rows.indices[part]] = rows.values[part]
    return matrix


def taken(orders, blocks, step=7):
    """The rows of every repeat in the order in which they come out, checked to be whole."""
    found = [[] for _ in range(orders_count(orders))]

    def drain():
        while orders.ready:
            for repeat, block in enumerate(orders.take(min(step, orders.ready))):
                matrix = dense(block.rows, block.n_columns)
                assert (matrix[:, 1] == -matrix[:, 0]).all()
                assert (block.y == matrix[:, 0] % 3).all()
                found[repeat] += matrix[:, 0].astype(int).tolist()

    for block in blocks:
        orders.push(block)
        drain()
    orders.close()
    drain()
    return found


def orders_count(orders):
    return len(orders._random)


def test_one_repeat_keeps_the_order():
    assert taken(StreamOrders(1, 0, lists=False), numbered([5, 11, 3])) == [list(range(19))]


def test_below_the_buffer_each_repeat_is_the_seeded_permutation():
    found = taken(StreamOrders(3, 9, lists=False), numbered([10, 30, 17]))
    for repeat, rows in enumerate(found):
        assert rows == np.random.Generator(np.random.PCG64([9, repeat])).permutation(57).tolist()


@given(
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=12),
    repeats=st.integers(1, 4),
    buffer=st.integers(1, 60),
    sparse=st.sets(st.integers(0, 11)),
    step=st.integers(1, 50),
)
def test_every_row_comes_once_in_every_repeat(sizes, repeats, buffer, sparse, step):
    for rows in taken(StreamOrders(repeats, 1, lists=False, buffer=buffer), numbered(sizes, sparse), step):
        assert sorted(rows) == list(range(sum(sizes)))


def test_a_buffer_lets_rows_go_on_the_way_and_mixes_them():
    orders = StreamOrders(2, 0, lists=False, buffer=100)
    blocks = numbered([50] * 40)
    for block in blocks[:3]:
        orders.push(block)
    assert orders.ready == 50
    early = [block.rows[:, 0] for block in orders.take(50)]
    assert all(rows.max() < 150 for rows in early)
    assert all((np.diff(rows) < 0).any() for rows in early)
    assert not np.array_equal(*early)


def test_memory_is_bounded_by_the_buffers():
    orders = StreamOrders(3, 0, lists=False, buffer=100)
    most = 0
    for block in numbered([50] * 400):
        orders.push(block)
        while orders.ready:
            orders.take(min(20, orders.ready))
        most = max(most, sum(len(one) for one in orders._store))
    assert most <= 2 * 3 * 100 + 1000 + 50  # of 20,000 that came


def test_lists_stay_whole_though_a_query_comes_again():
    qid = np.array([4, 4, 7, 4, 4, 4, 9])
    rows = np.arange(7.0).reshape(-1, 1)
    orders = StreamOrders(4, 3, lists=True)
    orders.push(Block(rows, 1, None, np.arange(7), qid))
    orders.close()
    assert orders.ready == 4
    seen = set()
    for block in orders.take(4):
        bounds = list_bounds(block.qid)
        found = [tuple(block.y[start:stop].tolist()) for start, stop in itertools.pairwise(bounds.tolist())]
        assert sorted(found) == [(0, 1), (2,), (3, 4, 5), (6,)]
        seen.add(tuple(found))
    assert len(seen) > 1


def test_blocks_that_grow_wider_become_sparse_and_keep_their_columns():
    narrow, wide = Block(np.ones((3, 2)), 2, None, np.zeros(3)), Block(np.full((3, 4), 2.0), 4, None, np.ones(3))
    orders = StreamOrders(2, 0, lists=False)
    orders.push(narrow)
    orders.push(wide)
    orders.close()
    for block in orders.take(6):
        assert block.n_columns == 4
        matrix = dense(block.rows, 4)
        assert sorted(matrix.sum(axis=1).tolist()) == [2.0] * 3 + [8.0] * 3
        assert ((matrix[:, 2:] == 0).all(axis=1) == (block.y == 0)).all()


@pytest.mark.parametrize("kinds", [("int64", "float64"), ("object", "object")])
def test_labels_keep_their_kind(kinds):
    first = np.array([1, 2], kinds[0]) if kinds[0] != "object" else np.array(["a", "b"], object)
    second = np.array([1.5, 2.0]) if kinds[1] != "object" else np.array(["c", "d"], object)
    orders = StreamOrders(2, 0, lists=False)
    for y in (first, second):
        orders.push(Block(np.ones((2, 1)), 1, None, y))
    orders.close()
    assert orders.take(4)[0].y.dtype == np.dtype(kinds[1])
