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
    EVENT_RESUMED = "event_resumed", gettext_lazy("the event was resumed after its end")


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
        """Return the role of the person who acted, in words."""
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


RoundKey = tuple[str, int]
"""The public id of a stage, and the number of one of its rounds, which can be drawn several
times."""
SETTINGS: Final = {name: marks.history for name, marks in marks_of(Stage).items() if marks.history}
"""Labels of the settings of a stage that can change once it has started."""
OPEN_SETTINGS: Final = ("scoring", "tie_breaks", "label_best")
"""Settings whose change is a line of the history even while the event runs."""


@dataclass(slots=True)
class Course:
    """The state of an event at an entry of its log. `started`: the public ids of its stages;
    `drawn`: those of its rounds; `roles`: the roles of the people who requested rounds, by the
    round; `taken_back`: the rounds of each number that were taken back so far."""

    finished: bool = False
    cancelled: bool = False
    started: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    roles: dict[str, str] = field(default_factory=dict)
    taken_back: defaultdict[RoundKey, list[str]] = field(default_factory=lambda: defaultdict(list))

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


def rounds_drawn_again(
    entries: Iterable[HistoryEntry], rounds: Mapping[str, HistoryRound]
) -> set[str]:
    """Return the public ids of all rounds that share their stage and number with another drawn
    round, so that their draws are compared."""
    ids_by_round: defaultdict[RoundKey, set[str]] = defaultdict(set)
    for entry in entries:
        if entry.action == RoundAction.DRAWN and entry.subject in rounds:
            ids_by_round[_round_key(rounds[entry.subject])].add(entry.subject)
    repeated = [ids for ids in ids_by_round.values() if len(ids) > 1]
    return set().union(*repeated)


def history_lines(entries: Sequence[HistoryEntry], names: HistoryNames) -> list[HistoryLine]:
    """Return the history of an event, the latest line first, from its log entries, which are given
    oldest first."""
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
    """Yield the lines of the history for a log entry, and bring `course` up to date with it."""
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
    settings_before, settings_after = _settings_before_and_after(entry)
    before = settings_before.get("status")
    after = settings_after.get("status")
    if after is None:
        return
    if (before, after) == (Event.Status.FINISHED, Event.Status.RUNNING):
        title = gettext("The event was resumed after its end")
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
        title = gettext("An entry that is no longer shown changed")
    yield _line(entry, HistoryKind.ENTRY_CHANGED, title, tuple(changes))


def _replaced_name(player: str | None, names: HistoryNames) -> str:
    if not player:
        return gettext("nobody else")
    return names.players.get(player, "")


def _round_lines(
    entry: HistoryEntry, course: Course, names: HistoryNames, published: Collection[str]
) -> Iterator[HistoryLine]:
    history_round = names.rounds[entry.subject]
    taken_back_before = course.taken_back[_round_key(history_round)]
    match entry.action:
        case RoundAction.ASKED:
            course.roles[entry.subject] = entry.role
        case RoundAction.DRAWN:
            course.drawn.add(entry.subject)
            if taken_back_before:
                yield _drawn_again_line(entry, course, names, published)
        case RoundAction.CHANGED if entry.subject in published:
            title = gettext("Draw of round %(number)d of “%(stage)s” changed by hand")
            yield _line(
                entry,
                HistoryKind.ROUND_CHANGED,
                title % _round_placeholders(history_round),
                (),
                history_round,
            )
        case RoundAction.TAKEN_BACK if history_round.undrawn or entry.subject in course.drawn:
            taken_back_before.append(history_round.public_id)
            yield _taken_back_line(
                entry, history_round, is_public=history_round.public_id in published
            )


def _drawn_again_line(
    entry: HistoryEntry, course: Course, names: HistoryNames, published: Collection[str]
) -> HistoryLine:
    history_round = names.rounds[entry.subject]
    taken_back_before = course.taken_back[_round_key(history_round)]
    template = gettext("Round %(number)d of “%(stage)s” drawn again: attempt %(attempt)d")
    title = template % {**_round_placeholders(history_round), "attempt": 1 + len(taken_back_before)}
    changes = draw_changes(taken_back_before[-1], history_round.public_id, names, published)
    # The job that drew has no role: the line names the person who requested the round.
    requested = entry._replace(payload={"role": course.roles.get(entry.subject, "")}, reason="")
    return _line(requested, HistoryKind.ROUND_DRAWN_AGAIN, title, changes, history_round)


def _taken_back_line(
    entry: HistoryEntry, history_round: HistoryRound, *, is_public: bool
) -> HistoryLine:
    title = gettext("Round %(number)d of “%(stage)s” taken back") % _round_placeholders(
        history_round
    )
    games_played = entry.payload.get("games", 0)
    status_before = _status_with_games(games_played, is_public=is_public)
    change = HistoryChange(gettext("Status"), status_before, gettext("taken back"))
    line = _line(entry, HistoryKind.ROUND_TAKEN_BACK, title, (change,), history_round)
    return replace(line, readable=is_public)


def _round_placeholders(row: HistoryRound) -> dict[str, Any]:
    return {"number": row.number, "stage": row.stage_name}


def _status_with_games(games_played: int, *, is_public: bool) -> str:
    if not is_public:
        return gettext("drawn, not published")
    words = gettext("published")
    if not games_played:
        return words
    played = ngettext("%(count)d game played", "%(count)d games played", games_played) % {
        "count": games_played
    }
    return f"{words}, {played}"


def draw_changes(
    earlier: str, later: str, names: HistoryNames, published: Collection[str]
) -> tuple[HistoryChange, ...]:
    """Return the differences between the inputs of two draws of a round, which are named by the
    rounds' public ids. Players are named only if the draw that seats them is public; otherwise they
    are counted."""
    inputs_before = names.draws.get(earlier, ())
    inputs_after = names.draws.get(later, ())
    if not inputs_before or not inputs_after:
        return ()

    changes = []
    for label, groups_in, describe in (
        (gettext("Kept apart"), _pairs_apart, _pair_words),
        (gettext("Players"), _players, _player_words),
    ):
        removed = groups_in(inputs_before) - groups_in(inputs_after)
        added = groups_in(inputs_after) - groups_in(inputs_before)
        if removed or added:
            before = describe(removed, names, named=earlier in published)
            after = describe(added, names, named=later in published)
            changes.append(HistoryChange(label, before, after))

    sizes_before = _setting_words("sizes", inputs_before[0].get("sizes", []))
    sizes_after = _setting_words("sizes", inputs_after[0].get("sizes", []))
    if sizes_before != sizes_after:
        changes.append(HistoryChange(gettext("Table sizes"), sizes_before, sizes_after))

    if not changes:
        label = gettext("What it was drawn from")
        changes.append(HistoryChange(label, "", _other_difference(inputs_before, inputs_after)))
    return tuple(changes)


DrawInputs = Sequence[Mapping[str, Any]]
"""The inputs of a round's draws, as JSON, group by group."""


def _other_difference(old: DrawInputs, new: DrawInputs) -> str:
    """Return in words what else differs between two draws with the same players, pairs and
    sizes."""
    if old == new:
        return gettext("the same, so the tables are the same")
    if _without_seeds(old) == _without_seeds(new):
        return gettext("the same, except for the lots")
    differing = [
        words
        for words, keys in OTHER_PARTS
        if _compared_values(old, keys) != _compared_values(new, keys)
    ]
    return ", ".join(map(str, differing)) or gettext("something else")


OTHER_PARTS: Final = (
    (gettext_lazy("different clubs or towns"), ("labels", "label")),
    (gettext_lazy("pairs kept apart more or less strictly"), ("apart",)),
    (gettext_lazy("turns at short tables counted more or less"), ("meetings_first",)),
    (gettext_lazy("different points"), ("score", "unknown")),
    (gettext_lazy("different earlier rounds"), ("played",)),
)
"""Words for other differences of draws, with the keys of the draw file and of its players."""


def _compared_values(groups: DrawInputs, keys: Sequence[str]) -> list[Any]:
    players = [player for group in groups for player in group.get("players", ())]
    records = [*groups, *sorted(players, key=itemgetter("id"))]
    return [part.get(key) for key in keys for part in records]


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
    """Return the sorted names; “somebody” for entries that the reader may not see."""
    entry_names = [names.entries.get(entry, gettext("somebody")) for entry in entries]
    return sorted(entry_names, key=name_key)


def _line(
    entry: HistoryEntry,
    kind: HistoryKind,
    title: str,
    changes: tuple[HistoryChange, ...],
    history_round: HistoryRound | None = None,
) -> HistoryLine:
    return HistoryLine(
        position=entry.position,
        at=entry.at,
        kind=kind,
        title=title,
        changes=changes,
        reason=entry.reason,
        role=entry.role,
        stage_round=history_round,
    )


def _round_key(row: HistoryRound) -> RoundKey:
    return (row.stage, row.number)


def _settings_before_and_after(entry: HistoryEntry) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return entry.payload.get("before", {}), entry.payload.get("after", {})
