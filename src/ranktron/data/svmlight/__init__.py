"""LETOR and svmlight text: one line, its compiled twin, mapped files, and how they are written."""
