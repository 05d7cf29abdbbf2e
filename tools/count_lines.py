"""Count the lines of Python code of each part for the table in docs/design.md: ``python tools/count_lines.py docs/design.md``.

A part is a folder of ``src/ranktron`` or ``src``; a folder inside another one that the table names too is counted only once.
"""

import re
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
ROW = re.compile(r"^\| `([\w/]+)/`([^|]*)\| [\d,]+ \|", re.MULTILINE)


def count(folder: Path, counted_apart: set[Path]) -> int:
    """The lines of a folder without those of the folders that are counted apart."""
    files = (path for path in folder.rglob("*.py") if not counted_apart & set(path.parents))
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def renewed(page: str) -> str:
    """The page with present numbers."""
    bases = {
        name: SOURCES / name if name.startswith("ranktron") else SOURCES / "ranktron" / name for name, _ in ROW.findall(page)
    }

    def row(match: re.Match[str]) -> str:
        folder = bases[match[1]]
        inside = {other for other in bases.values() if folder in other.parents}
        return f"| `{match[1]}/`{match[2]}| {count(folder, inside):,} |"

    return ROW.sub(row, page)


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")
