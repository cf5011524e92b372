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

    def rows(self, club_id: int, names: Collection[str]) -> QuerySet[Any]:
        """Return a club's rows that may contain one of these names, in order; a name may also be
        part of a word there."""
        rows: QuerySet[Any] = self.model._default_manager.filter(**{self.club: club_id})
        return rows.filter(_contains_any(self.fields, names)).order_by("pk")


ADDRESS: Final = "slug"


def _texts_of(model: type[Model]) -> tuple[str, ...]:
    """Return the model's fields with free text, except its address, which has an entry of its
    own."""
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


def names_of_person(player: Player) -> set[str]:
    """Return every current and former name and handle of a player and of the players merged into
    it; none of erased players."""
    players = [person for person in one_person(player) if not person.erased_at]
    return words_of(players) | names_beside(
        player.club_id, {person.public_id for person in players}
    )


def player_mentions(player: Player) -> list[Mention]:
    """Return the mentions of a player in the texts of a club: whole words, ignoring case.

    Names and handles in games, entries and the log aren't among them: they are erased in any case.
    """
    names = names_of_person(player)
    if not names:
        return []
    return mentions(player.club, {person.public_id for person in one_person(player)}, names)


def mentions(club: Club, persons: Collection[str], names: Collection[str]) -> list[Mention]:
    """Return the mentions of these names in the texts of a club. `persons`: the public ids of the
    players with these names; their own entries in the log aren't mentions."""
    pattern = naming(names)
    rows = [
        *_reasons_and_dispute_texts(club, pattern, names),
        *_settings(club, pattern, names),
        *_messages_and_reports(club, pattern, names),
    ]
    rows += _photos(club, persons)
    rows += _statements(club, pattern, names, persons)
    subjects = {*persons, *(mention.subject for mention in rows)}
    return [
        *rows,
        *_log_entries(club, pattern, names, subjects),
        *_sealed_records(club, pattern, names),
    ]


def _contains_any(fields: Collection[str], names: Collection[str]) -> Q:
    condition = Q(pk__in=[])
    for field in fields:
        for name in names:
            condition |= Q(**{f"{field}__icontains": name})
    return condition


def _reasons_and_dispute_texts(
    club: Club, pattern: Pattern[str], names: Collection[str]
) -> Iterator[Mention]:
    yield from _correction_reasons(club, pattern, names)
    yield from _void_reasons(club, pattern, names)
    yield from _objection_texts(club, pattern, names)
    yield from _ruling_texts(club, pattern, names)
    yield from _draw_reasons(club, pattern, names)
    yield from _walkover_reasons(club, pattern, names)


def _correction_reasons(
    club: Club, pattern: Pattern[str], names: Collection[str]
) -> Iterator[Mention]:
    games = Game.objects.filter(_contains_any(["reason"], names), source=club.source)
    for game in games.order_by("pk").only("public_id", "external_id", "reason"):
        label = gettext("Reason for correcting %(game)s") % {"game": game.external_id}
        url = reverse("game", args=[game.public_id])
        yield from _mentions_in(
            game.reason,
            pattern,
            remedy=Remedy.REMOVED,
            noun="game",
            subject=game.public_id,
            label=label,
            url=url,
        )


def _draw_reasons(club: Club, pattern: Pattern[str], names: Collection[str]) -> Iterator[Mention]:
    draws = Draw.objects.filter(
        _contains_any(["reason"], names), stage_round__stage__event__club=club
    )
    for draw, reason in draws.order_by("pk").values_list("public_id", "reason"):
        label = gettext("Reason for a draw changed by hand")
        url = reverse("draw", args=[draw])
        yield from _mentions_in(
            reason, pattern, remedy=Remedy.REMOVED, noun="draw", subject=draw, label=label, url=url
        )


def _walkover_reasons(
    club: Club, pattern: Pattern[str], names: Collection[str]
) -> Iterator[Mention]:
    walkovers = Walkover.objects.filter(
        _contains_any(["reason"], names), table__stage_round__stage__event__club=club
    )
    rows = walkovers.order_by("pk").values_list("table__public_id", "table__number", "reason")
    label = gettext("Reason for a table awarded without play")
    yield from _once_each(noun="table", page="table", label=label, rows=rows, pattern=pattern)


def _void_reasons(club: Club, pattern: Pattern[str], names: Collection[str]) -> Iterator[Mention]:
    voids = Void.objects.filter(_contains_any(["reason"], names), game__source=club.source)
    rows = voids.order_by("pk").values_list(*GAME, "reason")
    yield from _once_each(
        noun="void",
        page="game",
        label=gettext("Reason for voiding %(game)s"),
        rows=rows,
        pattern=pattern,
    )


def _objection_texts(
    club: Club, pattern: Pattern[str], names: Collection[str]
) -> Iterator[Mention]:
    text = Concat("word", Value(" · "), Coalesce("end__reason", Value("")))
    objections = Objection.objects.filter(
        _contains_any(["word", "end__reason"], names), game__source=club.source
    )
    rows = objections.order_by("pk").values_list(*GAME, text)
    yield from _once_each(
        noun="objection",
        page="game",
        label=gettext("Objection to %(game)s"),
        rows=rows,
        pattern=pattern,
    )


def _ruling_texts(club: Club, pattern: Pattern[str], names: Collection[str]) -> Iterator[Mention]:
    hearings = Hearing.objects.filter(_contains_any(["word"], names), game__source=club.source)
    hearing_rows = hearings.order_by("pk").values_list("public_id", "game__public_id", "word")
    for hearing_id, game_id, text in hearing_rows:
        label = gettext("Question of a hearing")
        url = reverse("game", args=[game_id])
        yield from _mentions_in(
            text,
            pattern,
            remedy=Remedy.REMOVED,
            noun="hearing",
            subject=hearing_id,
            label=label,
            url=url,
        )

    rulings = Ruling.objects.filter(_contains_any(["findings", "reason"], names), club=club)
    for ruling in rulings.order_by("pk"):
        text = f"{ruling.findings} · {ruling.reason}"
        label = gettext("Ruling %(number)s") % {"number": ruling.number}
        url = reverse("ruling", args=[ruling.public_id])
        yield from _mentions_in(
            text,
            pattern,
            remedy=Remedy.REMOVED,
            noun="ruling",
            subject=ruling.public_id,
            label=label,
            url=url,
        )

    appeals = Appeal.objects.filter(_contains_any(["word"], names), ruling__club=club)
    appeal_rows = appeals.order_by("pk").values_list("public_id", "ruling__public_id", "word")
    for appeal_id, ruling_id, text in appeal_rows:
        label = gettext("Appeal")
        url = reverse("ruling", args=[ruling_id])
        yield from _mentions_in(
            text,
            pattern,
            remedy=Remedy.REMOVED,
            noun="appeal",
            subject=appeal_id,
            label=label,
            url=url,
        )


def _once_each(
    *, noun: str, page: str, label: str, rows: Iterable[Any], pattern: Pattern[str]
) -> Iterator[Mention]:
    """Yield at most one mention for each subject. `rows`: a subject's public id, its name for the
    label, and a text; `page`: the name of the subject's URL."""
    mentioned: set[str] = set()
    for subject, name, text in rows:
        if subject in mentioned:
            continue
        subject_label = label % {"game": name}
        url = reverse(page, args=[subject])
        for mention in _mentions_in(
            text,
            pattern,
            remedy=Remedy.REMOVED,
            noun=noun,
            subject=subject,
            label=subject_label,
            url=url,
        ):
            mentioned.add(subject)
            yield mention


def _settings(club: Club, pattern: Pattern[str], names: Collection[str]) -> Iterator[Mention]:
    for place in WRITTEN_PLACES:
        for row in place.rows(club.pk, names):
            text = " · ".join(filter(None, (getattr(row, field) for field in place.fields)))
            yield from _mentions_in(
                text,
                pattern,
                remedy=place.remedy,
                noun=place.noun,
                subject=row.public_id,
                label=str(place.label),
                url=place.url(row),
            )


def _messages_and_reports(
    club: Club, pattern: Pattern[str], names: Collection[str]
) -> Iterator[Mention]:
    messages = EventMessage.objects.filter(
        _contains_any(["subject", "text"], names), event__club=club
    )
    for message in messages:
        text = f"{message.subject} {message.text}"
        label = gettext("Message to players")
        url = reverse("desk-event-notices", args=[club.slug, message.event.slug])
        yield from _mentions_in(
            text,
            pattern,
            remedy=Remedy.EMPTIED,
            noun="message",
            subject=message.public_id,
            label=label,
            url=url,
        )

    jobs = ImportJob.objects.filter(season__club=club)
    for job in jobs.only("public_id", "file_name", "report"):
        text = f"{job.file_name} {json.dumps(job.report, ensure_ascii=False)}"
        label = gettext("Imported file")
        url = reverse("import-job", args=[job.public_id])
        yield from _mentions_in(
            text,
            pattern,
            remedy=Remedy.EMPTIED,
            noun="import",
            subject=job.public_id,
            label=label,
            url=url,
        )


def _photos(club: Club, persons: Collection[str]) -> Iterator[Mention]:
    """Yield all photos of games at which these players sat: a photo can't be searched for a
    name."""
    games = _seats_of(club, persons).values("game")
    photos = Photo.objects.filter(game__in=games).exclude(content=b"").order_by("pk")
    for photo, game in photos.values_list("public_id", "game__public_id"):
        label = gettext("Photo of a sheet")
        excerpt_text = gettext("It may show the name in handwriting.")
        url = reverse("game-photos", args=[game])
        yield Mention(Remedy.REMOVED, "photo", photo, label, excerpt_text, url)


def _seats_of(club: Club, persons: Collection[str]) -> QuerySet[Seat]:
    handles = Handle.objects.filter(club=club, player__public_id__in=persons)
    seats = Seat.objects.alias(lower=Lower("handle"))
    return seats.filter(lower__in=handles.values(lower=Lower("handle")), game__source=club.source)


def _statements(
    club: Club, pattern: Pattern[str], names: Collection[str], persons: Collection[str]
) -> Iterator[Mention]:
    """Yield the players' own statements on disputed games, others that contain a name, and files
    about their games, which can't be searched for a name."""
    players = list(Player.objects.filter(club=club, public_id__in=persons))
    own = set(statements_by(club.pk, players).values_list("pk", flat=True))
    rows = Statement.objects.filter(
        Q(pk__in=own) | _contains_any(["word"], names), **{STATEMENT_CLUB: club.pk}
    )
    for row in rows.filter(removed_at=None).select_related("game").order_by("pk"):
        label = gettext("Statement on %(game)s") % {"game": row.game.external_id}
        url = reverse("game-statements", args=[row.game.public_id])
        if row.pk in own:
            beginning = Truncator(row.word).chars(2 * AROUND)
            yield Mention(Remedy.EMPTIED, "statement", row.public_id, label, beginning, url)
        else:
            yield from _mentions_in(
                row.word,
                pattern,
                remedy=Remedy.REMOVED,
                noun="statement",
                subject=row.public_id,
                label=label,
                url=url,
            )
    yield from _evidence(club, persons, own)


def _evidence(
    club: Club, persons: Collection[str], own_statements: Collection[int]
) -> Iterator[Mention]:
    games = _seats_of(club, persons).values("game")
    is_theirs = Q(statement__in=own_statements) | Q(statement__game__in=games)
    files = Evidence.objects.filter(is_theirs, removed_at=None).order_by("pk")
    rows = files.values_list("statement", "public_id", "statement__game__public_id")
    for statement, file, game in rows:
        remedy = Remedy.EMPTIED if statement in own_statements else Remedy.REMOVED
        label = gettext("File of a statement")
        excerpt_text = gettext("It may show the name.")
        url = reverse("game-statements", args=[game])
        yield Mention(remedy, "evidence", file, label, excerpt_text, url)


def _log_entries(
    club: Club, pattern: Pattern[str], names: Collection[str], subjects: Collection[str]
) -> Iterator[Mention]:
    """Yield the entries of the log about other subjects that have a name in the texts beside them,
    and older entries that sealed such texts themselves."""
    entries = LogEntry.objects.filter(club=club).order_by("position")
    beside = entries.filter(_contains_any(["names"], names)).exclude(subject__in=subjects)
    for position, stored_names in beside.values_list("position", "names").iterator():
        text = " · ".join(word for _, word in (stored_names or {}).values())
        yield from _entry_mentions(Remedy.REMOVED, club, position, text, pattern)

    older = entries.filter(_contains_any(["reason", "payload"], names))
    for position, reason, payload in older.values_list("position", "reason", "payload").iterator():
        texts = [reason] if reason else []
        texts += _free_texts(json.loads(payload))
        yield from _entry_mentions(Remedy.SEALED, club, position, " · ".join(texts), pattern)


def _entry_mentions(
    remedy: Remedy, club: Club, position: int, text: str, pattern: Pattern[str]
) -> Iterator[Mention]:
    label = gettext("Log entry %(number)d") % {"number": position}
    url = f"{reverse('club-log', args=[club.slug])}?before={position + 1}"
    yield from _mentions_in(
        text, pattern, remedy=remedy, noun="log", subject=str(position), label=label, url=url
    )


def _free_texts(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _free_texts(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _free_texts(part, key)
    elif isinstance(value, str) and value and key in WRITTEN:
        yield value


def _sealed_records(club: Club, pattern: Pattern[str], names: Collection[str]) -> Iterator[Mention]:
    """Yield the records and proposals with a name in the id of a game, an event or a table, which
    digests cover."""
    games = Game.objects.filter(
        _contains_any(["external_id", "event", "table"], names), source=club.source
    )
    for game in games.order_by("pk").only("public_id", "external_id", "event", "table"):
        text = " · ".join(filter(None, [game.external_id, game.event, game.table]))
        label = gettext("Game record")
        url = reverse("game", args=[game.public_id])
        yield from _mentions_in(
            text,
            pattern,
            remedy=Remedy.SEALED,
            noun="record",
            subject=game.public_id,
            label=label,
            url=url,
        )

    proposals = Proposal.objects.filter(_contains_any(["content"], names), game__source=club.source)
    for proposal in proposals.order_by("pk"):
        label = gettext("Proposed record of a game")
        url = reverse("proposal", args=[proposal.public_id])
        yield from _mentions_in(
            proposal.content,
            pattern,
            remedy=Remedy.SEALED,
            noun="proposal",
            subject=proposal.public_id,
            label=label,
            url=url,
        )


def _mentions_in(
    text: str,
    pattern: Pattern[str],
    *,
    remedy: Remedy,
    noun: str,
    subject: str,
    label: str,
    url: str,
) -> Iterator[Mention]:
    part = excerpt(text, pattern)
    if part:
        yield Mention(remedy, noun, subject, label, part, url)
