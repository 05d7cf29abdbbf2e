"""The kinds of models: of rows with labels or other targets, of lists, and of many hypotheses."""
