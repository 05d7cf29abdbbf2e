"""``python -m ranktron`` is ``ranktron``."""

from .cli import main

if __name__ == "__main__":
    main()
