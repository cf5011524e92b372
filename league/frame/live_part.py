"""Live parts of pages: what has changed is rendered once for each version and language, and sent with the event itself,
so that a thousand readers ask for nothing.

A `Part` is made of pieces, elements with ids. After each notice one small query tells what the thing has come to; what
that leaves as it was isn't rendered again, and what is as it was then isn't sent again. All of this is done by one
thread of the process, so that the event loop never waits, and only for what somebody watches. However many notices come
meanwhile, the next look is one.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import psycopg
import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import close_old_connections, connections
from django.db.utils import Error
from django.utils import translation
from psycopg.rows import TupleRow

from league.frame.live import RECONNECT_SECONDS, Reader, Topic
from league.frame.unchanged import LIVE

log = structlog.get_logger(__name__)

EVERYBODY: Final = ""
"""`Look.seen_by` of what everybody may see."""
LOOK_AROUND_SECONDS: Final = 15
"""After so long it is looked at what is watched, for what nobody tells."""
TURNS_KEPT: Final = 64
"""Versions of which it is known what has changed since: who comes back with an older one gets the whole part."""
KEYS_KEPT: Final = 10_000
Audience: TypeAlias = tuple[Any, ...]
"""All that the signed address says of who has it, beside key and language."""


class Look(NamedTuple):
    """What a thing that can be watched has come to. `version` goes with everything that its part shows, and `pieces`
    holds the version of each piece. `seen_by` changes with whoever may see it. `ranking`: notices of that concern it,
    too."""

    version: str
    seen_by: str
    pieces: Mapping[str, str]
    ranking: int | None


class Part(ABC):
    """A part of a page that can be watched; its methods ask the database."""

    around: ClassVar[tuple[str, str]] = (f'<div id="{LIVE}">', "</div>")
    """The tags of the element that holds the pieces."""

    @abstractmethod
    def look(self, key: str) -> Look:
        """Read what a thing has come to, by one small query. Raises `ObjectDoesNotExist`."""

    @abstractmethod
    def may_see(self, key: str, *audience: Any) -> bool:
        """True if who has such an address may see the thing still, which isn't everybody's."""

    @abstractmethod
    def facts(self, key: str, names: Collection[str]) -> Any:
        """Read what these pieces show."""

    @abstractmethod
    def render(self, facts: Any, names: Iterable[str]) -> dict[str, str]:
        """Render pieces in the language that is active."""

    def whole(self, key: str, look: Look) -> str:
        """The element with all of its pieces, as a page shows it."""
        return self.joined(self.render(self.facts(key, look.pieces), look.pieces))

    def joined(self, pieces: Mapping[str, str]) -> str:
        """The element that holds these pieces."""
        before, after = self.around
        return f"{before}{''.join(pieces.values())}{after}"


class Piece(NamedTuple):
    """A piece as it was rendered for a version of it, and the turn in which it became so."""

    version: str
    html: str
    turn: int


class Edition(NamedTuple):
    """The part in one language; `since`: the turn from which on it has these pieces."""

    pieces: dict[str, Piece]
    since: int


class Reading(NamedTuple):
    """What a look at a thing brought. `refused`: of the audiences that were asked about, those who may see nothing."""

    look: Look | None
    turn: int
    editions: dict[str, Edition]
    asked: frozenset[Audience]
    refused: frozenset[Audience]


@dataclass(slots=True)
class Watch:
    """A thing that somebody watches. `turn` counts the versions that were seen of it, and `turns` has the last ones;
    `events` are those that were sent in this turn, by language and the turn that a reader had."""

    look: Look | None = None
    turn: int = 0
    turns: dict[str, int] = field(default_factory=dict)
    editions: dict[str, Edition] = field(default_factory=dict)
    events: dict[tuple[str, int], bytes] = field(default_factory=dict)
    due: bool = False
    task: asyncio.Task[None] | None = None


class PartTopic(Topic):
    """Streams of a `Part`: `/live/<name>/<signed>`, in which is signed the key, the language, and for whom it is."""

    part: ClassVar[Part]
    ranking_channel: ClassVar[str]
    """The channel that tells of rankings; the notices of all others begin with what `key_of` knows."""
    thread: ClassVar[ThreadPoolExecutor] = ThreadPoolExecutor(1, "live")

    def __init__(self) -> None:
        super().__init__()
        self.watches: dict[Hashable, Watch] = {}
        self.keys: dict[str, Hashable | None] = {}
        self.looked_at = monotonic()
        self.tasks: set[asyncio.Task[None]] = set()

    def key_of(self, subject: str) -> str | None:
        """Read of which thing a notice tells; None for no such thing. It never changes."""
        raise NotImplementedError

    async def join(self, reader: Reader) -> bool:
        """Count a reader in, and wait until it is known whether what is there may be seen."""
        await super().join(reader)
        self.watches.setdefault(reader.key, Watch())
        self.ask(reader.key)
        while reader.allowed is None:
            await reader.awake.wait()
            reader.awake.clear()
        return reader.allowed

    def leave(self, reader: Reader) -> None:
        """Forget a reader, and what nobody watches any more."""
        super().leave(reader)
        if reader.key not in self.readers:
            self.watches.pop(reader.key, None)
        if not self.watches:
            self.thread.submit(connections.close_all)

    def hear(self, channel: str, payload: str) -> None:
        """Look at what a notice tells of, if somebody watches it."""
        subject = payload.partition(":")[0]
        if not self.watches:
            return
        if channel == self.ranking_channel:
            self._ask_all(key for key, watch in self.watches.items() if watch.look and _follows(watch.look, subject))
        elif subject in self.keys:
            self.ask(self.keys[subject])
        else:
            self._spawn(self._ask_about(subject))

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Look at all that is watched."""
        self._ask_all(self.watches)

    def look_around(self) -> None:
        """Look at all that is watched, now and then."""
        if monotonic() - self.looked_at >= LOOK_AROUND_SECONDS:
            self.looked_at = monotonic()
            self._ask_all(self.watches)

    def ask(self, key: Hashable | None) -> None:
        """Let a thing be looked at, if somebody watches it: soon, and once for all who ask until then."""
        watch = self.watches.get(key)
        if watch is not None:
            watch.due = True
            if watch.task is None:
                watch.task = self._spawn(self._look(key, watch))

    def _ask_all(self, keys: Iterable[Hashable]) -> None:
        for key in list(keys):
            self.ask(key)

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("live.failed", exc_info=error)

    async def _ask_about(self, subject: str) -> None:
        """Find out of which thing a notice tells, and look at that."""
        if len(self.keys) >= KEYS_KEPT:
            self.keys.clear()
        self.keys[subject] = await self._in_thread(self.key_of, subject)
        self.ask(self.keys[subject])

    async def _look(self, key: Hashable, watch: Watch) -> None:
        """Look at a thing until nobody has asked meanwhile, and tell its readers."""
        try:
            while watch.due and self.watches.get(key) is watch:
                watch.due = False
                readers = [(reader.about, reader.allowed) for reader in self.readers.get(key, ())]
                self._take(key, watch, await self._in_thread(self._read, key, watch, readers))
        finally:
            watch.task = None

    async def _in_thread(self, work: Any, *arguments: Any) -> Any:
        """What some work gives that asks the database, which is tried until it answers."""
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(self.thread, _connected, work, *arguments)
            except (Error, OSError) as error:
                log.warning("live.retry", error=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)

    def _read(self, key: str, watch: Watch, readers: Collection[tuple[Audience, bool | None]]) -> Reading:
        """Read what a thing has come to, and render what isn't rendered of it yet in the languages of its readers."""
        audiences = frozenset(about for about, _ in readers)
        try:
            look = self.part.look(key)
        except ObjectDoesNotExist:
            return Reading(None, watch.turn, {}, audiences, audiences)
        same_eyes = watch.look is not None and watch.look.seen_by == look.seen_by
        doubtful = [about for about, allowed in readers if not (same_eyes and allowed)]
        refused = frozenset(
            about for about in set(doubtful) if look.seen_by != EVERYBODY and not self.part.may_see(key, *about[1:])
        )
        turn = watch.turn + (watch.look is None or watch.look.version != look.version)
        languages = {about[0] for about in audiences - refused}
        return Reading(look, turn, self._editions(key, watch, look, turn, languages), audiences, refused)

    def _editions(self, key: str, watch: Watch, look: Look, turn: int, languages: set[str]) -> dict[str, Edition]:
        """The part in each of these languages; the facts are read once for all of them."""
        former = {language: watch.editions.get(language, Edition({}, 0)) for language in languages}
        stale = {
            language: [name for name, version in look.pieces.items() if _version(edition, name) != version]
            for language, edition in former.items()
        }
        names = set().union(*stale.values())
        facts = self.part.facts(key, names) if names else None
        editions = {}
        for language, edition in former.items():
            with translation.override(language):
                fresh = self.part.render(facts, stale[language]) if stale[language] else {}
            pieces = {
                name: _piece(edition.pieces.get(name), version, fresh.get(name), turn)
                for name, version in look.pieces.items()
            }
            same = list(pieces) == list(edition.pieces)
            editions[language] = Edition(pieces, edition.since if same else turn)
        return editions

    def _take(self, key: Hashable, watch: Watch, reading: Reading) -> None:
        """Keep what a look brought, and wake the readers."""
        if reading.turn != watch.turn and reading.look is not None:
            watch.turns[reading.look.version] = reading.turn
            for version in list(watch.turns)[:-TURNS_KEPT]:
                del watch.turns[version]
            watch.events = {}
        watch.look, watch.turn, watch.editions = reading.look, reading.turn, reading.editions
        for reader in self.readers.get(key, ()):
            if reader.about in reading.asked:
                reader.allowed = reader.about not in reading.refused
        self.wake(key)

    def news(self, reader: Reader) -> bytes:
        """An event with the pieces that have changed since the reader's last one, or with the whole part."""
        watch = self.watches[reader.key]
        if watch.look is None or not reader.allowed or reader.about[0] not in watch.editions:
            return b""
        if reader.turn is None:
            reader.turn = watch.turns.get(reader.shown, -1)
        if reader.turn >= watch.turn:
            return b""
        place = (reader.about[0], reader.turn)
        if place not in watch.events:
            watch.events[place] = self._event(watch.look.version, watch.editions[place[0]], reader.turn)
        reader.turn = watch.turn
        return watch.events[place]

    def _event(self, version: str, edition: Edition, turn: int) -> bytes:
        if turn < edition.since:
            parts = {LIVE: self.part.joined({name: piece.html for name, piece in edition.pieces.items()})}
        else:
            parts = {name: piece.html for name, piece in edition.pieces.items() if piece.turn > turn}
        data = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        return f"id: {version}\nevent: part\ndata: {data}\n\n".encode() if parts else b""


def _connected(work: Any, *arguments: Any) -> Any:
    """What some work gives, with a connection to the database that is alive, as a request has it."""
    close_old_connections()
    try:
        return work(*arguments)
    finally:
        close_old_connections()


def _follows(look: Look, ranking: str) -> bool:
    return str(look.ranking) == ranking


def _version(edition: Edition, name: str) -> str | None:
    piece = edition.pieces.get(name)
    return piece.version if piece else None


def _piece(former: Piece | None, version: str, html: str | None, turn: int) -> Piece:
    """A piece as it is now; one that was rendered the same again hasn't changed."""
    if former and html in (None, former.html):
        return former._replace(version=version)
    return Piece(version, html or "", turn)
