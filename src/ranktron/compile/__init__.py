"""How loops are compiled: generic functions, object code, and the caches of both."""
