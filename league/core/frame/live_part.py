"""Live parts of pages: what has changed is rendered once for each version and language, and sent with the event itself,
so that a thousand readers ask for nothing.

A part is made of pieces, elements with ids. After each notice one small query tells what the thing has come to; a piece
that is as it was is neither rendered nor sent again. One thread of the process does this for all that somebody watches,
so that the event loop never waits; however many notices come meanwhile, the next look is one.
"""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import Collection, Coroutine, Hashable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple
from zoneinfo import ZoneInfo

import psycopg
import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import close_old_connections, connections
from django.db.utils import Error
from django.template.loader import render_to_string
from django.utils import timezone, translation
from psycopg.rows import TupleRow

from league.core.frame.live import RECONNECT_SECONDS, StreamReader, Topic
from league.core.frame.unchanged import LIVE
from league.core.snapshot import snapshot

log = structlog.get_logger(__name__)
THREAD: Final = ThreadPoolExecutor(1, "live")


class Look(NamedTuple):
    """What a thing that can be watched has come to: `version` goes with all that its part shows, and `pieces` has that
    of each piece. `eyes` changes whenever others may see it than before: addresses of before are good no more."""

    version: str
    eyes: str
    pieces: Mapping[str, str]


class Facts(NamedTuple):
    """What pieces show: the template and the context of each, and the zone of their times."""

    zone: str
    pieces: Mapping[str, tuple[str, Mapping[str, Any]]]


class Piece(NamedTuple):
    """A piece as it was rendered for a version of it, and the turn in which it became so."""

    version: str
    html: str
    turn: int


class Edition(NamedTuple):
    """The part in one language; `since`: the turn from which on it has these pieces."""

    pieces: dict[str, Piece]
    since: int


@dataclass(slots=True)
class Watch:
    """A thing that somebody watches. `turn` counts the versions seen of it; `editions` are by language, and so are the
    `events` of this turn, with the turn that a reader had."""

    look: Look | None = None
    turn: int = 0
    editions: dict[str, Edition] = field(default_factory=dict)
    events: dict[tuple[str, int], bytes] = field(default_factory=dict)
    pending: bool = False
    task: asyncio.Task[None] | None = None


class PartTopic(Topic):
    """Streams of a part, `/live/<name>/<signed>`: signed are the key, the language, and the `Look.eyes` of the page."""

    around: ClassVar[tuple[str, str]] = (f'<div id="{LIVE}">', "</div>")
    """The tags of the element that holds the pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.watches: dict[Hashable, Watch] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    @classmethod
    @abstractmethod
    def key_of(cls, subject: str) -> str | None:
        """Read of which thing a notice tells; None for no such thing."""

    @classmethod
    @abstractmethod
    def thing(cls, key: str) -> Any:
        """Read a thing that can be watched. Raises `ObjectDoesNotExist`."""

    @classmethod
    @abstractmethod
    def look(cls, thing: Any) -> Look:
        """Read what a thing has come to, by small queries."""

    @classmethod
    @abstractmethod
    def facts(cls, thing: Any, names: Collection[str]) -> Facts:
        """Read what these pieces show."""

    @classmethod
    def whole(cls, thing: Any, look: Look) -> str:
        """The part as a page shows it."""
        return cls.joined(render(cls.facts(thing, look.pieces), look.pieces).values())

    @classmethod
    def joined(cls, pieces: Iterable[str]) -> str:
        """The part made of its pieces."""
        return "".join([cls.around[0], *pieces, cls.around[1]])

    async def join(self, reader: StreamReader) -> bool:
        """Count a reader in, once it is known whether the address is still good."""
        await super().join(reader)
        self.watches.setdefault(reader.key, Watch())
        self.ask(reader.key)
        while reader.allowed is None:
            await reader.awake.wait()
            reader.awake.clear()
        return reader.allowed

    def leave(self, reader: StreamReader) -> None:
        """Forget a reader, and what nobody watches any more."""
        super().leave(reader)
        if reader.key not in self.readers:
            self.watches.pop(reader.key, None)
        if not self.watches:
            THREAD.submit(connections.close_all)

    def hear(self, channel: str, payload: str) -> None:
        """Look at what a notice tells of, if anybody watches."""
        if self.watches:
            self._spawn(self._ask_about(payload.partition(":")[0]))

    async def catch_up(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        """Look at all that is watched."""
        self.look_around()

    def look_around(self) -> None:
        """Look at all that is watched: nobody tells of a round that is published, or a game that is counted."""
        for key in list(self.watches):
            self.ask(key)

    def ask(self, key: Hashable | None) -> None:
        """Let a thing be looked at, if somebody watches it: soon, and once for all who ask until then."""
        watch = self.watches.get(key)
        if watch is not None:
            watch.pending = True
            watch.task = watch.task or self._spawn(self._follow(key, watch))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("live.failed", exc_info=error)

    async def _ask_about(self, subject: str) -> None:
        self.ask(await in_thread(self.key_of, subject))

    async def _follow(self, key: Hashable, watch: Watch) -> None:
        """Look at a thing until nobody has asked meanwhile, and tell its readers."""
        try:
            while watch.pending and self.watches.get(key) is watch:
                watch.pending = False
                readers = list(self.readers.get(key, ()))
                look, editions = await in_thread(self._read, key, watch, {reader.about[0] for reader in readers})
                if look is not None and (watch.look is None or watch.look.version != look.version):
                    watch.turn, watch.events = watch.turn + 1, {}
                watch.look, watch.editions = look, editions
                for reader in readers:
                    reader.allowed = look is not None and reader.about[1] == look.eyes
                self.wake(key)
        finally:
            watch.task = None

    def _read(self, key: str, watch: Watch, languages: set[str]) -> tuple[Look | None, dict[str, Edition]]:
        """Look at a thing, and render what isn't rendered of it yet; the facts are read once for all languages, and of
        the moment of the look: pieces that are newer than the version they go by would never be sent."""
        try:
            with snapshot():
                thing = self.thing(key)
                look = self.look(thing)
                turn = watch.turn + (watch.look is None or watch.look.version != look.version)
                former = {language: watch.editions.get(language, Edition({}, turn)) for language in languages}
                stale = {language: _stale(edition, look) for language, edition in former.items()}
                names = set().union(*stale.values())
                facts = self.facts(thing, names) if names else Facts("UTC", {})
        except ObjectDoesNotExist:
            return None, {}
        editions = {}
        for language, edition in former.items():
            with translation.override(language):
                fresh = render(facts, stale[language])
            pieces = {name: _piece(edition, name, look, fresh, turn) for name in look.pieces}
            editions[language] = Edition(pieces, edition.since if list(pieces) == list(edition.pieces) else turn)
        return look, editions

    def news(self, reader: StreamReader) -> bytes:
        """An event with the pieces that have changed since the reader's last one, or with the whole part."""
        watch, language = self.watches[reader.key], reader.about[0]
        if watch.look is None or language not in watch.editions:
            return b""
        if reader.turn is None:
            reader.turn = watch.turn if reader.version == watch.look.version else -1
        place, reader.turn = (language, reader.turn), watch.turn
        if place not in watch.events:
            watch.events[place] = self._event(watch.look.version, watch.editions[language], place[1])
        return watch.events[place]

    def _event(self, version: str, edition: Edition, turn: int) -> bytes:
        changed = {name: piece.html for name, piece in edition.pieces.items() if piece.turn > turn}
        if turn < edition.since:
            changed = {LIVE: self.joined([piece.html for piece in edition.pieces.values()])}
        data = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
        return f"id: {version}\nevent: part\ndata: {data}\n\n".encode() if changed else b""


def render(facts: Facts, names: Iterable[str]) -> dict[str, str]:
    """Render pieces in the language that is active, without the empty lines that templates leave."""
    with timezone.override(ZoneInfo(facts.zone)):
        texts = {name: render_to_string(facts.pieces[name][0], {**facts.pieces[name][1], "id": name}) for name in names}
    return {name: "\n".join(filter(None, text.split("\n"))) for name, text in texts.items()}


async def in_thread(work: Any, *arguments: Any) -> Any:
    """What some work gives that asks the database, which is tried until that answers."""

    def connected() -> Any:
        close_old_connections()
        try:
            return work(*arguments)
        finally:
            close_old_connections()

    while True:
        try:
            return await asyncio.get_running_loop().run_in_executor(THREAD, connected)
        except (Error, OSError) as error:
            log.warning("live.retry", error=type(error).__name__)
            await asyncio.sleep(RECONNECT_SECONDS)


def _stale(edition: Edition, look: Look) -> list[str]:
    """The pieces that aren't as they were rendered."""
    current = {name: piece.version for name, piece in edition.pieces.items()}
    return [name for name, version in look.pieces.items() if current.get(name) != version]


def _piece(edition: Edition, name: str, look: Look, fresh: Mapping[str, str], turn: int) -> Piece:
    """A piece as it is now; one that was rendered the same again hasn't changed."""
    former = edition.pieces.get(name)
    if former and fresh.get(name, former.html) == former.html:
        return former._replace(version=look.pieces[name])
    return Piece(look.pieces[name], fresh[name], turn)
