"""The history of an event as everybody reads it: what was changed after it had been public, or had
ended, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext, gettext_lazy, ngettext

from engine.scoring.stage.registry import TIE_BREAKS
from league.core.frame.name_key import name_key
from league.core.log.columns import marks_of
from league.core.viewer.domain import role_words
from league.events.entry.actions import EntryAction
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.stages.round.actions import RoundAction
from league.stages.stage.actions import StageAction
from league.stages.stage.models import Stage, StageScoring


class HistoryKind(TextChoices):
    """All that a line of the history can be about."""

    ROUND_TAKEN_BACK = "round_taken_back", gettext_lazy("round taken back")
    ROUND_DRAWN_AGAIN = "round_drawn_again", gettext_lazy("round drawn again")
    ROUND_CHANGED = "round_changed", gettext_lazy("draw changed by hand")
    ENTRY_CHANGED = "entry_changed", gettext_lazy("entry changed")
    STAGE_CHANGED = "stage_changed", gettext_lazy("stage changed")
    EVENT_RESUMED = "event_resumed", gettext_lazy("the event went on after its end")


class HistoryChange(NamedTuple):
    """One thing that differs, before and after, in words; one of them may be empty."""

    what: str
    before: str
    after: str


class HistoryRound(NamedTuple):
    """A round that lines are about. `undrawn`: its tables are published as they are set up."""

    public_id: str
    number: int
    stage: str
    stage_number: int
    stage_name: str
    undrawn: bool


class HistoryEntry(NamedTuple):
    """An entry of the log: `reason` is empty where the reader may not see it."""

    position: int
    action: str
    subject: str
    payload: Mapping[str, Any]
    reason: str
    at: datetime

    @property
    def role(self) -> str:
        """The role of who acted, empty where the log doesn't tell."""
        return str(self.payload.get("role", ""))


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A line of the history. `stage_round` is the one that it is about, None where there is none;
    `readable`: it was taken back, and stays readable because it had been published."""

    position: int
    at: datetime
    kind: HistoryKind
    title: str
    changes: tuple[HistoryChange, ...]
    reason: str
    role: str
    stage_round: HistoryRound | None = None
    readable: bool = False

    @property
    def author(self) -> str:
        """Who did it, by the role."""
        return role_words(self.role)


@dataclass(frozen=True, slots=True)
class HistoryNames:
    """All that lines call by name: stages, entries and players by public id. An entry that the
    reader may not see is missing. `draws`: the inputs of a round's draws, group by group."""

    stages: Mapping[str, str]
    rounds: Mapping[str, HistoryRound]
    entries: Mapping[str, str]
    players: Mapping[str, str]
    draws: Mapping[str, Sequence[Mapping[str, Any]]]


Attempt = tuple[str, int]
"""A stage, by its public id, and the number of a round: what is drawn again after it was taken
back."""
SETTINGS: Final = {name: marks.history for name, marks in marks_of(Stage).items() if marks.history}
"""The settings of a stage that can change once it has started, in words."""
OPEN_SETTINGS: Final = ("scoring", "tie_breaks", "label_best")
"""Those of them whose change is a line while the event still runs."""


@dataclass(slots=True)
class Course:
    """How far an event had come at an entry of its log."""

    finished: bool = False
    cancelled: bool = False
    started: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    roles: dict[str, str] = field(default_factory=dict)
    retracted: defaultdict[Attempt, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def ended(self) -> bool:
        """True once the event has been over: whatever changes then is a line."""
        return self.finished or self.cancelled


def has_been_finished(entries: Iterable[HistoryEntry]) -> bool:
    """True if the log tells of an end of the event, also one that was undone."""
    over = (Event.Status.FINISHED, Event.Status.CANCELLED)
    return any(
        entry.action == EventAction.CHANGED and _sides(entry)[1].get("status") in over
        for entry in entries
    )


def draw_pairs(entries: Iterable[HistoryEntry], rounds: Mapping[str, HistoryRound]) -> set[str]:
    """The rounds, by public id, whose draws are compared: those taken back, if another was drawn
    for them since."""
    by_attempt: defaultdict[Attempt, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.action == RoundAction.DRAWN and entry.subject in rounds:
            by_attempt[_attempt(rounds[entry.subject])].add(entry.subject)
    return {public_id for ids in by_attempt.values() if len(ids) > 1 for public_id in ids}


def history_lines(entries: Sequence[HistoryEntry], names: HistoryNames) -> list[HistoryLine]:
    """The lines that an event's entries of the log come to, these being in order; the latest line
    first."""
    published = {entry.subject for entry in entries if entry.action == RoundAction.PUBLISHED}
    published |= {row.public_id for row in names.rounds.values() if row.undrawn}
    course = Course()
    lines: list[HistoryLine] = []
    for entry in entries:
        lines += _lines_of(entry, course, names, published)
    return lines[::-1]


def _lines_of(
    entry: HistoryEntry, course: Course, names: HistoryNames, published: Collection[str]
) -> Iterator[HistoryLine]:
    """Tell whether an entry is a line, and note how far the event has come by it."""
    match entry.action:
        case EventAction.CHANGED:
            yield from _event_lines(entry, course)
        case StageAction.STARTED:
            course.started.add(entry.subject)
        case StageAction.CHANGED:
            yield from _stage_lines(entry, course, names)
        case EntryAction.CHANGED if course.ended:
            yield from _entry_lines(entry, names)
        case _ if entry.subject in names.rounds:
            yield from _round_lines(entry, course, names, published)


def _event_lines(entry: HistoryEntry, course: Course) -> Iterator[HistoryLine]:
    before, after = [side.get("status") for side in _sides(entry)]
    if after is None:
        return
    if (before, after) == (Event.Status.FINISHED, Event.Status.RUNNING):
        words = (str(Event.Status.FINISHED.label), str(Event.Status.RUNNING.label))
        change = HistoryChange(gettext("Status"), *words)
        yield _line(
            entry, HistoryKind.EVENT_RESUMED, gettext("The event went on after its end"), (change,)
        )
    course.finished |= after == Event.Status.FINISHED
    course.cancelled = after == Event.Status.CANCELLED


def _stage_lines(entry: HistoryEntry, course: Course, names: HistoryNames) -> Iterator[HistoryLine]:
    if entry.payload.get("started") is False:
        course.started.discard(entry.subject)
    before, after = _sides(entry)
    settings = (
        SETTINGS if course.ended else OPEN_SETTINGS if entry.subject in course.started else ()
    )
    changes = tuple(
        HistoryChange(
            str(SETTINGS[name]),
            _setting_words(name, before[name]),
            _setting_words(name, after[name]),
        )
        for name in SETTINGS
        if name in settings and name in before and name in after
    )
    if changes:
        title = gettext("Settings of “%(stage)s” changed") % {
            "stage": names.stages.get(entry.subject, "")
        }
        yield _line(entry, HistoryKind.STAGE_CHANGED, title, changes)


def _yes_or_no(value: Any) -> str:
    return gettext("yes") if value else gettext("no")


def _setting_words(name: str, value: Any) -> str:
    """A setting of a stage in words."""
    if isinstance(value, bool):
        value = _yes_or_no(value)
    elif name == "tie_breaks":
        value = [
            rule.label.translated(gettext) if (rule := TIE_BREAKS.get(key)) else str(key)
            for key in value
        ]
    elif name == "scoring":
        value = StageScoring(value).label
    return (
        ", ".join(map(str, value))
        if isinstance(value, list)
        else str(value if value is not None else "")
    )


def _entry_lines(entry: HistoryEntry, names: HistoryNames) -> Iterator[HistoryLine]:
    before, after = _sides(entry)
    changes = []
    if "guest" in after:
        changes.append(
            HistoryChange(
                gettext("Guest"), *[_yes_or_no(value["guest"]) for value in (before, after)]
            )
        )
    if "substitutes" in after:
        people = [_absent(value["substitutes"], names) for value in (before, after)]
        changes.append(HistoryChange(gettext("Plays for"), *people))
    if changes:
        title = gettext("An entry that isn’t shown any more changed")
        if entry.subject in names.entries:
            title = gettext("Entry of %(name)s changed") % {"name": names.entries[entry.subject]}
        yield _line(entry, HistoryKind.ENTRY_CHANGED, title, tuple(changes))


def _absent(player: str | None, names: HistoryNames) -> str:
    """For whom somebody plays."""
    return names.players.get(player, "") if player else gettext("nobody else")


def _round_lines(
    entry: HistoryEntry, course: Course, names: HistoryNames, published: Collection[str]
) -> Iterator[HistoryLine]:
    row = names.rounds[entry.subject]
    place = {"number": row.number, "stage": row.stage_name}
    earlier = course.retracted[_attempt(row)]
    match entry.action:
        case RoundAction.ASKED:
            course.roles[entry.subject] = entry.role
        case RoundAction.DRAWN:
            course.drawn.add(entry.subject)
            if earlier:
                words = gettext("Round %(number)d of “%(stage)s” drawn again: attempt %(attempt)d")
                title = words % {**place, "attempt": 1 + len(earlier)}
                changes = draw_changes(earlier[-1], row.public_id, names, published)
                asked = entry._replace(
                    payload={"role": course.roles.get(entry.subject, "")}, reason=""
                )
                yield _line(asked, HistoryKind.ROUND_DRAWN_AGAIN, title, changes, row)
        case RoundAction.CHANGED if entry.subject in published:
            title = gettext("Draw of round %(number)d of “%(stage)s” changed by hand") % place
            yield _line(entry, HistoryKind.ROUND_CHANGED, title, (), row)
        case RoundAction.TAKEN_BACK if row.undrawn or entry.subject in course.drawn:
            earlier.append(row.public_id)
            title = gettext("Round %(number)d of “%(stage)s” taken back") % place
            before = _standing(entry.payload.get("games", 0), is_public=row.public_id in published)
            change = HistoryChange(gettext("Status"), before, gettext("taken back"))
            line = _line(entry, HistoryKind.ROUND_TAKEN_BACK, title, (change,), row)
            yield replace(line, readable=row.public_id in published)


def _standing(games: int, *, is_public: bool) -> str:
    """How a round stood that is taken back: “published, 3 games played”."""
    if not is_public:
        return gettext("drawn, not published")
    played = ngettext("%(count)d game played", "%(count)d games played", games) % {"count": games}
    return gettext("published") + (f", {played}" if games else "")


def draw_changes(
    earlier: str, later: str, names: HistoryNames, published: Collection[str]
) -> tuple[HistoryChange, ...]:
    """What two draws of a round were made from, as far as it differs. People are named only where
    the draw that names them is public; else they are counted."""
    old, new = names.draws.get(earlier, ()), names.draws.get(later, ())
    if not old or not new:
        return ()
    changes = []
    for what, parts, words in (
        (gettext("Kept apart"), _apart, _pair_words),
        (gettext("Players"), _players, _player_words),
    ):
        gone, come = parts(old) - parts(new), parts(new) - parts(old)
        if gone or come:
            before = words(gone, names, named=earlier in published)
            changes.append(
                HistoryChange(what, before, words(come, names, named=later in published))
            )
    sizes = [_setting_words("sizes", group[0].get("sizes", [])) for group in (old, new)]
    if sizes[0] != sizes[1]:
        changes.append(HistoryChange(gettext("Table sizes"), *sizes))
    if not changes:
        differing = [words for words, keys in OTHER_PARTS if _parts(old, keys) != _parts(new, keys)]
        after = ", ".join(map(str, differing)) or gettext("something else")
        if old == new:
            after = gettext("the same, so that the tables are the same")
        elif _without_lots(old) == _without_lots(new):
            after = gettext("the same, but for the lots")
        changes.append(HistoryChange(gettext("What it was drawn from"), "", after))
    return tuple(changes)


OTHER_PARTS: Final = (
    (gettext_lazy("other clubs or towns"), ("labels", "label")),
    (gettext_lazy("pairs kept apart more or less strictly"), ("apart",)),
    (gettext_lazy("turns at short tables that count more or less"), ("meetings_first",)),
    (gettext_lazy("other points"), ("score", "unknown")),
    (gettext_lazy("other rounds before"), ("played",)),
)
"""What else a draw can be made from, by the keys of the draw file and of its players."""


def _parts(groups: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> list[Any]:
    """What the draws of groups have under these keys, and what their players have, by their ids."""
    people = [player for group in groups for player in group.get("players", ())]
    return [
        part.get(key) for key in keys for part in (*groups, *sorted(people, key=itemgetter("id")))
    ]


def _without_lots(groups: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What draws were made from, but for their seeds: each draw has its own."""
    return [
        {key: part for key, part in group.items() if key not in ("seed", "design")}
        for group in groups
    ]


People = frozenset[str]


def _apart(groups: Sequence[Mapping[str, Any]]) -> set[People]:
    """The pairs of entries that a draw kept apart."""
    return {frozenset(pair[:2]) for group in groups for pair in group.get("apart", ())}


def _players(groups: Sequence[Mapping[str, Any]]) -> set[People]:
    """The entries that a draw seated."""
    return {frozenset((player["id"],)) for group in groups for player in group.get("players", ())}


def _pair_words(pairs: Collection[People], names: HistoryNames, *, named: bool) -> str:
    if not named and pairs:
        return ngettext("%(count)d pair", "%(count)d pairs", len(pairs)) % {"count": len(pairs)}
    return ", ".join(sorted((" – ".join(_names(pair, names)) for pair in pairs), key=name_key))


def _player_words(players: Collection[People], names: HistoryNames, *, named: bool) -> str:
    if not named and players:
        return ngettext("%(count)d player", "%(count)d players", len(players)) % {
            "count": len(players)
        }
    return ", ".join(
        sorted((name for player in players for name in _names(player, names)), key=name_key)
    )


def _names(people: People, names: HistoryNames) -> list[str]:
    return sorted((names.entries.get(entry, gettext("somebody")) for entry in people), key=name_key)


def _line(
    entry: HistoryEntry,
    kind: HistoryKind,
    title: str,
    changes: tuple[HistoryChange, ...],
    row: HistoryRound | None = None,
) -> HistoryLine:
    return HistoryLine(
        entry.position, entry.at, kind, title, changes, entry.reason, entry.role, row
    )


def _attempt(row: HistoryRound) -> Attempt:
    return (row.stage, row.number)


def _sides(entry: HistoryEntry) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The settings that an entry changed, before and after; none where it tells of something
    else."""
    return entry.payload.get("before", {}), entry.payload.get("after", {})
