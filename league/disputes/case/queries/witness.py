"""Further evidence in a dispute: the keys with which the game was written down, the proof of dealt
dice, and the draws that were made from its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from engine.record.verify import verify
from games.domain.game import NotAsSealed
from games.models import Device, Game, OpenGame, SealedSheet, SheetEntry
from games.queries.game import sealed_record
from league.disputes.case.domain import CaseFact
from league.sheets.device.actions import DeviceAction
from league.stages.draw.models import Draw
from league.stages.draw.queries.draw import draws_resting_on
from league.stages.round.actions import RoundAction
from league.standings.ranked_game.actions import GameAction


class KeyOfGame(NamedTuple):
    """A key with which a game could be written down. `holder`: the name of its player; empty for a
    scorer's key. `entries`: the number of the sheet's entries that were written with it. The key
    itself is stored nowhere."""

    device: Device
    holder: str
    entries: int

    @property
    def has_run_out(self) -> bool:
        """Return True if the key has expired; False if it was revoked."""
        device = self.device
        return device.revoked_at is None and device.ends_at <= timezone.now()


def first_revision(game: Game) -> Game:
    """Return the first revision of a game. One query."""
    revisions: QuerySet[Game] = Game.objects.filter(
        source=game.source, external_id=game.external_id
    )
    return revisions.earliest("revision")


def witness_facts(revisions: Sequence[Game]) -> list[CaseFact]:
    """Return as facts the draws that rest on a game, the keys for its sheet, and the proof of its
    dice. `revisions`: in their order. Six queries at most."""
    first = revisions[0]
    facts = [_drawn(first, draw) for draw in draws_resting_on(first)]
    for key in keys_of(first):
        facts += _key_facts(first, key)
    if first.proof is not None:
        facts.append(_dealt_by_service(first))
    return facts


def keys_of(game: Game) -> list[KeyOfGame]:
    """Return the keys that were made for a game or its table, and those with which its sheet was
    written, the oldest first. Three queries at most."""
    sheet = SealedSheet.objects.filter(
        game__source=game.source, game__external_id=game.external_id
    ).values("sheet")
    written = SheetEntry.objects.filter(sheet__in=sheet, device=OuterRef("pk")).order_by()
    devices: QuerySet[Device] = Device.objects.filter(
        Q(table_device__table__table_games__game=game)
        | Q(game_device__open_game__open_game__sheet__in=sheet)
        | Exists(written)
    )
    entry_count = written.values("device").annotate(count=Count("number")).values("count")
    rows: QuerySet[Any] = devices.select_related("made_by").annotate(
        holder=Coalesce("table_device__player__name", "game_device__player__name", Value("")),
        written=Coalesce(Subquery(entry_count), 0),
    )
    in_order = rows.distinct().order_by("made_at", "pk")
    return [KeyOfGame(row, row.holder, row.written) for row in in_order]


def _key_facts(game: Game, key: KeyOfGame) -> list[CaseFact]:
    device = key.device
    note = gettext("A scorer’s key.")
    if key.holder:
        note = gettext("The key of %(name)s.") % {"name": key.holder}
    made = CaseFact(
        device.made_at, DeviceAction.MADE, game, device.made_by, about=device.public_id, note=note
    )
    if device.revoked_at is not None:
        revoked = CaseFact(
            device.revoked_at, DeviceAction.REVOKED, game, about=device.public_id, note=note
        )
        return [made, revoked]
    if key.has_run_out:
        ended = CaseFact(
            device.ends_at,
            DeviceAction.REVOKED,
            game,
            about=device.public_id,
            title=gettext("Key for writing a game down expired"),
            note=note,
        )
        return [made, ended]
    return [made]


def _drawn(game: Game, draw: Draw) -> CaseFact:
    stage_round = draw.stage_round
    note = gettext(
        "%(stage)s, round %(number)d: drawn from this result. A ruling doesn’t change it."
    )
    return CaseFact(
        draw.made_at,
        RoundAction.DRAWN,
        game,
        about=stage_round.public_id,
        path=reverse("draw", args=[draw.public_id]),
        note=note % {"stage": stage_round.stage.name, "number": stage_round.number},
    )


def _dealt_by_service(game: Game) -> CaseFact:
    open_game = OpenGame.objects.filter(source=game.source, external_id=game.external_id).first()
    if _proof_holds(game):
        note = gettext(
            "The proof of the dice was recomputed and holds: nobody could have chosen or "
            "changed them."
        )
    else:
        note = gettext("The proof of the dice was recomputed and doesn’t hold.")
    return CaseFact(
        open_game.opened_at if open_game else game.entered_at,
        GameAction.SEALED,
        game,
        title=gettext("The service committed to the dice"),
        note=note,
        path=f"{reverse('game', args=[game.public_id])}#trust",
    )


def _proof_holds(game: Game) -> bool:
    try:
        record, _ = sealed_record(game)
    except NotAsSealed:
        return False
    return verify(record).error is None
