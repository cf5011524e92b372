"""Agreements of seats with branches: entries that a phone sent after its key had ended."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.db import models
from django.db.models.functions import JSONObject

from games.models import SheetBranch
from games.models.fact import Fact, Guard
from league.core.log.columns import column
from league.core.log.nouns import Noun, sha256_of
from league.sheets.sheet.models import CLUB_OF_OPEN_GAME

WAITING_BRANCH: Final = Guard(
    name="waiting_branch",
    operation=pgtrigger.Insert,
    func="""
        IF NOT EXISTS (
            SELECT FROM games_sheetbranch branch
            JOIN games_opensheet sheet ON sheet.id = branch.sheet_id
            JOIN games_openseat seat ON seat.open_game_id = sheet.open_game_id
            WHERE branch.id = NEW.branch_id AND seat.number = NEW.seat AND NEW.made_at < branch.waits_until
        ) THEN
            RAISE EXCEPTION 'seat % can''t agree with branch %', NEW.seat, NEW.branch_id;
        END IF;
        RETURN NEW;
    """,
)
"""Only a seat of the game can agree, and only with a branch that is waiting."""


class BranchAgreement(Fact):
    """A seat's statement that the entries of a branch are what was played."""

    branch = models.ForeignKey(
        SheetBranch, on_delete=models.PROTECT, related_name="agreements", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    made_at = column(models.DateTimeField())

    class Meta:
        ordering = ["branch", "seat"]
        triggers = [WAITING_BRANCH]
        constraints = [
            models.UniqueConstraint(fields=["branch", "seat"], name="seat_agrees_with_branch_once")
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} with {self.branch_id}"


BRANCH_WRITER: Final = models.Case(
    models.When(account=None, then=JSONObject(device="device__public_id")),
    default=JSONObject(account="account__public_id"),
)
BRANCH: Final = Noun(
    "branch",
    SheetBranch,
    club=tuple(f"sheet__open_game__{club}" for club in CLUB_OF_OPEN_GAME),
    more={
        "open_game": "sheet__open_game__public_id",
        "after": "after",
        "entries": sha256_of("entries", is_text=True),
        "by": BRANCH_WRITER,
        "made_at": "made_at",
        "waits_until": "waits_until",
    },
)


BRANCH_AGREEMENT: Final = Noun(
    "branch agreement",
    BranchAgreement,
    club=tuple(f"branch__sheet__open_game__{club}" for club in CLUB_OF_OPEN_GAME),
    named=("branch__public_id", "seat"),
)
