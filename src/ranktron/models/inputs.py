"""Input as users have it, turned into rows that the kernels can read: in place wherever its type allows."""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..core.checks import mask_of
from ..core.rows import CSR, Rows


class Table(NamedTuple):
    """Rows with their size and, if they came with any, the names of the columns."""

    rows: Rows
    n_rows: int
    n_columns: int
    names: list[Any] | None

    def part(self, start: int, stop: int) -> Table:
        """The rows from ``start`` to before ``stop``."""
        rows = self.rows
        if not isinstance(rows, CSR):
            return self._replace(rows=rows[start:stop], n_rows=stop - start)
        ends = rows.indptr[start : stop + 1]
        stored = slice(ends[0], ends[-1])
        some = CSR(read_only(ends - ends[0]), rows.indices[stored], rows.values[stored])
        return self._replace(rows=some, n_rows=stop - start)


def read_table(X: Any, missing: str = "error", merge: bool = False) -> Table:
    """Read a dense matrix, a sparse one or a data frame; what is a table already has its columns once a row.

    NaN, or a masked value, becomes 0 where it stands for a missing value; with ``merge`` a sparse row holds every column once.
    """
    if isinstance(X, Table):
        return X if missing == "error" else X._replace(rows=_rows_with_zeros(X.rows))
    if hasattr(X, "tocsr"):
        return _sparse_table(X.tocsr(), missing, merge)
    is_frame = hasattr(X, "columns") and hasattr(X, "to_numpy")
    if isinstance(X, list | tuple) and any(mask_of(row) is not None for row in X):
        X = np.ma.stack(X)
    matrix = _frame_values(X) if is_frame else np.asarray(X)
    names = list(X.columns) if is_frame and all(isinstance(name, str) for name in X.columns) else None
    if matrix.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {matrix.ndim}D array instead. Reshape your data: one row an example, one column a feature"
        )
    _check_shape(matrix.shape)
    matrix = _as_floats(matrix)
    if type(X) is not np.ndarray:
        matrix = _without_masked(X, matrix, missing)
    # Contiguous and read-only always: each kind of array is a loop of its own to compile.
    matrix = np.ascontiguousarray(matrix)
    if missing == "zero":
        matrix = _with_zeros(matrix)
    n_rows, n_columns = matrix.shape
    return Table(read_only(matrix), n_rows, n_columns, names)


def _rows_with_zeros(rows: Rows) -> Rows:
    if isinstance(rows, CSR):
        return rows._replace(values=read_only(_with_zeros(rows.values)))
    return read_only(_with_zeros(rows))


def _frame_values(X: Any) -> np.ndarray:
    values: np.ndarray = X.to_numpy()
    if values.dtype.kind == "O" and hasattr(X, "iloc"):  # pandas: its own kind of null is NaN here
        with contextlib.suppress(TypeError, ValueError):
            values = X.to_numpy(dtype=np.float64, na_value=np.nan)
    return values


def _sparse_table(X: Any, missing: str, merge: bool) -> Table:
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: one row an example")
    _check_shape(X.shape)
    indptr, indices = X.indptr, X.indices
    if indptr[0] != 0 or indptr[-1] > len(indices) or len(X.data) != len(indices) or (indptr[1:] < indptr[:-1]).any():
        raise ValueError("X is damaged: its indptr does not fit its indices")
    if len(indices) and indices.view(f"u{indices.itemsize}").max() >= X.shape[1]:  # a negative one is huge when unsigned
        raise ValueError(f"X is damaged: it stores a column outside 0 to {X.shape[1] - 1}")
    values = _as_floats(X.data)
    if missing == "zero":
        values = _with_zeros(values)
    if merge and not X.has_canonical_format:
        X = type(X)((values.copy(), indices.copy(), indptr.copy()), shape=X.shape)
        X.sum_duplicates()
        indptr, indices, values = X.indptr, X.indices, X.data
    n_rows, n_columns = X.shape
    return Table(CSR(*(read_only(part) for part in (indptr, indices, values))), n_rows, n_columns, None)


def _check_shape(shape: tuple[int, ...]) -> None:
    for size, what in zip(shape, ("sample(s)", "feature(s)"), strict=True):
        if size == 0:
            raise ValueError(f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is required.")


def _as_floats(array: np.ndarray) -> np.ndarray:
    if array.dtype in (np.float64, np.float32):
        return array
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: X should hold real numbers")
    if array.dtype.kind not in "fiubO":
        raise ValueError(f"X holds {array.dtype} values; it should hold numbers")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(f"X holds something that is not a number: {error}") from None


def _without_masked(X: Any, matrix: np.ndarray, missing: str) -> np.ndarray:
    """The numbers of ``X`` with NaN where it is masked, if that stands for a missing value."""
    mask = mask_of(X)
    if mask is None:
        return matrix
    if missing == "error":
        row, column = (int(part[0]) for part in np.nonzero(mask))
        refuse_value("a masked value", f"row {row}, column {column}", f"feature {column + 1}", row)
    return np.where(mask, np.nan, matrix)


def unmasked(x: Any, missing: str) -> np.ndarray:
    """One example as an array, with NaN where it is masked."""
    values: np.ndarray = np.asarray(x)
    if mask_of(x) is not None and values.ndim == 1:
        values = _without_masked(x[None], _as_floats(values[None]), missing)[0]
    return values


def _with_zeros(values: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(values), values.dtype.type(0), values)


def read_only(array: np.ndarray) -> np.ndarray:
    """A view that cannot be written through; one kind of view is also one kind of kernel to compile."""
    view = array.view()
    view.flags.writeable = False
    return view


def refuse_row(table: Table, row: int) -> NoReturn:
    """Raise for a row that a kernel would not score: an error that knows the ``row``, and the ``reason`` by itself."""
    columns, values = row_of(table.rows, row)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad) == 0:
        reason = "overflows: its numbers, or the weights, are too large; scale the features or lower step"
        raise _refused(f"row {row} {reason}", row, f"the row {reason}")
    what = "NaN" if np.isnan(values[bad[0]]) else "infinity"
    column = columns[bad[0]]
    feature = f"feature {column + 1}" if table.names is None else f"feature {table.names[column]!r:.60}"
    refuse_value(what, place(table, row, column), feature, row)


def refuse_value(what: str, where: str, feature: str, row: int) -> NoReturn:
    """Raise for a value of a row that is not a number."""
    remedy = "" if what == "infinity" else '; pass missing="zero" if it stands for a missing value'
    raise _refused(f"Input X contains {what} in {where}{remedy}", row, f"{feature} is {what}{remedy}")


def _refused(message: str, row: int, reason: str) -> ValueError:
    error = ValueError(message)
    vars(error).update(row=row, reason=reason)
    return error


def place(table: Table, row: int, column: int) -> str:
    """The position of a number, for a message."""
    return f"row {row}, column {column}" + ("" if table.names is None else f" ({table.names[column]!r:.60})")


def row_of(rows: Rows, row: int) -> tuple[np.ndarray, np.ndarray]:
    """The columns and the values that a row stores."""
    if isinstance(rows, CSR):
        part = slice(rows.indptr[row], rows.indptr[row + 1])
        return rows.indices[part], rows.values[part].astype(np.float64)
    return np.arange(rows.shape[1]), rows[row].astype(np.float64)


def check_lengths(n_rows: int, n_targets: int) -> None:
    """Refuse targets that are not one per row, in scikit-learn's words."""
    if n_rows != n_targets:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {n_targets}]")
