"""The parts that HTML reports share: the document and its style sheet, tables, durations. They know no model and no data."""
