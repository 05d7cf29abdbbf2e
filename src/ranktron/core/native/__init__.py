"""The compiled twins of definitions in the core, equal to them bit for bit."""
