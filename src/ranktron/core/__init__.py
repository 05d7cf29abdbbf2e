"""The core: one loop, and the scorers, rows, decisions and measures that it is put together from."""
