"""What ``reproduce`` is made of: the run and its progress, figures, the report and the tables in the terminal."""
