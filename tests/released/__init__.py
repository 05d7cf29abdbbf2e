"""A model file of each algorithm from each released version, and what the models in them say and learn.

``python -m tests.released`` writes those of the present version, once, before it is released.
"""
