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


def texts_lock(club_id: int, names: Collection[str]) -> None:
    """Lock the rows that may contain any of these names. Take this lock before the locks of players
    and of the log, as services do that write such texts."""
    for place in WRITTEN_PLACES:
        if place.remedy == Remedy.REWRITTEN:
            list(place.rows(club_id, names).select_for_update(no_key=True).values_list("pk"))


def mentions_forget(
    journal: Journal, mentions: Iterable[Mention], pattern: Pattern[str], pseudonym: str
) -> None:
    """Remove reasons that contain a name and photos that may show one, and replace names in other
    texts by the pseudonym. The log gets an entry for each mention."""
    places = {place.noun: place for place in WRITTEN_PLACES}
    for mention in mentions:
        if mention.remedy == Remedy.REWRITTEN:
            _replace_names(journal, places[mention.noun], mention, pattern, pseudonym)
        elif mention.remedy == Remedy.REMOVED and mention.noun in REMOVALS:
            REMOVALS[mention.noun](journal, mention.subject, pattern)


def positions_of(club_id: int, mentions: Sequence[Mention]) -> set[int]:
    """Return the positions of the log entries that are among these mentions, or are about a
    mentioned subject."""
    subjects: list[str] = []
    draw_ids: list[str] = []
    positions: set[int] = set()
    for mention in mentions:
        if mention.noun == "log":
            positions.add(int(mention.subject))
        elif mention.noun == "draw":
            draw_ids.append(mention.subject)
        else:
            subjects.append(mention.subject)

    mentioned_draws = Draw.objects.filter(public_id__in=draw_ids)
    subjects += mentioned_draws.values_list("stage_round__public_id", flat=True)
    entries_about = LogEntry.objects.filter(club=club_id, subject__in=subjects)
    return positions.union(entries_about.values_list("position", flat=True))


def _replace_names(
    journal: Journal, place: WrittenPlace, mention: Mention, pattern: Pattern[str], pseudonym: str
) -> None:
    row = place.model._default_manager.get(public_id=mention.subject)
    old_texts: dict[str, str] = {field: getattr(row, field) for field in place.fields}
    lengths = {field.name: field.max_length for field in place.model._meta.concrete_fields}
    new_texts = {
        field: pattern.sub(pseudonym, text)[: lengths[field]] for field, text in old_texts.items()
    }
    if isinstance(row, HallPlace):
        room_rewrite(journal=journal, place=row, **new_texts)
        return
    if isinstance(row, Entry):
        label_rewrite(journal=journal, entry=row, **new_texts)
        return
    change = changes_between(old_texts, new_texts)
    _store_texts(row, change["after"])
    action, noun = CHANGED[place.noun]
    journal.add(action, mention.subject, change, texts=noun.texts)
    journal.state(noun, [row], change["after"])


def _store_texts(row: Model, texts: dict[str, Any]) -> None:
    if isinstance(row, Event):
        texts = {**texts, "changes": F("changes") + 1, "changed_at": Now()}
    type(row)._default_manager.filter(pk=row.pk).update(**texts)
    if isinstance(row, Group):
        version_raise(pk=row.stage_id)
    elif isinstance(row, Stage):
        version_raise(pk=row.pk)


def _game_reason_remove(journal: Journal, game_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    Game.objects.filter(public_id=game_id).update(reason="", reason_salt=b"")
    journal.add(GameAction.REASON_REMOVED, game_id)


def _void_reasons_remove(journal: Journal, game_id: str, pattern: Pattern[str]) -> None:
    for void in Void.objects.filter(game__public_id=game_id).order_by("number"):
        if pattern.search(void.reason):
            Void.objects.filter(pk=void.pk).update(reason="")
            journal.add(GameAction.VOID_REASON_REMOVED, game_id, {"number": void.number})


def _objection_texts_remove(journal: Journal, game_id: str, pattern: Pattern[str]) -> None:
    rows = (
        Objection.objects.filter(game__public_id=game_id)
        .select_related("game")
        .annotate(reason=F("end__reason"))
    )
    for objection in rows.order_by("pk"):
        for text in ("word", "reason"):
            if pattern.search(getattr(objection, text) or ""):
                objection_text_remove(journal, objection, text)


def _hearing_question_remove(journal: Journal, hearing_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    hearing_text_remove(journal, Hearing.objects.select_related("game").get(public_id=hearing_id))


def _ruling_texts_remove(journal: Journal, ruling_id: str, pattern: Pattern[str]) -> None:
    row = Ruling.objects.select_related("outcome").get(public_id=ruling_id)
    for text in ("findings", "reason"):
        if pattern.search(getattr(row, text)):
            ruling_text_remove(journal, row, text)


def _appeal_word_remove(journal: Journal, appeal_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    appeal_text_remove(
        journal, Appeal.objects.select_related("ruling__outcome").get(public_id=appeal_id)
    )


def _draw_reason_remove(journal: Journal, draw_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    row = Draw.objects.select_related("stage_round").get(public_id=draw_id)
    Draw.objects.filter(pk=row.pk).update(reason="")
    journal.add(RoundAction.REASON_REMOVED, row.stage_round.public_id, {"draws": [draw_id]})


def _walkover_reasons_remove(journal: Journal, table_id: str, pattern: Pattern[str]) -> None:
    for row in Walkover.objects.filter(table__public_id=table_id).order_by("revision"):
        if pattern.search(row.reason):
            Walkover.objects.filter(pk=row.pk).update(reason="")
            journal.add(TableAction.REASON_REMOVED, table_id, {"revision": row.revision})


def _photo_remove(journal: Journal, photo_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    pictures_drop(
        journal, list(Photo.objects.filter(public_id=photo_id).values_list("pk", flat=True))
    )


def _statement_remove(journal: Journal, statement_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    words_drop(
        journal, list(Statement.objects.filter(public_id=statement_id).values_list("pk", flat=True))
    )


def _evidence_remove(journal: Journal, evidence_id: str, pattern: Pattern[str]) -> None:
    """Ignore `pattern`, which all removals get."""
    files_drop(
        journal, list(Evidence.objects.filter(public_id=evidence_id).values_list("pk", flat=True))
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
"""The function that removes a reason, a text or a photo, by the noun of its mention. It gets the
subject's public id, and the pattern of names, if it has to search more than one text."""
