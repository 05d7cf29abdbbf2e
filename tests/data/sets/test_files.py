"""Data sets that are not there, and files in zip files."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ranktron.data import BadDataFile, sets
from tests.processes import run

LOADERS: dict[str, tuple[Callable[..., Any], str]] = {
    "movielens": (sets.load_movielens, "grouplens.org"),
    "eachmovie": (sets.load_eachmovie, "gatsby.ucl.ac.uk"),
    "jester": (sets.load_jester, "eigentaste.berkeley.edu"),
    "cystic_fibrosis": (sets.load_cystic_fibrosis, "hearst/irbook"),
    "ohsumed": (sets.load_ohsumed, "trec.nist.gov"),
    "letor": (sets.load_letor, "microsoft.com"),
    "mslr": (sets.load_mslr, "microsoft.com"),
    "yahoo": (sets.load_yahoo, "webscope"),
    "yandex": (sets.load_yandex, "imat2009.yandex.ru"),
}


@pytest.mark.parametrize("name", LOADERS)
def test_a_missing_data_set_is_told_in_one_sentence(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load, page = LOADERS[name]
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))
    with pytest.raises(sets.MissingData) as caught:
        load()
    told = str(caught.value)
    assert isinstance(caught.value, FileNotFoundError)
    assert all(part in told for part in (str(tmp_path / name), "RANKTRON_DATA", name, page))
    assert "\n" not in told
    assert ". " not in told


@pytest.mark.parametrize("name", LOADERS)
def test_an_empty_folder_says_which_files_should_be_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(sets.MissingData, match=r"where .*\.txt.* should be|where .*(u\.data|csv|cfquery).* should be"):
        LOADERS[name][0](tmp_path)


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("value", [None, ""])
def test_without_a_path_and_without_the_variable(name: str, value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("RANKTRON_DATA", raising=False)
    else:
        monkeypatch.setenv("RANKTRON_DATA", value)
    with pytest.raises(sets.MissingData, match=r"RANKTRON_DATA is not set: pass the path"):
        LOADERS[name][0]()


def test_the_variable_names_the_folder_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "movielens" / "ml-100k"
    folder.mkdir(parents=True)
    (folder / "u.data").write_text("1\t2\t3\t881250949\n")
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))
    assert sets.load_movielens(partial=True).ratings.tolist() == [3.0]


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_zip_file_is_read_as_its_files_are(end: str, tmp_path: Path) -> None:
    lines = "".join(f"{1 + row % 7}::{1 + row // 7}::{1 + row % 5}::{978300760 + row}\n" for row in range(150_000)).rstrip() + end
    (tmp_path / "plain" / "ml-1m").mkdir(parents=True)
    (tmp_path / "plain" / "ml-1m" / "ratings.dat").write_text(lines)
    with zipfile.ZipFile(tmp_path / "ml-1m.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ml-1m/README", "read me")
        archive.writestr("ml-1m/ratings.dat", lines)
    plain, zipped = (sets.load_movielens(tmp_path / name, partial=True) for name in ("plain", "ml-1m.zip"))
    assert len(plain.ratings) == 150_000
    for ours, theirs in zip(plain, zipped, strict=True):
        assert (ours == theirs).all()


def test_a_long_line_of_a_zip_file_is_put_together(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "films.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ratings.dat", "1::1193::5::978300760" + ":" * 6_000_000 + "\n1::661::3::978302109")
    assert sets.load_movielens(tmp_path, partial=True).names_items.tolist() == [1193, 661]


def test_a_zip_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ml-1m.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ml-1m/ratings.dat", "1::1193::5::978300760\n" * 1000)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(BadDataFile, match=r"ml-1m\.zip is not a complete zip file"):
        sets.load_movielens(tmp_path)


def test_importing_the_readers_does_not_import_the_loaders() -> None:
    code = (
        "import sys, ranktron.data; print('ranktron.data.sets' in sys.modules); ranktron.data.sets.load_letor;"
        " print(*[name for name in ('numba', 'scipy', 'sklearn', 'pandas') if name in sys.modules])"
    )
    assert run(code) == "False"


def test_no_other_name_comes_with_the_readers() -> None:
    import ranktron.data

    with pytest.raises(AttributeError, match="no attribute 'bags'"):
        _ = ranktron.data.bags  # type: ignore[attr-defined]
