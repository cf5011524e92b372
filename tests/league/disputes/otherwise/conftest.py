"""What every test of events has."""

from tests.league.night import _same_chance, desk, organiser, season

__all__ = ["_same_chance", "desk", "organiser", "season"]
