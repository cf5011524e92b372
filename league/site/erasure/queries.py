"""Finding the name of a player who is to be erased, in everything that people wrote in a club."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from re import Pattern
from typing import Any, Final

from django.db.models import Model, Q, QuerySet, Value
from django.db.models.functions import Coalesce, Concat, Lower
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy

from games.models import Game, Seat, Void
from league.core.club.models import Club
from league.core.key.models import ApiKey
from league.core.log.columns import columns_of
from league.core.log.erasure import names_beside
from league.core.log.models import LogEntry
from league.core.log.texts import naming
from league.core.player.models import Handle, Player
from league.core.player.queries.player import one_person, words_of
from league.disputes.agreement.models import Proposal
from league.disputes.appeal.models import Appeal
from league.disputes.hearing.models import Hearing
from league.disputes.objection.models import Objection
from league.disputes.ruling.models import Ruling
from league.disputes.statement.models import Evidence, Statement
from league.disputes.statement.queries.statement import CLUB as STATEMENT_CLUB
from league.disputes.statement.queries.statement import statements_by
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.series.models import Series
from league.floor.hall.models import HallPlace
from league.notices.message.models import EventMessage
from league.records.photo.models import Photo
from league.records.upload.models import ImportJob
from league.site.erasure.domain import AROUND, Mention, Remedy, excerpt
from league.stages.draw.models import Draw
from league.stages.stage.models import Group, Stage
from league.stages.table.models import Walkover
from league.standings.division.models import Division
from league.standings.season.models import Season

WRITTEN: Final = (
    "slug",
    "name",
    "about",
    "label",
    "venue",
    "price_note",
    "description",
    "room",
    "divisions",
)
"""Keys of payloads under which older entries of the log have free texts."""
GAME: Final = ("game__public_id", "game__external_id")


@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """A model with free texts in these fields. `club`: the path to its club."""

    noun: str
    model: type[Model]
    club: str
    fields: tuple[str, ...]
    label: Promise
    url: Callable[[Any], str]
    remedy: Remedy = Remedy.REWRITTEN

    def rows(self, club_id: int, words: Collection[str]) -> QuerySet[Any]:
        """Return a club's rows that may contain one of these words, in order."""
        rows: QuerySet[Any] = self.model._default_manager.filter(**{self.club: club_id})
        return rows.filter(_contains_any(self.fields, words)).order_by("pk")


ADDRESS: Final = "slug"


def _texts_of(model: type[Model]) -> tuple[str, ...]:
    return tuple(name for name in columns_of(model, "text") if name != ADDRESS)


def _stage_url(stage: Stage) -> str:
    return reverse("desk-stage", args=[stage.event.club.slug, stage.event.slug, stage.number])


WRITTEN_PLACES: Final = (
    WrittenPlace(
        noun="season",
        model=Season,
        club="club",
        fields=_texts_of(Season),
        label=gettext_lazy("Season"),
        url=lambda row: reverse("desk-season", args=[row.club.slug, row.slug]),
    ),
    WrittenPlace(
        noun="club",
        model=Club,
        club="pk",
        fields=_texts_of(Club),
        label=gettext_lazy("Club"),
        url=lambda row: reverse("desk-club", args=[row.slug]),
    ),
    WrittenPlace(
        noun="event",
        model=Event,
        club="club",
        fields=_texts_of(Event),
        label=gettext_lazy("Event"),
        url=lambda row: reverse("desk-event-settings", args=[row.club.slug, row.slug]),
    ),
    WrittenPlace(
        noun="series",
        model=Series,
        club="club",
        fields=_texts_of(Series),
        label=gettext_lazy("Series of events"),
        url=lambda row: "",
    ),
    WrittenPlace(
        noun="stage",
        model=Stage,
        club="event__club",
        fields=_texts_of(Stage),
        label=gettext_lazy("Stage"),
        url=_stage_url,
    ),
    WrittenPlace(
        noun="group",
        model=Group,
        club="stage__event__club",
        fields=_texts_of(Group),
        label=gettext_lazy("Group"),
        url=lambda row: _stage_url(row.stage),
    ),
    WrittenPlace(
        noun="division",
        model=Division,
        club="season__club",
        fields=_texts_of(Division),
        label=gettext_lazy("Division"),
        url=lambda row: reverse(
            "desk-season-divisions", args=[row.season.club.slug, row.season.slug]
        ),
        remedy=Remedy.BY_HAND,
    ),
    WrittenPlace(
        noun="entry",
        model=Entry,
        club="event__club",
        fields=_texts_of(Entry),
        label=gettext_lazy("Club or town"),
        url=lambda row: reverse("desk-labels", args=[row.event.club.slug, row.event.slug]),
    ),
    WrittenPlace(
        noun="place",
        model=HallPlace,
        club="event__club",
        fields=_texts_of(HallPlace),
        label=gettext_lazy("Room"),
        url=lambda row: reverse("desk-hall", args=[row.event.club.slug, row.event.slug]),
    ),
    WrittenPlace(
        noun="key",
        model=ApiKey,
        club="club",
        fields=_texts_of(ApiKey),
        label=gettext_lazy("API key"),
        url=lambda row: reverse("desk-keys", args=[row.club.slug]),
        remedy=Remedy.BY_HAND,
    ),
    WrittenPlace(
        noun="websites",
        model=Club,
        club="pk",
        fields=("websites",),
        label=gettext_lazy("Websites that may show the rankings"),
        url=lambda row: reverse("desk-club", args=[row.slug]),
        remedy=Remedy.BY_HAND,
    ),
    WrittenPlace(
        noun="season-address",
        model=Season,
        club="club",
        fields=(ADDRESS,),
        label=gettext_lazy("Address of a season"),
        url=lambda row: reverse("desk-season", args=[row.club.slug, row.slug]),
        remedy=Remedy.BY_HAND,
    ),
    WrittenPlace(
        noun="club-address",
        model=Club,
        club="pk",
        fields=(ADDRESS,),
        label=gettext_lazy("Address of the club"),
        url=lambda row: reverse("desk-club", args=[row.slug]),
        remedy=Remedy.BY_HAND,
    ),
    WrittenPlace(
        noun="event-address",
        model=Event,
        club="club",
        fields=(ADDRESS,),
        label=gettext_lazy("Address of an event"),
        url=lambda row: reverse("desk-event-settings", args=[row.club.slug, row.slug]),
        remedy=Remedy.BY_HAND,
    ),
)
"""All places with free texts; rows are locked in this order."""


def person_words(player: Player) -> set[str]:
    """Return every current and former name of a player and of the players merged into it; empty
    once erased."""
    players = [person for person in one_person(player) if not person.erased_at]
    return words_of(players) | names_beside(
        player.club_id, {person.public_id for person in players}
    )


def player_mentions(player: Player) -> list[Mention]:
    """Return the mentions of a player in what people wrote in the club, as a whole word, ignoring
    case.

    Names and handles in games, entries and the log aren't among them: they are erased in any
    case."""
    words = person_words(player)
    if not words:
        return []
    return mentions(player.club, {person.public_id for person in one_person(player)}, words)


def mentions(club: Club, persons: Collection[str], words: Collection[str]) -> list[Mention]:
    """Return the mentions of these words in what people wrote in a club. `persons`: the public ids
    of the players who are called so; their own entries in the log aren't mentions."""
    names = naming(words)
    rows = [
        *_reasons(club, names, words),
        *_texts(club, names, words),
        *_messages_and_reports(club, names, words),
    ]
    rows += _photos(club, persons)
    rows += _statements(club, names, words, persons)
    subjects = {*persons, *(mention.subject for mention in rows)}
    return [*rows, *_logged(club, names, words, subjects), *_sealed(club, names, words)]


def _contains_any(fields: Collection[str], words: Collection[str]) -> Q:
    condition = Q(pk__in=[])
    for field in fields:
        for word in words:
            condition |= Q(**{f"{field}__icontains": word})
    return condition


def _reasons(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    yield from _correction_reasons(club, names, words)
    yield from _void_reasons(club, names, words)
    yield from _objection_texts(club, names, words)
    yield from _ruling_texts(club, names, words)
    yield from _draw_reasons(club, names, words)
    yield from _walkover_reasons(club, names, words)


def _correction_reasons(
    club: Club, names: Pattern[str], words: Collection[str]
) -> Iterator[Mention]:
    games = Game.objects.filter(_contains_any(["reason"], words), source=club.source)
    for game in games.order_by("pk").only("public_id", "external_id", "reason"):
        label = gettext("Reason for correcting %(game)s") % {"game": game.external_id}
        url = reverse("game", args=[game.public_id])
        yield from _mentions_in(
            game.reason, names, Remedy.REMOVED, "game", game.public_id, label, url
        )


def _draw_reasons(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    draws = Draw.objects.filter(
        _contains_any(["reason"], words), stage_round__stage__event__club=club
    )
    for draw, reason in draws.order_by("pk").values_list("public_id", "reason"):
        label = gettext("Reason for a draw changed by hand")
        url = reverse("draw", args=[draw])
        yield from _mentions_in(reason, names, Remedy.REMOVED, "draw", draw, label, url)


def _walkover_reasons(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    walkovers = Walkover.objects.filter(
        _contains_any(["reason"], words), table__stage_round__stage__event__club=club
    )
    rows = walkovers.order_by("pk").values_list("table__public_id", "table__number", "reason")
    label = gettext("Reason for a table awarded without play")
    yield from _once_each("table", "table", label, rows, names)


def _void_reasons(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    voids = Void.objects.filter(_contains_any(["reason"], words), game__source=club.source)
    rows = voids.order_by("pk").values_list(*GAME, "reason")
    yield from _once_each("void", "game", gettext("Reason for voiding %(game)s"), rows, names)


def _objection_texts(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    text = Concat("word", Value(" · "), Coalesce("end__reason", Value("")))
    objections = Objection.objects.filter(
        _contains_any(["word", "end__reason"], words), game__source=club.source
    )
    rows = objections.order_by("pk").values_list(*GAME, text)
    yield from _once_each("objection", "game", gettext("Objection to %(game)s"), rows, names)


def _ruling_texts(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    hearings = Hearing.objects.filter(_contains_any(["word"], words), game__source=club.source)
    hearing_rows = hearings.order_by("pk").values_list("public_id", "game__public_id", "word")
    for hearing_id, game_id, text in hearing_rows:
        label = gettext("Question of a hearing")
        url = reverse("game", args=[game_id])
        yield from _mentions_in(text, names, Remedy.REMOVED, "hearing", hearing_id, label, url)

    rulings = Ruling.objects.filter(_contains_any(["findings", "reason"], words), club=club)
    for ruling in rulings.order_by("pk"):
        text = f"{ruling.findings} · {ruling.reason}"
        label = gettext("Ruling %(number)s") % {"number": ruling.number}
        url = reverse("ruling", args=[ruling.public_id])
        yield from _mentions_in(text, names, Remedy.REMOVED, "ruling", ruling.public_id, label, url)

    appeals = Appeal.objects.filter(_contains_any(["word"], words), ruling__club=club)
    appeal_rows = appeals.order_by("pk").values_list("public_id", "ruling__public_id", "word")
    for appeal_id, ruling_id, text in appeal_rows:
        label = gettext("Appeal")
        url = reverse("ruling", args=[ruling_id])
        yield from _mentions_in(text, names, Remedy.REMOVED, "appeal", appeal_id, label, url)


def _once_each(
    noun: str, page: str, label: str, rows: Iterable[Any], names: Pattern[str]
) -> Iterator[Mention]:
    """Yield at most one mention for each subject. `rows`: a subject's public id, its name for the
    label, and a text."""
    mentioned: set[str] = set()
    for subject, name, text in rows:
        if subject in mentioned:
            continue
        subject_label = label % {"game": name}
        url = reverse(page, args=[subject])
        for mention in _mentions_in(text, names, Remedy.REMOVED, noun, subject, subject_label, url):
            mentioned.add(subject)
            yield mention


def _texts(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    for place in WRITTEN_PLACES:
        for row in place.rows(club.pk, words):
            text = " · ".join(filter(None, (getattr(row, field) for field in place.fields)))
            yield from _mentions_in(
                text,
                names,
                place.remedy,
                place.noun,
                row.public_id,
                str(place.label),
                place.url(row),
            )


def _messages_and_reports(
    club: Club, names: Pattern[str], words: Collection[str]
) -> Iterator[Mention]:
    messages = EventMessage.objects.filter(
        _contains_any(["subject", "text"], words), event__club=club
    )
    for message in messages:
        text = f"{message.subject} {message.text}"
        label = gettext("Message to players")
        url = reverse("desk-event-notices", args=[club.slug, message.event.slug])
        yield from _mentions_in(
            text, names, Remedy.EMPTIED, "message", message.public_id, label, url
        )

    jobs = ImportJob.objects.filter(season__club=club)
    for job in jobs.only("public_id", "file_name", "report"):
        text = f"{job.file_name} {json.dumps(job.report, ensure_ascii=False)}"
        label = gettext("Imported file")
        url = reverse("import-job", args=[job.public_id])
        yield from _mentions_in(text, names, Remedy.EMPTIED, "import", job.public_id, label, url)


def _photos(club: Club, persons: Collection[str]) -> Iterator[Mention]:
    """Yield the photos of games at which these players sat: they can't be searched for a name."""
    games = _seats_of(club, persons).values("game")
    photos = Photo.objects.filter(game__in=games).exclude(content=b"").order_by("pk")
    for photo, game in photos.values_list("public_id", "game__public_id"):
        label = gettext("Photo of a sheet")
        words = gettext("It may show the name in handwriting.")
        url = reverse("game-photos", args=[game])
        yield Mention(Remedy.REMOVED, "photo", photo, label, words, url)


def _seats_of(club: Club, persons: Collection[str]) -> QuerySet[Seat]:
    handles = Handle.objects.filter(club=club, player__public_id__in=persons)
    seats = Seat.objects.alias(lower=Lower("handle"))
    return seats.filter(lower__in=handles.values(lower=Lower("handle")), game__source=club.source)


def _statements(
    club: Club, names: Pattern[str], words: Collection[str], persons: Collection[str]
) -> Iterator[Mention]:
    """Yield statements on disputed games: all by these players, others that contain a name. And the
    files about games at which they sat, which can't be searched for a name."""
    players = list(Player.objects.filter(club=club, public_id__in=persons))
    own = set(statements_by(club.pk, players).values_list("pk", flat=True))
    rows = Statement.objects.filter(
        Q(pk__in=own) | _contains_any(["word"], words), **{STATEMENT_CLUB: club.pk}
    )
    for row in rows.filter(removed_at=None).select_related("game").order_by("pk"):
        label = gettext("Statement on %(game)s") % {"game": row.game.external_id}
        url = reverse("game-statements", args=[row.game.public_id])
        if row.pk in own:
            beginning = Truncator(row.word).chars(2 * AROUND)
            yield Mention(Remedy.EMPTIED, "statement", row.public_id, label, beginning, url)
        else:
            yield from _mentions_in(
                row.word, names, Remedy.REMOVED, "statement", row.public_id, label, url
            )
    yield from _evidence(club, persons, own)


def _evidence(club: Club, persons: Collection[str], own: Collection[int]) -> Iterator[Mention]:
    games = _seats_of(club, persons).values("game")
    is_theirs = Q(statement__in=own) | Q(statement__game__in=games)
    files = Evidence.objects.filter(is_theirs, removed_at=None).order_by("pk")
    rows = files.values_list("statement", "public_id", "statement__game__public_id")
    for statement, file, game in rows:
        remedy = Remedy.EMPTIED if statement in own else Remedy.REMOVED
        label = gettext("File of a statement")
        words = gettext("It may show the name.")
        url = reverse("game-statements", args=[game])
        yield Mention(remedy, "evidence", file, label, words, url)


def _logged(
    club: Club, names: Pattern[str], words: Collection[str], subjects: Collection[str]
) -> Iterator[Mention]:
    """Yield entries of the log about other subjects whose words contain a name, and older entries
    that sealed the words themselves."""
    entries = LogEntry.objects.filter(club=club).order_by("position")
    beside = entries.filter(_contains_any(["names"], words)).exclude(subject__in=subjects)
    for position, stored_names in beside.values_list("position", "names").iterator():
        text = " · ".join(word for _, word in (stored_names or {}).values())
        yield from _entry_mentions(Remedy.REMOVED, club, position, text, names)

    older = entries.filter(_contains_any(["reason", "payload"], words))
    for position, reason, payload in older.values_list("position", "reason", "payload").iterator():
        texts = [reason] if reason else []
        texts += _free_texts(json.loads(payload))
        yield from _entry_mentions(Remedy.SEALED, club, position, " · ".join(texts), names)


def _entry_mentions(
    remedy: Remedy, club: Club, position: int, text: str, names: Pattern[str]
) -> Iterator[Mention]:
    label = gettext("Log entry %(number)d") % {"number": position}
    url = f"{reverse('club-log', args=[club.slug])}?before={position + 1}"
    yield from _mentions_in(text, names, remedy, "log", str(position), label, url)


def _free_texts(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _free_texts(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _free_texts(part, key)
    elif isinstance(value, str) and value and key in WRITTEN:
        yield value


def _sealed(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Yield records and proposals with a name in an id of a game, an event or a table: digests
    cover these."""
    games = Game.objects.filter(
        _contains_any(["external_id", "event", "table"], words), source=club.source
    )
    for game in games.order_by("pk").only("public_id", "external_id", "event", "table"):
        text = " · ".join(filter(None, [game.external_id, game.event, game.table]))
        label = gettext("Game record")
        url = reverse("game", args=[game.public_id])
        yield from _mentions_in(text, names, Remedy.SEALED, "record", game.public_id, label, url)

    proposals = Proposal.objects.filter(_contains_any(["content"], words), game__source=club.source)
    for proposal in proposals.order_by("pk"):
        label = gettext("Proposed record of a game")
        url = reverse("proposal", args=[proposal.public_id])
        yield from _mentions_in(
            proposal.content, names, Remedy.SEALED, "proposal", proposal.public_id, label, url
        )


def _mentions_in(
    text: str, names: Pattern[str], remedy: Remedy, noun: str, subject: str, label: str, url: str
) -> Iterator[Mention]:
    part = excerpt(text, names)
    if part:
        yield Mention(remedy, noun, subject, label, part, url)
