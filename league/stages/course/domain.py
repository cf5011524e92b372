"""The public history of an event: what was changed after it had been published, or had ended, and
why."""

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
    """The kinds of lines of the history."""

    ROUND_TAKEN_BACK = "round_taken_back", gettext_lazy("round taken back")
    ROUND_DRAWN_AGAIN = "round_drawn_again", gettext_lazy("round drawn again")
    ROUND_CHANGED = "round_changed", gettext_lazy("draw changed by hand")
    ENTRY_CHANGED = "entry_changed", gettext_lazy("entry changed")
    STAGE_CHANGED = "stage_changed", gettext_lazy("stage changed")
    EVENT_RESUMED = "event_resumed", gettext_lazy("the event went on after its end")


class HistoryChange(NamedTuple):
    """A value that changed, before and after, in words; one of them may be empty."""

    what: str
    before: str
    after: str


class HistoryRound(NamedTuple):
    """A round in the history. `undrawn`: its tables are published as they are set up."""

    public_id: str
    number: int
    stage: str
    stage_number: int
    stage_name: str
    undrawn: bool


class HistoryEntry(NamedTuple):
    """An entry of the log. `reason` is empty if the reader may not see it."""

    position: int
    action: str
    subject: str
    payload: Mapping[str, Any]
    reason: str
    at: datetime

    @property
    def role(self) -> str:
        """Return the role of the person who acted; empty if the log has none."""
        return str(self.payload.get("role", ""))


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A line of the history. `stage_round` is the round that it is about, if any; `readable`: the
    round was taken back, and stays readable because it had been published."""

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
        """Return who did it, as the words for their role."""
        return role_words(self.role)


@dataclass(frozen=True, slots=True)
class HistoryNames:
    """The names that lines mention: stages, entries and players by public id. Entries that the
    reader may not see are missing. `draws`: the inputs of a round's draws, group by group."""

    stages: Mapping[str, str]
    rounds: Mapping[str, HistoryRound]
    entries: Mapping[str, str]
    players: Mapping[str, str]
    draws: Mapping[str, Sequence[Mapping[str, Any]]]


Attempt = tuple[str, int]
"""A stage, by its public id, and the number of one of its rounds, which can be drawn several
times."""
SETTINGS: Final = {name: marks.history for name, marks in marks_of(Stage).items() if marks.history}
"""Labels of the settings of a stage that can change once it has started."""
OPEN_SETTINGS: Final = ("scoring", "tie_breaks", "label_best")
"""Settings whose change is a line of the history even while the event runs."""


@dataclass(slots=True)
class Course:
    """The state of an event at an entry of its log."""

    finished: bool = False
    cancelled: bool = False
    started: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    roles: dict[str, str] = field(default_factory=dict)
    retracted: defaultdict[Attempt, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def ended(self) -> bool:
        """Return True once the event has been finished or is cancelled: from then on every change
        is a line."""
        return self.finished or self.cancelled


def has_been_finished(entries: Iterable[HistoryEntry]) -> bool:
    """Return True if the log has an end of the event, even one that was undone."""
    over = (Event.Status.FINISHED, Event.Status.CANCELLED)
    return any(
        entry.action == EventAction.CHANGED
        and _settings_before_and_after(entry)[1].get("status") in over
        for entry in entries
    )


def rounds_drawn_again(entries: Iterable[HistoryEntry], rounds: Mapping[str, HistoryRound]) -> set[str]:
    """Return the public ids of the rounds whose draws are compared: those of the same stage and
    number that were drawn more than once."""
    by_attempt: defaultdict[Attempt, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.action == RoundAction.DRAWN and entry.subject in rounds:
            by_attempt[_attempt(rounds[entry.subject])].add(entry.subject)
    repeated = [ids for ids in by_attempt.values() if len(ids) > 1]
    return set().union(*repeated)


def history_lines(entries: Sequence[HistoryEntry], names: HistoryNames) -> list[HistoryLine]:
    """Return the history of an event from its log entries, given oldest first; the latest line
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
    before, after = [side.get("status") for side in _settings_before_and_after(entry)]
    if after is None:
        return
    if (before, after) == (Event.Status.FINISHED, Event.Status.RUNNING):
        title = gettext("The event went on after its end")
        change = HistoryChange(
            gettext("Status"), str(Event.Status.FINISHED.label), str(Event.Status.RUNNING.label)
        )
        yield _line(entry, HistoryKind.EVENT_RESUMED, title, (change,))
    if after == Event.Status.FINISHED:
        course.finished = True
    course.cancelled = after == Event.Status.CANCELLED


def _stage_lines(entry: HistoryEntry, course: Course, names: HistoryNames) -> Iterator[HistoryLine]:
    if entry.payload.get("started") is False:
        course.started.discard(entry.subject)
    shown_settings: Collection[str] = ()
    if course.ended:
        shown_settings = SETTINGS
    elif entry.subject in course.started:
        shown_settings = OPEN_SETTINGS

    before, after = _settings_before_and_after(entry)
    changes = []
    for name, label in SETTINGS.items():
        if name in shown_settings and name in before and name in after:
            changes.append(
                HistoryChange(
                    str(label),
                    _setting_words(name, before[name]),
                    _setting_words(name, after[name]),
                )
            )
    if changes:
        title = gettext("Settings of “%(stage)s” changed") % {
            "stage": names.stages.get(entry.subject, "")
        }
        yield _line(entry, HistoryKind.STAGE_CHANGED, title, tuple(changes))


def _yes_or_no(value: Any) -> str:
    return gettext("yes") if value else gettext("no")


def _setting_words(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return _yes_or_no(value)
    if name == "tie_breaks":
        return ", ".join(_tie_break_label(key) for key in value)
    if name == "scoring":
        return str(StageScoring(value).label)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def _tie_break_label(key: Any) -> str:
    if key not in TIE_BREAKS:
        return str(key)
    return TIE_BREAKS[key].label.translated(gettext)


def _entry_lines(entry: HistoryEntry, names: HistoryNames) -> Iterator[HistoryLine]:
    before, after = _settings_before_and_after(entry)
    changes = []
    if "guest" in after:
        changes.append(
            HistoryChange(gettext("Guest"), _yes_or_no(before["guest"]), _yes_or_no(after["guest"]))
        )
    if "substitutes" in after:
        changes.append(
            HistoryChange(
                gettext("Plays for"),
                _replaced_name(before["substitutes"], names),
                _replaced_name(after["substitutes"], names),
            )
        )
    if not changes:
        return
    if entry.subject in names.entries:
        title = gettext("Entry of %(name)s changed") % {"name": names.entries[entry.subject]}
    else:
        title = gettext("An entry that isn’t shown any more changed")
    yield _line(entry, HistoryKind.ENTRY_CHANGED, title, tuple(changes))


def _replaced_name(player: str | None, names: HistoryNames) -> str:
    if not player:
        return gettext("nobody else")
    return names.players.get(player, "")


def _round_lines(
    entry: HistoryEntry, course: Course, names: HistoryNames, published: Collection[str]
) -> Iterator[HistoryLine]:
    row = names.rounds[entry.subject]
    earlier = course.retracted[_attempt(row)]
    match entry.action:
        case RoundAction.ASKED:
            course.roles[entry.subject] = entry.role
        case RoundAction.DRAWN:
            course.drawn.add(entry.subject)
            if earlier:
                yield _drawn_again_line(entry, course, names, published)
        case RoundAction.CHANGED if entry.subject in published:
            title = gettext("Draw of round %(number)d of “%(stage)s” changed by hand")
            yield _line(entry, HistoryKind.ROUND_CHANGED, title % _place_of(row), (), row)
        case RoundAction.TAKEN_BACK if row.undrawn or entry.subject in course.drawn:
            earlier.append(row.public_id)
            yield _taken_back_line(entry, row, is_public=row.public_id in published)


def _drawn_again_line(
    entry: HistoryEntry, course: Course, names: HistoryNames, published: Collection[str]
) -> HistoryLine:
    row = names.rounds[entry.subject]
    earlier = course.retracted[_attempt(row)]
    words = gettext("Round %(number)d of “%(stage)s” drawn again: attempt %(attempt)d")
    title = words % {**_place_of(row), "attempt": 1 + len(earlier)}
    changes = draw_changes(earlier[-1], row.public_id, names, published)
    # The job that drew has no role: the line names the person who requested the round.
    requested = entry._replace(payload={"role": course.roles.get(entry.subject, "")}, reason="")
    return _line(requested, HistoryKind.ROUND_DRAWN_AGAIN, title, changes, row)


def _taken_back_line(entry: HistoryEntry, row: HistoryRound, *, is_public: bool) -> HistoryLine:
    title = gettext("Round %(number)d of “%(stage)s” taken back") % _place_of(row)
    before = _status_words(entry.payload.get("games", 0), is_public=is_public)
    change = HistoryChange(gettext("Status"), before, gettext("taken back"))
    line = _line(entry, HistoryKind.ROUND_TAKEN_BACK, title, (change,), row)
    return replace(line, readable=is_public)


def _place_of(row: HistoryRound) -> dict[str, Any]:
    return {"number": row.number, "stage": row.stage_name}


def _status_words(games: int, *, is_public: bool) -> str:
    if not is_public:
        return gettext("drawn, not published")
    words = gettext("published")
    if not games:
        return words
    played = ngettext("%(count)d game played", "%(count)d games played", games) % {"count": games}
    return f"{words}, {played}"


def draw_changes(
    earlier: str, later: str, names: HistoryNames, published: Collection[str]
) -> tuple[HistoryChange, ...]:
    """Return what differs between the inputs of two draws of a round. Players are named only if the
    draw that seats them is public; otherwise they are counted."""
    old = names.draws.get(earlier, ())
    new = names.draws.get(later, ())
    if not old or not new:
        return ()

    changes = []
    for label, groups_of_entries, words in (
        (gettext("Kept apart"), _pairs_apart, _pair_words),
        (gettext("Players"), _players, _player_words),
    ):
        removed = groups_of_entries(old) - groups_of_entries(new)
        added = groups_of_entries(new) - groups_of_entries(old)
        if removed or added:
            before = words(removed, names, named=earlier in published)
            after = words(added, names, named=later in published)
            changes.append(HistoryChange(label, before, after))

    old_sizes = _setting_words("sizes", old[0].get("sizes", []))
    new_sizes = _setting_words("sizes", new[0].get("sizes", []))
    if old_sizes != new_sizes:
        changes.append(HistoryChange(gettext("Table sizes"), old_sizes, new_sizes))

    if not changes:
        label = gettext("What it was drawn from")
        changes.append(HistoryChange(label, "", _other_difference(old, new)))
    return tuple(changes)


DrawInputs = Sequence[Mapping[str, Any]]
"""The inputs of a round's draws, as JSON, group by group."""


def _other_difference(old: DrawInputs, new: DrawInputs) -> str:
    if old == new:
        return gettext("the same, so that the tables are the same")
    if _without_seeds(old) == _without_seeds(new):
        return gettext("the same, but for the lots")
    differing = [words for words, keys in OTHER_PARTS if _parts(old, keys) != _parts(new, keys)]
    return ", ".join(map(str, differing)) or gettext("something else")


OTHER_PARTS: Final = (
    (gettext_lazy("other clubs or towns"), ("labels", "label")),
    (gettext_lazy("pairs kept apart more or less strictly"), ("apart",)),
    (gettext_lazy("turns at short tables that count more or less"), ("meetings_first",)),
    (gettext_lazy("other points"), ("score", "unknown")),
    (gettext_lazy("other rounds before"), ("played",)),
)
"""Words for other differences of draws, with the keys of the draw file and of its players."""


def _parts(groups: DrawInputs, keys: Sequence[str]) -> list[Any]:
    players = [player for group in groups for player in group.get("players", ())]
    parts = [*groups, *sorted(players, key=itemgetter("id"))]
    return [part.get(key) for key in keys for part in parts]


def _without_seeds(groups: DrawInputs) -> list[dict[str, Any]]:
    return [
        {key: part for key, part in group.items() if key not in ("seed", "design")}
        for group in groups
    ]


EntryIds = frozenset[str]
"""Public ids of entries: one, or a pair."""


def _pairs_apart(groups: Sequence[Mapping[str, Any]]) -> set[EntryIds]:
    return {frozenset(pair[:2]) for group in groups for pair in group.get("apart", ())}


def _players(groups: Sequence[Mapping[str, Any]]) -> set[EntryIds]:
    return {frozenset((player["id"],)) for group in groups for player in group.get("players", ())}


def _pair_words(pairs: Collection[EntryIds], names: HistoryNames, *, named: bool) -> str:
    if not named and pairs:
        return ngettext("%(count)d pair", "%(count)d pairs", len(pairs)) % {"count": len(pairs)}
    words = [" – ".join(_names(pair, names)) for pair in pairs]
    return ", ".join(sorted(words, key=name_key))


def _player_words(players: Collection[EntryIds], names: HistoryNames, *, named: bool) -> str:
    count = len(players)
    if not named and players:
        return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}
    words = [name for player in players for name in _names(player, names)]
    return ", ".join(sorted(words, key=name_key))


def _names(entries: EntryIds, names: HistoryNames) -> list[str]:
    entry_names = [names.entries.get(entry, gettext("somebody")) for entry in entries]
    return sorted(entry_names, key=name_key)


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


def _settings_before_and_after(entry: HistoryEntry) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return entry.payload.get("before", {}), entry.payload.get("after", {})
