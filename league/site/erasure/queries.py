"""All that people wrote in a club, searched for the name of a player who is to be erased."""

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
"""Keys of payloads of the log under which older entries have what people wrote."""
GAME: Final = ("game__public_id", "game__external_id")


@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """A kind of rows that have texts which people write freely, in these fields, of a club by this
    way."""

    noun: str
    model: type[Model]
    club: str
    fields: tuple[str, ...]
    label: Promise
    url: Callable[[Any], str]
    remedy: Remedy = Remedy.REWRITTEN

    def rows(self, club_id: int, words: Collection[str]) -> QuerySet[Any]:
        """The rows of a club that may tell one of these words, in order."""
        rows: QuerySet[Any] = self.model._default_manager.filter(**{self.club: club_id})
        return rows.filter(_telling(self.fields, words)).order_by("pk")


ADDRESS: Final = "slug"


def _texts_of(model: type[Model]) -> tuple[str, ...]:
    """The texts of a model without its address, which is a place of its own."""
    return tuple(name for name in columns_of(model, "text") if name != ADDRESS)


WRITTEN_PLACES: Final = (
    WrittenPlace(
        *("season", Season, "club", _texts_of(Season), gettext_lazy("Season")),
        lambda row: reverse("desk-season", args=[row.club.slug, row.slug]),
    ),
    WrittenPlace(
        *("club", Club, "pk", _texts_of(Club), gettext_lazy("Club")),
        lambda row: reverse("desk-club", args=[row.slug]),
    ),
    WrittenPlace(
        *("event", Event, "club", _texts_of(Event), gettext_lazy("Event")),
        lambda row: reverse("desk-event-settings", args=[row.club.slug, row.slug]),
    ),
    WrittenPlace(
        "series",
        Series,
        "club",
        _texts_of(Series),
        gettext_lazy("Series of events"),
        lambda row: "",
    ),
    WrittenPlace(
        *("stage", Stage, "event__club", _texts_of(Stage), gettext_lazy("Stage")),
        lambda row: reverse("desk-stage", args=[row.event.club.slug, row.event.slug, row.number]),
    ),
    WrittenPlace(
        *("group", Group, "stage__event__club", _texts_of(Group), gettext_lazy("Group")),
        lambda row: reverse(
            "desk-stage", args=[row.stage.event.club.slug, row.stage.event.slug, row.stage.number]
        ),
    ),
    WrittenPlace(
        *("division", Division, "season__club", _texts_of(Division), gettext_lazy("Division")),
        lambda row: reverse("desk-season-divisions", args=[row.season.club.slug, row.season.slug]),
        Remedy.BY_HAND,
    ),
    WrittenPlace(
        *("entry", Entry, "event__club", _texts_of(Entry), gettext_lazy("Club or town")),
        lambda row: reverse("desk-labels", args=[row.event.club.slug, row.event.slug]),
    ),
    WrittenPlace(
        *("place", HallPlace, "event__club", _texts_of(HallPlace), gettext_lazy("Room")),
        lambda row: reverse("desk-hall", args=[row.event.club.slug, row.event.slug]),
    ),
    WrittenPlace(
        *("key", ApiKey, "club", _texts_of(ApiKey), gettext_lazy("Key of the API")),
        lambda row: reverse("desk-keys", args=[row.club.slug]),
        Remedy.BY_HAND,
    ),
    WrittenPlace(
        *(
            "websites",
            Club,
            "pk",
            ("websites",),
            gettext_lazy("Websites that may show the rankings"),
        ),
        lambda row: reverse("desk-club", args=[row.slug]),
        Remedy.BY_HAND,
    ),
    WrittenPlace(
        *("season-address", Season, "club", (ADDRESS,), gettext_lazy("Address of a season")),
        lambda row: reverse("desk-season", args=[row.club.slug, row.slug]),
        Remedy.BY_HAND,
    ),
    WrittenPlace(
        *("club-address", Club, "pk", (ADDRESS,), gettext_lazy("Address of the club")),
        lambda row: reverse("desk-club", args=[row.slug]),
        Remedy.BY_HAND,
    ),
    WrittenPlace(
        *("event-address", Event, "club", (ADDRESS,), gettext_lazy("Address of an event")),
        lambda row: reverse("desk-event-settings", args=[row.club.slug, row.slug]),
        Remedy.BY_HAND,
    ),
)
"""All of them; rows are held in this order."""


def person_words(player: Player) -> set[str]:
    """All that a player, and whoever is the same person, is called or was called; nothing once they
    are erased."""
    players = [person for person in one_person(player) if not person.erased_at]
    return words_of(players) | names_beside(
        player.club_id, {person.public_id for person in players}
    )


def player_mentions(player: Player) -> list[Mention]:
    """All that mentions a player of a club, as a whole word and in whatever capitals, in what
    people wrote.

    Names and handles themselves aren't among it, in games, entries and the log: they go in any
    case."""
    words = person_words(player)
    return (
        mentions(player.club, {person.public_id for person in one_person(player)}, words)
        if words
        else []
    )


def mentions(club: Club, persons: Collection[str], words: Collection[str]) -> list[Mention]:
    """All that tells one of these words in what people wrote in a club; `persons` are the public
    ids of whom they name, whose own entries in the log are none of it."""
    names = naming(words)
    rows = [
        *_reasons(club, names, words),
        *_texts(club, names, words),
        *_emptied(club, names, words),
    ]
    rows += _photos(club, persons)
    rows += _statements(club, names, words, persons)
    subjects = {*persons, *(mention.subject for mention in rows)}
    return [*rows, *_logged(club, names, words, subjects), *_sealed(club, names, words)]


def _telling(fields: Collection[str], words: Collection[str]) -> Q:
    """The condition that some of these fields may tell one of the words; a pattern then looks for
    whole words."""
    telling = Q(pk__in=[])
    for field in fields:
        for word in words:
            telling |= Q(**{f"{field}__icontains": word})
    return telling


def _reasons(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Reasons of corrections, of voids, of draws changed by hand, of tables given without play, and
    words in disputes."""
    games = Game.objects.filter(_telling(["reason"], words), source=club.source).order_by("pk")
    for game in games.only("public_id", "external_id", "reason"):
        label = gettext("Reason of the correction of %(game)s") % {"game": game.external_id}
        yield from _found(
            Remedy.REMOVED,
            "game",
            game.public_id,
            label,
            game.reason,
            names,
            reverse("game", args=[game.public_id]),
        )
    yield from _void_reasons(club, names, words)
    yield from _objection_texts(club, names, words)
    yield from _ruling_texts(club, names, words)
    draws = Draw.objects.filter(
        _telling(["reason"], words), stage_round__stage__event__club=club
    ).order_by("pk")
    for draw, reason in draws.values_list("public_id", "reason"):
        label = gettext("Reason of a draw changed by hand")
        yield from _found(
            Remedy.REMOVED, "draw", draw, label, reason, names, reverse("draw", args=[draw])
        )
    walkovers = Walkover.objects.filter(
        _telling(["reason"], words), table__stage_round__stage__event__club=club
    )
    rows = walkovers.order_by("pk").values_list("table__public_id", "table__number", "reason")
    yield from _once_each(
        "table", "table", gettext("Reason of a table given without play"), rows, names
    )


def _void_reasons(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Reasons of voids, one for each game."""
    voids = Void.objects.filter(_telling(["reason"], words), game__source=club.source).order_by(
        "pk"
    )
    rows = voids.values_list(*GAME, "reason")
    yield from _once_each("void", "game", gettext("Reason of a void of %(game)s"), rows, names)


def _objection_texts(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Words of objections, and reasons for which a result stands, one for each game."""
    text = Concat("word", Value(" · "), Coalesce("end__reason", Value("")))
    telling = _telling(["word", "end__reason"], words)
    rows = (
        Objection.objects.filter(telling, game__source=club.source)
        .order_by("pk")
        .values_list(*GAME, text)
    )
    yield from _once_each("objection", "game", gettext("Objection to %(game)s"), rows, names)


def _ruling_texts(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Questions of hearings, facts and reasons of rulings, and words of appeals."""
    hearings = Hearing.objects.filter(_telling(["word"], words), game__source=club.source).order_by(
        "pk"
    )
    for subject, game, text in hearings.values_list("public_id", "game__public_id", "word"):
        url = reverse("game", args=[game])
        yield from _found(
            Remedy.REMOVED, "hearing", subject, gettext("Question of a hearing"), text, names, url
        )
    rulings = Ruling.objects.filter(_telling(["findings", "reason"], words), club=club).order_by(
        "pk"
    )
    for ruling in rulings:
        label = gettext("Ruling %(number)s") % {"number": ruling.number}
        url = reverse("ruling", args=[ruling.public_id])
        text = f"{ruling.findings} · {ruling.reason}"
        yield from _found(Remedy.REMOVED, "ruling", ruling.public_id, label, text, names, url)
    appeals = Appeal.objects.filter(_telling(["word"], words), ruling__club=club).order_by("pk")
    for subject, ruling_id, text in appeals.values_list("public_id", "ruling__public_id", "word"):
        url = reverse("ruling", args=[ruling_id])
        yield from _found(Remedy.REMOVED, "appeal", subject, gettext("Appeal"), text, names, url)


def _once_each(
    noun: str, page: str, label: str, rows: Iterable[Any], names: Pattern[str]
) -> Iterator[Mention]:
    """Mentions in texts about subjects that have a page, one for each. `rows`: the public id of the
    subject, what a label calls it that does, and the text."""
    subjects: set[str] = set()
    for subject, name, text in rows:
        url = reverse(page, args=[subject])
        for mention in _found(
            Remedy.REMOVED, noun, subject, label % {"game": name}, text, names, url
        ):
            if subject not in subjects:
                subjects.add(subject)
                yield mention


def _texts(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Descriptions, names of events, places and the like."""
    for place in WRITTEN_PLACES:
        for row in place.rows(club.pk, words):
            text = " · ".join(filter(None, (getattr(row, field) for field in place.fields)))
            yield from _found(
                place.remedy,
                place.noun,
                row.public_id,
                str(place.label),
                text,
                names,
                place.url(row),
            )


def _emptied(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Messages to who comes to an event, and reports on files."""
    for message in EventMessage.objects.filter(
        _telling(["subject", "text"], words), event__club=club
    ):
        url = reverse("desk-event-notices", args=[club.slug, message.event.slug])
        label, text = gettext("Message to who comes"), f"{message.subject} {message.text}"
        yield from _found(Remedy.EMPTIED, "message", message.public_id, label, text, names, url)
    for job in ImportJob.objects.filter(season__club=club).only("public_id", "file_name", "report"):
        url = reverse("import-job", args=[job.public_id])
        text = f"{job.file_name} {json.dumps(job.report, ensure_ascii=False)}"
        yield from _found(
            Remedy.EMPTIED, "import", job.public_id, gettext("Imported file"), text, names, url
        )


def _photos(club: Club, persons: Collection[str]) -> Iterator[Mention]:
    """Pictures of the paper of games at which they sat: nobody can search them for a name."""
    handles = Handle.objects.filter(club=club, player__public_id__in=persons).values(
        lower=Lower("handle")
    )
    seats = Seat.objects.alias(lower=Lower("handle")).filter(
        lower__in=handles, game__source=club.source
    )
    photos = Photo.objects.filter(game__in=seats.values("game")).exclude(content=b"").order_by("pk")
    for photo, game in photos.values_list("public_id", "game__public_id"):
        label, words = (
            gettext("Photo of a sheet"),
            gettext("It may show the name, written by hand."),
        )
        yield Mention(
            Remedy.REMOVED, "photo", photo, label, words, reverse("game-photos", args=[game])
        )


def _statements(
    club: Club, names: Pattern[str], words: Collection[str], persons: Collection[str]
) -> Iterator[Mention]:
    """What was said about disputed games: all of it that is theirs, else what tells the name; and
    the files about games at which they sat, which nobody can search for a name."""
    players = list(Player.objects.filter(club=club, public_id__in=persons))
    own = set(statements_by(club.pk, players).values_list("pk", flat=True))
    rows = Statement.objects.filter(
        Q(pk__in=own) | _telling(["word"], words), **{STATEMENT_CLUB: club.pk}
    )
    for row in rows.filter(removed_at=None).select_related("game").order_by("pk"):
        url = reverse("game-statements", args=[row.game.public_id])
        label = gettext("Statement on %(game)s") % {"game": row.game.external_id}
        if row.pk in own:
            said = Truncator(row.word).chars(2 * AROUND)
            yield Mention(Remedy.EMPTIED, "statement", row.public_id, label, said, url)
        else:
            yield from _found(
                Remedy.REMOVED, "statement", row.public_id, label, row.word, names, url
            )
    yield from _evidence(club, persons, own)


def _evidence(club: Club, persons: Collection[str], own: Collection[int]) -> Iterator[Mention]:
    handles = Handle.objects.filter(club=club, player__public_id__in=persons).values(
        lower=Lower("handle")
    )
    seats = Seat.objects.alias(lower=Lower("handle")).filter(
        lower__in=handles, game__source=club.source
    )
    is_theirs = Q(statement__in=own) | Q(statement__game__in=seats.values("game"))
    files = Evidence.objects.filter(is_theirs, removed_at=None).order_by("pk")
    for statement, file, game in files.values_list(
        "statement", "public_id", "statement__game__public_id"
    ):
        label, words = gettext("File of a statement"), gettext("It may show the name.")
        remedy = Remedy.EMPTIED if statement in own else Remedy.REMOVED
        yield Mention(
            remedy, "evidence", file, label, words, reverse("game-statements", args=[game])
        )


def _logged(
    club: Club, names: Pattern[str], words: Collection[str], subjects: Collection[str]
) -> Iterator[Mention]:
    """Entries of the log: words beside those that are about none of these subjects, and older ones,
    which seal words themselves."""
    entries = LogEntry.objects.filter(club=club).order_by("position")
    beside = entries.filter(_telling(["names"], words)).exclude(subject__in=subjects)
    for position, stored_names in beside.values_list("position", "names").iterator():
        text = " · ".join(word for _, word in (stored_names or {}).values())
        yield from _entry(Remedy.REMOVED, club, position, text, names)
    older = entries.filter(_telling(["reason", "payload"], words))
    for position, reason, payload in older.values_list("position", "reason", "payload").iterator():
        text = " · ".join([*filter(None, [reason]), *_written(json.loads(payload))])
        yield from _entry(Remedy.SEALED, club, position, text, names)


def _entry(
    remedy: Remedy, club: Club, position: int, text: str, names: Pattern[str]
) -> Iterator[Mention]:
    label = gettext("Entry %(number)d of the log") % {"number": position}
    url = f"{reverse('club-log', args=[club.slug])}?before={position + 1}"
    yield from _found(remedy, "log", str(position), label, text, names, url)


def _written(value: object, key: str = "") -> Iterator[str]:
    """All texts in a payload that people wrote."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _written(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _written(part, key)
    elif isinstance(value, str) and value and key in WRITTEN:
        yield value


def _sealed(club: Club, names: Pattern[str], words: Collection[str]) -> Iterator[Mention]:
    """Ids of games, of events and of tables as records tell them: the digests of the games cover
    these. The records of proposals tell them, too."""
    games = Game.objects.filter(
        _telling(["external_id", "event", "table"], words), source=club.source
    )
    for game in games.order_by("pk").only("public_id", "external_id", "event", "table"):
        text = " · ".join(filter(None, [game.external_id, game.event, game.table]))
        url = reverse("game", args=[game.public_id])
        yield from _found(
            Remedy.SEALED, "record", game.public_id, gettext("Record of a game"), text, names, url
        )
    proposals = Proposal.objects.filter(
        _telling(["content"], words), game__source=club.source
    ).order_by("pk")
    for proposal in proposals:
        url = reverse("proposal", args=[proposal.public_id])
        label = gettext("Proposal of what was played")
        yield from _found(
            Remedy.SEALED, "proposal", proposal.public_id, label, proposal.content, names, url
        )


def _found(
    remedy: Remedy, noun: str, subject: str, label: str, text: str, names: Pattern[str], url: str
) -> Iterator[Mention]:
    """The mention, if the text tells one of the names."""
    if part := excerpt(text, names):
        yield Mention(remedy, noun, subject, label, part, url)
