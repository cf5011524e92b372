"""The demo's table: automatic players play there and write their game down, bid by bid, while
people watch."""

from __future__ import annotations

import time
from datetime import timedelta
from random import Random
from typing import Any, Final
from uuid import uuid4

from django.db import close_old_connections
from django.utils import timezone
from django.utils.translation import gettext

from engine.bluff.game import Game
from engine.bluff.move import CHALLENGE, move_text
from engine.bluff.ruleset import Ruleset
from engine.bluff.state import game_of_state
from engine.illegal import Refused
from engine.players.player import AutomaticPlayer
from engine.players.roster import player
from engine.players.seat import play_round, roll
from engine.record.bluff.round import RoundRecord, round_json
from engine.sheet.entry import stored_entry
from games.services import open_game
from games.services.open_game import Overtaken, Writer
from league.core.club.models import Club
from league.core.frame.errors import AWAY_SECONDS, DATABASE_AWAY
from league.core.log.services import Actor
from league.core.player.models import Player
from league.demo.events import draw_round, running_event
from league.events.event.models import Event
from league.sheets.sheet.models import TableOpenGame
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.stages.course.services.stage import stage_start
from league.stages.stage.format import Format
from league.stages.stage.models import StageScoring
from league.stages.stage.services.stage import stage_create
from league.stages.table.models import Table
from league.standings.ranking.models import Scoring

EVENT: Final = "schautisch"
SEATS: Final = 4
GAMES: Final = 9
"""The number of the table's games, which take three quarters of an hour."""
PACE: Final = 2.5
"""Seconds between two entries: as long as people take to bid."""
SCRIBE: Final = Writer(automatic="odds")
"""The writer of the table's entries."""
RULES: Final = Ruleset()


def demo_table_make(*, club: Club, actor: Actor) -> None:
    """Create an event with one table, and write down the first rounds there, unless the event
    exists."""
    if Event.objects.filter(club=club, slug=EVENT).exists():
        return
    event, _ = running_event(
        club,
        list(Player.objects.filter(club=club, merged_into=None).order_by("-handle")[:SEATS]),
        actor,
        kind={"scoring": Scoring.CNTDICE, "rules": {"exact": "all", "dice": RULES.dice}},
        slug=EVENT,
        name="Schautisch",
        starts_at=timezone.now().replace(microsecond=0) - timedelta(minutes=5),
        venue="Becherkeller",
        description=gettext(
            "Automatic players play here, as long as the demo runs. Watch them, bid by bid."
        ),
    )
    stage = stage_create(
        event=event,
        actor=actor,
        name=gettext("Table"),
        format=Format.PODS,
        sizes=[SEATS],
        rounds=1,
        games=GAMES,
        scoring=StageScoring.CNTDICE,
    )
    stage_start(stage=stage, actor=actor)
    draw_round(stage, actor)
    scribe = Scribe(table_game_open(table=_table(club)), pace=0)
    for _ in range(3):
        scribe.round()


def demo_table_play(*, pace: float = PACE) -> None:
    """Play at the demo's table until all its games are sealed, or until somebody else writes there.
    If the database is away, wait and go on. `pace`: seconds between two entries."""
    while True:
        try:
            _play_games(_table(Club.objects.get(slug="becherkeller")), pace)
        except (Refused, Overtaken):
            return
        except DATABASE_AWAY:
            close_old_connections()
            time.sleep(AWAY_SECONDS)


def _play_games(table: Table, pace: float) -> None:
    while True:
        row = table_game_open(table=table)
        scribe = Scribe(row, pace)
        while not scribe.game.over:
            scribe.round()
        open_game_seal(row=row, length=scribe.length, writer=SCRIBE)


def _table(club: Club) -> Table:
    tables = Table.objects.select_related("group", "stage_round__stage__event__season__ranking")
    return tables.get(stage_round__stage__event__club=club, stage_round__stage__event__slug=EVENT)


class Scribe:
    """The automatic players at a table, who write on the sheet of an open game and continue from
    its stored state. `pace`: seconds between two entries."""

    def __init__(self, row: TableOpenGame, pace: float) -> None:
        sheet = row.open_game.sheet
        self.row = row
        self.pace = pace
        self.length: int = sheet.length
        self.rng = Random(f"{row.open_game.external_id} {sheet.length}")
        self.players: list[AutomaticPlayer] = [
            player("odds", f"{row.open_game.external_id} {seat}", 1.0)
            for seat in range(row.open_game.seats.count())
        ]
        self.game: Game = game_of_state(RULES, sheet.state["game"])
        # If the demo was stopped during a round, its notes are undone and it is played again.
        for _ in sheet.state["notes"]:
            self._write("undo", {})

    def round(self) -> None:
        """Play a round: roll the dice, write each bid, then close the round with its result."""
        hands = tuple([roll(dice, self.rng) for dice in self.game.owned])
        moves = play_round(self.players, self.game.roll(hands), self.rng)
        for move in moves:
            if move != CHALLENGE:
                self._write("note", {"bid": move_text(move)})
        self._write("close", round_json(RoundRecord("dealt", hands=hands, moves=tuple(moves))))

    def _write(self, act: str, value: dict[str, Any]) -> None:
        time.sleep(self.pace)
        added = open_game.entry_add(
            open_game=self.row.open_game.public_id,
            length=self.length,
            entry=stored_entry(act, value),
            writer=SCRIBE,
            key=uuid4(),
        )
        self.length = added.sheet.length
        self.game = game_of_state(RULES, added.sheet.state["game"])
