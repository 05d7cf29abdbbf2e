"""One file per format of a stream."""
