"""A way for programs to ask."""

from tests.league.floor.api.conftest import look, run, score, season

__all__ = ["look", "run", "score", "season"]
