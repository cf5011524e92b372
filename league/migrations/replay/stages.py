"""All that the log tells of stages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.migrations.state import StateApps
from django.db.models import F, Q

from engine.pairing.secret import commitment

from league.migrations.replay.ledger import Ledger, LedgerEntry, Noun, changed, created, rows_of

SETTINGS: Final = (
    *("name", "format", "sizes", "rounds", "groups", "by_division", "advance", "third", "separation", "takes"),
    *("carry", "games", "meetings_first", "label_rounds", "label_must", "label_best"),
    *("scoring", "adjusted", "tie_breaks", "seeding"),
)
SEEDS: Final = ("commitment", "seed", "seeding_seed")
COLUMNS: Final = ("event", "number", *SETTINGS, "status", *SEEDS, "gone", "kept")
PLANNED: Final = {"status": "planned", "gone": [], "kept": ""}


def _stages(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    entries = dict(apps.get_model("league", "Entry")._base_manager.filter(event__club=club_id).values_list("pk", "public_id"))
    for stage in apps.get_model("league", "Stage")._base_manager.select_related("event").filter(event__club=club_id):
        withdrawn = sorted(entries.get(pk, str(pk)) for pk in stage.gone)
        settings = [getattr(stage, name) for name in (*SETTINGS, "status")]
        seeds = (commitment(stage.secret) if stage.secret else "", stage.seed, stage.seeding_seed)
        yield stage.public_id, (stage.event.public_id, stage.number, *settings, *seeds, withdrawn, stage.kept)


def _started(ledger: Ledger, entry: LedgerEntry) -> None:
    row = ledger.rows("stage").setdefault(entry.subject, {})
    if "divisions" in entry.payload:
        row["groups"] = max(entry.payload["divisions"])
    row |= {column: entry.payload[column] for column in ("seed", "seeding_seed", "gone") if column in entry.payload}
    row |= {"status": "running", "kept": ""}
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
        row["status"] = "running"
    row |= {column: entry.payload[column] for column in ("kept", "commitment") if column in entry.payload}


STAGE: Final = Noun(
    "stage",
    COLUMNS,
    _stages,
    {
        "stage.created": created(
            "stage", ("event", "number", *SETTINGS, "commitment"), seed="", seeding_seed="", **PLANNED
        ),
        "stage.started": _started,
        "stage.changed": _changed,
        "stage.finished": changed("stage", status="finished"),
    },
    texts=("name",),
    defaults={"label_must": False, "meetings_first": False, "by_division": False, "adjusted": True},
)
GROUP: Final = Noun(
    "group",
    ("stage", "name"),
    rows_of(
        "league.Group",
        "stage__event__club",
        ("stage__public_id", "name"),
        where=Q(stage__by_division=True, number__lte=F("stage__groups")) & ~Q(stage__status="planned"),
    ),
    {"stage.changed": changed("group")},
    texts=("name",),
)
NOUNS: Final = (STAGE, GROUP)
