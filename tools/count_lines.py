"""Print the lines of Python code in each folder of the packages: ``python tools/count_lines.py``."""

from collections import Counter
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
DEPTH = 3  # core/scorers is counted on its own, models/kinds too; what is deeper belongs to its parent


def count() -> Counter[str]:
    """Lines by folder, each without the folders that are counted on their own."""
    lines: Counter[str] = Counter()
    for path in [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.pyi")]:
        folder = path.relative_to(SOURCES).parts[:-1][:DEPTH]
        lines["/".join(folder)] += len(path.read_text(encoding="utf-8").splitlines())
    return lines


if __name__ == "__main__":
    counted = count()
    for package in ("ranktron", "ranktron_papers"):
        inside = {folder: lines for folder, lines in sorted(counted.items()) if folder.split("/")[0] == package}
        print(f"{sum(inside.values()):7,}  {package} in all")
        for folder, lines in inside.items():
            print(f"{lines:7,}    {folder}")
