"""The arithmetic of ``tastes`` for compiled code."""

from __future__ import annotations


def move_tastes(tastes, person, others, item, push, keep):
    for f in range(tastes.shape[1]):
        own, other = tastes[person, f], others[item, f]
        tastes[person, f] = keep * own + push * other
        others[item, f] = keep * other + push * own
