"""Erasing a player's name from what people wrote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from re import Pattern
from typing import Any, Final

from django.db.models import F, Model
from django.db.models.functions import Now

from games.models import Game, Void
from league.core.club.actions import ClubAction
from league.core.club.models import CLUB
from league.core.log.actions import Action
from league.core.log.models import LogEntry
from league.core.log.nouns import Noun
from league.core.log.services import Journal, changes_between
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.services import appeal_text_remove
from league.disputes.hearing.models import Hearing
from league.disputes.hearing.services import hearing_text_remove
from league.disputes.objection.models import Objection
from league.disputes.objection.services import objection_text_remove
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.services.ruling import ruling_text_remove
from league.disputes.statement.models import Evidence, Statement
from league.disputes.statement.services.removal import files_drop, words_drop
from league.events.entry.models import Entry
from league.events.entry.services.label import label_rewrite
from league.events.event.actions import EventAction
from league.events.event.models import EVENT, Event
from league.events.series.models import SERIES
from league.floor.hall.models import HallPlace
from league.floor.hall.services import room_rewrite
from league.records.photo.models import Photo
from league.records.photo.services.photo import pictures_drop
from league.site.erasure.domain import Mention, Remedy
from league.site.erasure.queries import WRITTEN_PLACES, WrittenPlace
from league.stages.draw.models import Draw
from league.stages.round.actions import RoundAction
from league.stages.stage.actions import StageAction
from league.stages.stage.models import GROUP, STAGE, Group, Stage
from league.stages.stage.services.version import version_raise
from league.stages.table.actions import TableAction
from league.stages.table.models import Walkover
from league.standings.ranked_game.actions import GameAction
from league.standings.season.actions import SeasonAction
from league.standings.season.models import SEASON

CHANGED: Final[dict[str, tuple[Action, Noun]]] = {
    "season": (SeasonAction.CHANGED, SEASON),
    "club": (ClubAction.CHANGED, CLUB),
    "event": (EventAction.CHANGED, EVENT),
    "series": (EventAction.CHANGED, SERIES),
    "stage": (StageAction.CHANGED, STAGE),
    "group": (StageAction.CHANGED, GROUP),
}
"""The action with which the log states a rewritten text, and the noun of its row, by the noun of a
mention."""


def texts_lock(club_id: int, words: Collection[str]) -> None:
    """Lock the rows that may contain any of these words. Take this lock before those of players and
    log, as writers do."""
    for place in WRITTEN_PLACES:
        if place.remedy == Remedy.REWRITTEN:
            list(place.rows(club_id, words).select_for_update(no_key=True).values_list("pk"))


def mentions_forget(
    journal: Journal, mentions: Iterable[Mention], names: Pattern[str], pseudonym: str
) -> None:
    """Remove reasons with one of the names and photos that may show one, and replace names in texts
    by the pseudonym. The log gets an entry for each."""
    places = {place.noun: place for place in WRITTEN_PLACES}
    for mention in mentions:
        if mention.remedy == Remedy.REWRITTEN:
            _rewrite(journal, places[mention.noun], mention, names, pseudonym)
        elif mention.remedy == Remedy.REMOVED and mention.noun in REMOVALS:
            REMOVALS[mention.noun](journal, mention.subject, names)


def positions_of(club_id: int, mentions: Sequence[Mention]) -> set[int]:
    """Return the positions of log entries that are mentions, or are about mentioned subjects."""
    subjects: list[str] = []
    draws: list[str] = []
    positions: set[int] = set()
    for mention in mentions:
        if mention.noun == "log":
            positions.add(int(mention.subject))
        elif mention.noun == "draw":
            draws.append(mention.subject)
        else:
            subjects.append(mention.subject)

    rounds = Draw.objects.filter(public_id__in=draws)
    subjects += rounds.values_list("stage_round__public_id", flat=True)
    about = LogEntry.objects.filter(club=club_id, subject__in=subjects)
    return positions.union(about.values_list("position", flat=True))


def _rewrite(
    journal: Journal, place: WrittenPlace, mention: Mention, names: Pattern[str], pseudonym: str
) -> None:
    row = place.model._default_manager.get(public_id=mention.subject)
    before: dict[str, str] = {field: getattr(row, field) for field in place.fields}
    lengths = {field.name: field.max_length for field in place.model._meta.concrete_fields}
    after = {field: names.sub(pseudonym, text)[: lengths[field]] for field, text in before.items()}
    if isinstance(row, HallPlace):
        room_rewrite(journal=journal, place=row, **after)
        return
    if isinstance(row, Entry):
        label_rewrite(journal=journal, entry=row, **after)
        return
    change = changes_between(before, after)
    _store(row, change["after"])
    action, noun = CHANGED[place.noun]
    journal.add(action, mention.subject, change, texts=noun.texts)
    journal.state(noun, [row], change["after"])


def _store(row: Model, texts: dict[str, Any]) -> None:
    if isinstance(row, Event):
        texts = {**texts, "changes": F("changes") + 1, "changed_at": Now()}
    type(row)._default_manager.filter(pk=row.pk).update(**texts)
    if isinstance(row, Group):
        version_raise(pk=row.stage_id)
    elif isinstance(row, Stage):
        version_raise(pk=row.pk)


def _game_reason_remove(journal: Journal, game: str, names: Pattern[str]) -> None:
    Game.objects.filter(public_id=game).update(reason="", reason_salt=b"")
    journal.add(GameAction.REASON_REMOVED, game)


def _void_reasons_remove(journal: Journal, game: str, names: Pattern[str]) -> None:
    for void in Void.objects.filter(game__public_id=game).order_by("number"):
        if names.search(void.reason):
            Void.objects.filter(pk=void.pk).update(reason="")
            journal.add(GameAction.VOID_REASON_REMOVED, game, {"number": void.number})


def _objection_texts_remove(journal: Journal, game: str, names: Pattern[str]) -> None:
    rows = (
        Objection.objects.filter(game__public_id=game)
        .select_related("game")
        .annotate(reason=F("end__reason"))
    )
    for objection in rows.order_by("pk"):
        for text in ("word", "reason"):
            if names.search(getattr(objection, text) or ""):
                objection_text_remove(journal, objection, text)


def _hearing_question_remove(journal: Journal, hearing: str, names: Pattern[str]) -> None:
    hearing_text_remove(journal, Hearing.objects.select_related("game").get(public_id=hearing))


def _ruling_texts_remove(journal: Journal, ruling: str, names: Pattern[str]) -> None:
    row = Ruling.objects.select_related("outcome").get(public_id=ruling)
    for text in ("findings", "reason"):
        if names.search(getattr(row, text)):
            ruling_text_remove(journal, row, text)


def _appeal_word_remove(journal: Journal, appeal: str, names: Pattern[str]) -> None:
    appeal_text_remove(
        journal, Appeal.objects.select_related("ruling__outcome").get(public_id=appeal)
    )


def _draw_reason_remove(journal: Journal, draw: str, names: Pattern[str]) -> None:
    row = Draw.objects.select_related("stage_round").get(public_id=draw)
    Draw.objects.filter(pk=row.pk).update(reason="")
    journal.add(RoundAction.REASON_REMOVED, row.stage_round.public_id, {"draws": [draw]})


def _walkover_reasons_remove(journal: Journal, table: str, names: Pattern[str]) -> None:
    for row in Walkover.objects.filter(table__public_id=table).order_by("revision"):
        if names.search(row.reason):
            Walkover.objects.filter(pk=row.pk).update(reason="")
            journal.add(TableAction.REASON_REMOVED, table, {"revision": row.revision})


def _photo_remove(journal: Journal, photo: str, names: Pattern[str]) -> None:
    pictures_drop(journal, list(Photo.objects.filter(public_id=photo).values_list("pk", flat=True)))


def _statement_remove(journal: Journal, statement: str, names: Pattern[str]) -> None:
    words_drop(
        journal, list(Statement.objects.filter(public_id=statement).values_list("pk", flat=True))
    )


def _evidence_remove(journal: Journal, evidence: str, names: Pattern[str]) -> None:
    files_drop(
        journal, list(Evidence.objects.filter(public_id=evidence).values_list("pk", flat=True))
    )


REMOVALS: Final = {
    "photo": _photo_remove,
    "game": _game_reason_remove,
    "void": _void_reasons_remove,
    "objection": _objection_texts_remove,
    "hearing": _hearing_question_remove,
    "ruling": _ruling_texts_remove,
    "appeal": _appeal_word_remove,
    "statement": _statement_remove,
    "evidence": _evidence_remove,
    "draw": _draw_reason_remove,
    "table": _walkover_reasons_remove,
}
"""The function that removes a reason, a text or a photo, by the noun of its mention."""
