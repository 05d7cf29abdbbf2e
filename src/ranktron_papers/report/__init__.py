"""What ``ranktron reproduce`` shows of a run: progress, figures, the result as plain data, an HTML report, tables."""
