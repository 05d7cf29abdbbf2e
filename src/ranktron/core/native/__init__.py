"""Compiled twins of functions in the core, equal to them bit for bit.

A definition names its twin, ``compiled="module:name"`` or ``compiled_as``; a module here has the name of the definitions' module,
or says which it is. Twins are written in loops, or in LLVM's vectors where numba would compile scalar code.
"""
