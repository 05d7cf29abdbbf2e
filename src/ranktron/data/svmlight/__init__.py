"""LETOR and svmlight text: one line, its compiled twin, whole files, and how they are written."""
