"""A rebuild of a ranking whose games are the demo's, stage by stage, and beside it a late game, with which all later
ratings are computed again: once with ever more games.

The demo's games tell their rounds at every level of detail, half of them with lay-outs. What a game costs stands beside
what the package openskill takes to rate it, and nothing else.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import process_time
from typing import Final

from django.conf import settings

from bench.games import DATA, SEASON, season
from bench.ratings import best_first, rate_theirs
from bench.service.cost import WorkCost, cost
from bench.service.league import copy_games, empty_season, handle, play
from league.log.services import Actor
from league.models import RankedGame, Ranking, Season
from league.rankings.services import rebuild
from league.rankings.services.counting import ranking_count
from league.records.services.file import file_import

SIZES: Final = ((0, 180), (10, 1_980), (9, 19_800))
