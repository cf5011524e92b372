"""All that the log tells of stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import F

from league.core.log.ledger import Ledger, LedgerEntry, Noun, changed, created, rows_of
from league.events.entry.models import Entry
from league.stages.stage.actions import StageAction
from league.stages.stage.models import Group, Stage
from league.stages.stage.services.stage import SETTINGS

SEEDS: Final = ("commitment", "seed", "seeding_seed")
COLUMNS: Final = ("event", "number", *SETTINGS, "status", *SEEDS, "gone", "kept")
PLANNED: Final = {"status": Stage.Status.PLANNED.value, "gone": [], "kept": ""}


def _stages(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    entries = dict(Entry.objects.filter(event__club=club_id).values_list("pk", "public_id"))
    for stage in Stage.objects.select_related("event").filter(event__club=club_id):
        withdrawn = sorted(entries.get(pk, str(pk)) for pk in stage.gone)
        settings = [getattr(stage, name) for name in (*SETTINGS, "status", *SEEDS)]
        yield stage.public_id, (stage.event.public_id, stage.number, *settings, withdrawn, stage.kept)


def _started(ledger: Ledger, entry: LedgerEntry) -> None:
    row = ledger.rows("stage").setdefault(entry.subject, {})
    if "divisions" in entry.payload:
        row["groups"] = max(entry.payload["divisions"])
    row |= {column: entry.payload[column] for column in ("seed", "seeding_seed", "gone") if column in entry.payload}
    row |= {"status": Stage.Status.RUNNING.value, "kept": ""}
    _groups_called(ledger, entry)


def _groups_called(ledger: Ledger, entry: LedgerEntry) -> None:
    """The names of the groups with which a stage in divisions starts; none where its start is undone."""
    rows = ledger.rows("group")
    for group in [group for group, row in rows.items() if row["stage"] == entry.subject]:
        del rows[group]
    groups = {place.removeprefix("group_"): word for place, word in entry.payload.items() if place.startswith("group_")}
    rows |= {group: {"stage": entry.subject, "name": word} for group, word in groups.items()}


def _changed(ledger: Ledger, entry: LedgerEntry) -> None:
    """Settings, the course back, what is kept as it was played, or that the stage is taken out."""
    if "dropped" in entry.payload:
        ledger.rows("stage").pop(entry.subject, None)
        return
    changed("stage")(ledger, entry)
    row = ledger.rows("stage").get(entry.subject, {})
    if "started" in entry.payload:
        row |= PLANNED
        _groups_called(ledger, entry)
    if "finished" in entry.payload:
        row["status"] = Stage.Status.RUNNING.value
    row |= {column: entry.payload[column] for column in ("kept", "commitment") if column in entry.payload}


STAGE: Final = Noun(
    "stage",
    COLUMNS,
    _stages,
    {
        StageAction.CREATED: created(
            "stage", ("event", "number", *SETTINGS, "commitment"), seed="", seeding_seed="", **PLANNED
        ),
        StageAction.STARTED: _started,
        StageAction.CHANGED: _changed,
        StageAction.FINISHED: changed("stage", status=Stage.Status.FINISHED.value),
    },
    texts=("name",),
    defaults={"label_must": False, "meetings_first": False, "by_division": False, "adjusted": True},
)
GROUP: Final = Noun(
    "group",
    ("stage", "name"),
    rows_of(
        Group.objects.filter(stage__by_division=True, number__lte=F("stage__groups")).exclude(
            stage__status=Stage.Status.PLANNED
        ),
        "stage__event__club",
        ("stage__public_id", "name"),
    ),
    {StageAction.CHANGED: changed("group")},
    texts=("name",),
)
NOUNS: Final = (STAGE, GROUP)
