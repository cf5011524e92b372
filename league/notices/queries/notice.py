"""Notices as somebody reads them: their words in the active language, their times in the club's zone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.core import signing
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from league.clubs.models import Player, User
from league.entries.models import Entry, EntryByMail
from league.events.models import Event
from league.log.models import LogHead, Reader, SetAside
from league.notices.models import EventMessage, Notice, NoticeSending
from league.notices.queries.announcement import told_of

OVERDUE: Final = timedelta(seconds=20)  # one that nobody has tried for so long lost its call
SALT: Final = "cups-up/stop-event-letters/1"
MOST: Final = 100
"""How many sendings are called for at a time: a push service that hangs takes a while for each."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words: what it says in a line, the rest, and the address of the page that it is about."""

    title: str
    body: str
    path: str


@dataclass(frozen=True, slots=True)
class ReadNotice:
    """A notice on its reader's page."""

    notice: Notice
    text: NoticeText


@dataclass(frozen=True, slots=True)
class Reached:
    """How many have a place in an event, and how many of them a message finds: by an account, or by the address with
    which they entered."""

    people: int
    found: int


@dataclass(frozen=True, slots=True)
class NoticeNames:
    """All that texts of several notices need of the database: names of players and messages, by public id."""

    names: Mapping[str, str]
    messages: Mapping[str, EventMessage]

    @staticmethod
    def of(notices: Collection[Notice]) -> NoticeNames:
        """Those of these notices, in two queries at most."""
        players = {player for notice in notices for player in notice.parameters.get("seats", ())}
        messages = {notice.subject for notice in notices if notice.occasion == Notice.Occasion.MESSAGE}
        rows = Player.objects.filter(public_id__in=players).values_list("public_id", "name") if players else ()
        found = EventMessage.objects.filter(public_id__in=messages) if messages else ()
        return NoticeNames(dict(rows), {message.public_id: message for message in found})


def notices_of_account(user: User) -> QuerySet[Notice]:
    """Read what an account was told, the latest first, with events and clubs."""
    return Notice.objects.filter(user=user).select_related("event__club", "club")


def read_notices(notices: Sequence[Notice]) -> list[ReadNotice]:
    """Notices with their words, in two queries at most."""
    words = NoticeNames.of(notices)
    return [ReadNotice(notice, notice_text(notice, words)) for notice in notices]


def notice_text(notice: Notice, words: NoticeNames | None = None) -> NoticeText:
    """A notice in the active language; without `words` they are asked for."""
    title, body, path = TEXTS[Notice.Occasion(notice.occasion)](notice, words or NoticeNames.of([notice]))
    return NoticeText(title, body, path)


TitleBodyPath = tuple[str, str, str]


def event_path(notice: Notice) -> str:
    """The address of the public page of a notice's event."""
    return reverse("event", args=[notice.club.slug, notice.event.slug])


def _entered(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    return gettext("You have a place: %(event)s") % _named(notice), _when_and_where(notice), event_path(notice)


def _waiting(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    text = gettext("You are number %(place)d. As soon as a place is free it is the next one’s, and you are told.")
    title = gettext("On the waiting list: %(event)s") % _named(notice)
    return title, text % {"place": notice.parameters.get("place", 1)}, event_path(notice)


def _moved_up(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("A place is yours now: %(event)s") % _named(notice)
    text = gettext("You can’t come? Withdraw, and the next one gets the place.")
    return title, f"{_when_and_where(notice)} {text}", event_path(notice)


def _withdrawn(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Your entry is withdrawn: %(event)s") % _named(notice)
    text = gettext("An organiser of the club has withdrawn it. Ask them if you didn’t expect that.")
    return title, f"{_when_and_where(notice)} {text}", event_path(notice)


def _changed(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    before, after = notice.parameters["before"], notice.parameters["after"]
    lines = []
    for name, label in CHANGED.items():
        if name in after:
            was, now = _said(notice, name, before[name]), _said(notice, name, after[name])
            lines.append(str(label) % {"now": now, "before": was})
    return gettext("Changed: %(event)s") % _named(notice), " ".join(lines), event_path(notice)


def _cancelled(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    return gettext("Cancelled: %(event)s") % _named(notice), _when_and_where(notice), event_path(notice)


def _table(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    it = notice.parameters
    title = gettext("Round %(round)d: table %(place)s") % {"round": it["round"], "place": it["place"]}
    seats = [words.names.get(player, "–") for player in it["seats"]]
    others = [name for player, name in zip(it["seats"], seats, strict=True) if player != it["own"]]
    lines = [f"{notice.event.name}, {it['stage']}."]
    if it["starts_at"]:
        lines.append(gettext("It begins: %(when)s.") % {"when": _shown(notice, it["starts_at"])})
    lines.append(gettext("With %(names)s.") % {"names": ", ".join(others)})
    lines.append(
        gettext("You open.") if it["seats"][0] == it["own"] else gettext("%(name)s opens.") % {"name": seats[0]}
    )
    return title, " ".join(lines), reverse("table", args=[it["table"]])


def _taken_back(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Round %(round)d is taken back") % {"round": notice.parameters["round"]}
    text = gettext("%(event)s: your table no longer holds. Wait for the new draw.") % _named(notice)
    return title, text, event_path(notice)


def _stage_finished(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("%(stage)s is finished") % {"stage": notice.parameters["stage"]}
    return title, f"{notice.event.name}. {_rank(notice)}".strip(), event_path(notice)


def _finished(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    return gettext("%(event)s is over") % _named(notice), _rank(notice), event_path(notice)


def _message(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    message = words.messages.get(notice.subject)
    if message is None or not message.text:
        return gettext("A message: %(event)s") % _named(notice), gettext("It is no longer kept."), event_path(notice)
    return message.subject, message.text, event_path(notice)


def _named(notice: Notice) -> dict[str, str]:
    return {"event": notice.event.name}


def _when_and_where(notice: Notice) -> str:
    """Begin and place of the event, as they are now."""
    begins = _shown(notice, notice.event.starts_at.isoformat())
    return f"{begins}, {notice.event.venue}." if notice.event.venue else f"{begins}."


def _rank(notice: Notice) -> str:
    """Read where somebody finished, if that is known."""
    it = notice.parameters
    if "rank" not in it:
        return ""
    if it.get("group"):
        return str(gettext("Your rank in group %(group)s: %(rank)d of %(count)d.") % it)
    return str(gettext("Your rank: %(rank)d of %(count)d.") % it)


def _said(notice: Notice, name: str, value: str | None) -> str:
    """Read what was said of an event under this name, as it is read; a dash for nothing."""
    if not value:
        return "–"
    return value if name == "venue" else _shown(notice, value)


def _shown(notice: Notice, moment: str) -> str:
    """A time, as it is stored, in the club's zone."""
    return date_format(datetime.fromisoformat(moment).astimezone(ZoneInfo(notice.club.timezone)), "DATETIME_FORMAT")


CHANGED: Final = {
    "starts_at": gettext_lazy("It begins %(now)s (before: %(before)s)."),
    "ends_at": gettext_lazy("It ends %(now)s (before: %(before)s)."),
    "venue": gettext_lazy("The place: %(now)s (before: %(before)s)."),
}
"""What is said of each thing that can change."""
TEXTS: Final[dict[Notice.Occasion, Callable[[Notice, NoticeNames], TitleBodyPath]]] = {
    Notice.Occasion.ENTERED: _entered,
    Notice.Occasion.WAITING: _waiting,
    Notice.Occasion.MOVED_UP: _moved_up,
    Notice.Occasion.WITHDRAWN: _withdrawn,
    Notice.Occasion.CHANGED: _changed,
    Notice.Occasion.CANCELLED: _cancelled,
    Notice.Occasion.TABLE: _table,
    Notice.Occasion.TAKEN_BACK: _taken_back,
    Notice.Occasion.STAGE_FINISHED: _stage_finished,
    Notice.Occasion.FINISHED: _finished,
    Notice.Occasion.MESSAGE: _message,
}


def letters_token(asked: EntryByMail) -> str:
    """Read what the address in a letter carries, by which who entered by mail stops the letters of an event."""
    return signing.dumps(asked.pk, salt=SALT)


def asked_by_letter(token: str) -> EntryByMail:
    """The entry by mail of such an address, with its event. Raises `EntryByMail.DoesNotExist`."""
    try:
        asked = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise EntryByMail.DoesNotExist from error
    return EntryByMail.objects.select_related("event").get(pk=asked)


def reached(event: Event) -> Reached:
    """Read whom a message to all who have a place in an event reaches."""
    entries = Entry.objects.filter(event=event, status=Entry.Status.ENTERED)
    return Reached(entries.count(), told_of(entries).count())


def messages_of(event: Event) -> list[EventMessage]:
    """Read what organisers wrote to all who have a place in an event, the latest first, with who wrote it."""
    return list(EventMessage.objects.filter(event=event).exclude(text="").select_related("sent_by"))


def clubs_waiting(reader: str) -> list[int]:
    """Clubs, by id, whose log the reader of notices hasn't read to its end, or that has set something aside."""
    heads = LogHead.objects.values_list("club", "position")
    read = dict(Reader.objects.filter(name=reader).values_list("club", "position"))
    due = set(SetAside.objects.filter(reader=reader, due_at__lte=Now()).values_list("club", flat=True))
    return [club for club, position in heads.order_by("club") if position > read.get(club, 0) or club in due]


def sendings_waiting() -> list[tuple[int, str]]:
    """The ids and channels of sendings that should have been tried by now, the longest due first."""
    overdue = NoticeSending.objects.filter(state=NoticeSending.State.WAITING, due_at__lt=Now() - OVERDUE)
    return list(overdue.order_by("due_at").values_list("pk", "channel")[:MOST])
