"""Learners: what a model has become by learning, and how a batch is learned or rolled back."""
