"""The people to whom an entry of a club's log is news, one function a notice, from how things stand
now.

A job may come late to an entry. What is no longer so (a round that was taken back, a place given
up) is told nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Lower

from engine.grouping import lists_by_key
from games.models import Game
from games.queries.void import game_void
from games.services.open_game import Writer
from league.core.log.models import LogEntry
from league.core.member.models.member import Membership, Role
from league.core.player.models import Handle, Player
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.queries import earlier_rulers
from league.disputes.arbiter.models import ArbiterAcceptance
from league.disputes.arbiter.queries import accounts_involved
from league.disputes.call.queries import call_at, ruling_fault
from league.disputes.reminder.queries import audience_of, open_case, players_at_seat
from league.disputes.ruling.models import Ruling
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry
from league.events.entry.queries.disputed import sat_at_disputed
from league.events.entry.queries.entry import ACTIVE, waiting_place
from league.events.event.models import Event
from league.events.helper.models import Helper
from league.notices.message.models import EventMessage
from league.notices.notice.models import Notice
from league.stages.placing.domain.place import event_places, stage_places, with_carried
from league.stages.placing.models import FinalRank
from league.stages.result.domain.result import group_ranking
from league.stages.round.actions import RoundAction
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.domain.table_name import number_of, table_number
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts, started_stages
from league.stages.stage.queries.group import played_in_divisions
from league.stages.table.models import TableGame, TableSeat

TIME_AND_PLACE: Final = ("starts_at", "ends_at", "venue")
"""The settings of an event whose change is news to those who come."""
ACCOUNT: Final = Coalesce("player__user", "player__merged_into__user")
"""The account of an entry: that of its player, or of the one whom the player was merged into."""
ADDRESS: Final = Coalesce("player__user__email", "player__merged_into__user__email")


def told_of(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Entries of people whom a notice finds, by an account or by the address with which they
    entered; each with its `account` and that one's `address`, the `mailed` row and its player."""
    addressed = entries.select_related("player").annotate(
        account=ACCOUNT, address=ADDRESS, mailed=F("by_mail")
    )
    return addressed.filter(Q(account__isnull=False) | Q(mailed__isnull=False)).order_by("number")


class Announced(NamedTuple):
    """An entry of the log with its payload, and the event that it tells of; None where a game was
    played outside of events."""

    entry: LogEntry
    payload: dict[str, Any]
    within: Event | None

    @property
    def event(self) -> Event:
        """The event, where there must be one."""
        if self.within is None:
            raise ValueError(f"{self.entry} tells of no event")
        return self.within


class Recipient(NamedTuple):
    """Somebody to be told, by the account or else by the row of an entry by mail; `subject` is the
    public id of what the notice is about."""

    account: int | None
    by_mail: int | None
    subject: str
    parameters: dict[str, Any]


Recipients = Iterator[Recipient]


def _to(entry: Entry, subject: str, parameters: dict[str, Any]) -> Recipients:
    """Whoever has an entry of `told_of`: by the account, and by the address of the entry where that
    account has none, as a phone's."""
    account: int | None = entry.account  # type: ignore[attr-defined]
    by_mail: int | None = entry.mailed if not entry.address else None  # type: ignore[attr-defined]
    if account is not None:
        yield Recipient(account, None, subject, parameters)
    if by_mail is not None:
        yield Recipient(None, by_mail, subject, parameters)


def nobody(news: Announced) -> Recipients:
    """Nobody: the notice isn't made by an entry of the log."""
    yield from ()


def entered(news: Announced) -> Recipients:
    """The player who was entered, or came back, and has a place."""
    if _status(news) == Entry.Status.ENTERED:
        yield from _of_entry(news, Entry.Status.ENTERED)


def waiting(news: Announced) -> Recipients:
    """The player who was entered, or came back, and waits for a place, with the number on the
    waiting list."""
    if _status(news) == Entry.Status.WAITING:
        for entry in told_of(
            Entry.objects.filter(public_id=news.entry.subject, status=Entry.Status.WAITING)
        ):
            yield from _to(entry, entry.public_id, {"place": waiting_place(entry)})


def moved_up(news: Announced) -> Recipients:
    """The player who moved up from the waiting list."""
    yield from _of_entry(news, Entry.Status.ENTERED)


def withdrawn(news: Announced) -> Recipients:
    """Players whose entry an organiser withdrew. Who withdrew the own one knows; a letter's link
    does so without an account."""
    by = news.entry.actor_id
    if by is None or _status(news) != Entry.Status.WITHDRAWN:
        return
    people = list(_of_entry(news, Entry.Status.WITHDRAWN))
    if by not in {recipient.account for recipient in people}:
        yield from people


def _status(news: Announced) -> str | None:
    """The status that an entry was given; None for another change of an entry."""
    if news.entry.action == EntryAction.CHANGED:
        status: str | None = news.payload["after"].get("status")
        return status
    return news.payload.get("status") or Entry.Status.ENTERED


def _of_entry(news: Announced, status: Entry.Status) -> Recipients:
    """The player of the entry that the log tells of, if it still has this status."""
    for entry in told_of(Entry.objects.filter(public_id=news.entry.subject, status=status)):
        yield from _to(entry, entry.public_id, {})


def cancelled(news: Announced) -> Recipients:
    """Everybody who would have come to an event that is cancelled."""
    if _end(news) == Event.Status.CANCELLED:
        yield from _of_event(news, {})


def changed(news: Announced) -> Recipients:
    """Everybody who comes to an event that has another time or place."""
    before, after = news.payload.get("before", {}), news.payload.get("after", {})
    names = [name for name in TIME_AND_PLACE if name in after]
    if names and _end(news) is None:
        change = {
            "before": {name: before.get(name, "") for name in names},
            "after": {name: after[name] for name in names},
        }
        yield from _of_event(news, change)


def _of_event(news: Announced, parameters: dict[str, Any]) -> Recipients:
    """Everybody who has a place in an event or waits for one."""
    for entry in told_of(Entry.objects.filter(event=news.event, status__in=ACTIVE)):
        yield from _to(entry, news.event.public_id, parameters)


def finished(news: Announced) -> Recipients:
    """Everybody who had a place in an event that is over, with the final rank."""
    if _end(news) != Event.Status.FINISHED:
        return
    ranks = _ranks(
        news.event, dict(FinalRank.objects.filter(event=news.event).values_list("entry", "rank"))
    )
    for entry in told_of(Entry.objects.filter(event=news.event, status=Entry.Status.ENTERED)):
        yield from _to(entry, entry.public_id, ranks.get(entry.pk, {}))


def _ranks(event: Event, ranks: dict[int, int]) -> dict[int, dict[str, Any]]:
    """The final ranks of an event by entry, each with how many were ranked, and in which division;
    `provisional` stands there only if the result of a game that the entry played is disputed."""
    divisions = played_in_divisions(event)
    counts = Counter(divisions.get(entry, "") for entry in ranks)
    disputed = set(
        Entry.objects.filter(sat_at_disputed("pk", event.pk), event=event).values_list(
            "pk", flat=True
        )
    )
    return {
        entry: {
            "rank": rank,
            "count": counts[divisions.get(entry, "")],
            "group": divisions.get(entry, ""),
            **_mark(entry in disputed),
        }
        for entry, rank in ranks.items()
    }


def _mark(provisional: bool) -> dict[str, bool]:
    """What a notice keeps of a rank that rests on a disputed result; nothing of any other."""
    return {"provisional": True} if provisional else {}


def _end(news: Announced) -> str | None:
    """The status by which an event ended, if it still has it."""
    status = news.payload.get("after", {}).get("status")
    ended = status == news.event.status and status in (
        Event.Status.FINISHED,
        Event.Status.CANCELLED,
    )
    return str(status) if ended else None


def stage_finished(news: Announced) -> Recipients:
    """Those who took part in a stage are told where they stand: in its bracket, its ladder or its
    ranking, or in that of their group."""
    stage = Stage.objects.select_related("event__season__ranking", "event__club").get(
        public_id=news.entry.subject
    )
    if stage.status != Stage.Status.FINISHED:
        return
    facts = stage_facts(stage)
    places: dict[str, dict[str, Any]] = {}
    for group in facts.groups:
        rows = group_ranking(facts, group.pk)
        for row in rows:
            places[row.participant.player_id] = {
                "rank": row.rank,
                "count": len(rows),
                "group": group.name,
            }
    if stage.by_place:
        placed = stage_places(facts)
        for one in placed:
            places[facts.members[one.entry].entry_id] = {
                "rank": one.place,
                "count": len(placed),
                "group": "",
            }
    disputed = facts.provisional_entries
    for entry in told_of(Entry.objects.filter(participations__stage=stage)):
        place = places.get(entry.public_id, {})
        yield from _to(
            entry, entry.public_id, {"stage": stage.name, **place, **_mark(entry.pk in disputed)}
        )


def seated(news: Announced) -> Recipients:
    """Everybody who sits at a table is told which one. Of a draw that was changed by hand, who sits
    otherwise now."""
    stage_round = StageRound.objects.select_related("stage").get(public_id=news.entry.subject)
    if stage_round.status not in DRAWN:
        return
    yield from _seated(stage_round, news.entry.action == RoundAction.CHANGED)


def moved(news: Announced) -> Recipients:
    """Everybody whose table is played at another time or place than they were told of."""
    rounds = StageRound.objects.filter(
        stage__event=news.event, status__in=DRAWN, tables__finished=False
    )
    for stage_round in rounds.select_related("stage").distinct():
        yield from _seated(stage_round, True, finished=False)


def _seated(stage_round: StageRound, otherwise: bool, **tables: bool) -> Recipients:
    """Those who sit at the tables of a round, or at some of them; `otherwise`: if they were told
    otherwise before."""
    tables_told = _tables_told(stage_round) if otherwise else {}
    seats = TableSeat.objects.filter(table__in=stage_round.tables.filter(**tables))
    in_order = seats.select_related("table", "entry__player").order_by("table__number", "seat")
    at_table = lists_by_key((seat.table_id, seat) for seat in in_order)
    seated = {seat.entry_id: seats for seats in at_table.values() for seat in seats}
    for entry in told_of(Entry.objects.filter(pk__in=seated)):
        table = seated[entry.pk][0].table
        parameters = {
            "round": stage_round.number,
            "stage": stage_round.stage.name,
            "stage_round": stage_round.public_id,
            "table": table.public_id,
            "number": table_number(stage_round.stage, stage_round.number, table.number),
            "place": table.place,
            "starts_at": table.starts_at.isoformat() if table.starts_at else "",
            "own": entry.player.public_id,
            "seats": [seat.entry.player.public_id for seat in seated[entry.pk]],
        }
        if tables_told.get(entry.public_id) != parameters:
            yield from _to(entry, entry.public_id, parameters)


def _tables_told(stage_round: StageRound) -> dict[str, dict[str, Any]]:
    """The tables of a round that people were told of last, by entry."""
    rows = Notice.objects.filter(
        parameters__stage_round=stage_round.public_id,
        occasion__in=(Notice.Occasion.TABLE, Notice.Occasion.MOVED),
    )
    rows = rows.filter(event__stages=stage_round.stage_id).order_by("position")
    return dict(rows.values_list("subject", "parameters"))


def taken_back(news: Announced) -> Recipients:
    """Whoever was told of a table is told that it doesn't hold."""
    stage_round = StageRound.objects.select_related("stage").get(public_id=news.entry.subject)
    for entry in told_of(Entry.objects.filter(public_id__in=_tables_told(stage_round))):
        yield from _to(
            entry, entry.public_id, {"round": stage_round.number, "stage": stage_round.stage.name}
        )


def corrected(news: Announced) -> Recipients:
    """Those of a game that is told otherwise since: of its newest revision only, and not who
    corrected it."""
    game = Game.objects.get(public_id=news.entry.subject)
    if not Game.objects.filter(replaces=game).exists() and not _is_ruled(
        game, Ruling.Verb.CORRECTED
    ):
        for recipient in _of_game(game):
            if news.entry.actor_id is None or recipient.account != news.entry.actor_id:
                yield recipient


def voided(news: Announced) -> Recipients:
    """Those of a game that is void since."""
    game = Game.objects.get(public_id=news.entry.subject)
    if game_void(game) is not None and not _is_ruled(game, Ruling.Verb.VOIDED):
        yield from _of_game(game)


def restored(news: Announced) -> Recipients:
    """Those of a voided game that counts again."""
    game = Game.objects.get(public_id=news.entry.subject)
    if game_void(game) is None and not _is_ruled(game, Ruling.Verb.RESTORED):
        yield from _of_game(game)


def _is_ruled(game: Game, verb: Ruling.Verb) -> bool:
    """Return True if the last ruling did this to a game: the notice of the ruling tells it."""
    newest = Ruling.objects.filter(outcome=game).order_by("number").last()
    return newest is not None and newest.verb == verb


def heard(news: Announced) -> Recipients:
    """Those of a game about which an arbiter asks."""
    game = Game.objects.get(public_id=news.entry.subject)
    yield from _others_of_game(news, game, news.payload["hearing"], {"game": game.public_id})


def ruled(news: Announced) -> Recipients:
    """Those of a game on which an arbiter ruled."""
    game = Game.objects.get(public_id=news.entry.subject)
    yield from _others_of_game(
        news, game, news.payload["ruling"], {"number": news.payload["number"]}
    )


def appealed(news: Announced) -> Recipients:
    """Those who can decide an appeal: arbiters and organisers who took no part in the game and
    didn't make the ruling. And those of the game."""
    appeal = Appeal.objects.select_related(
        "ruling__outcome__season_game__season__club", "ruling__game"
    ).get(public_id=news.payload["appeal"])
    game = appeal.ruling.outcome
    parameters = {
        "game": game.public_id,
        "ruling": appeal.ruling.public_id,
        "number": appeal.ruling.number,
    }
    barred = accounts_involved(game) | earlier_rulers(appeal.ruling)
    for account in _rulers(news):
        if account not in barred:
            yield Recipient(account, None, appeal.public_id, {**parameters, "decides": True})
    yield from _others_of_game(news, game, appeal.public_id, {**parameters, "decides": False})


def _others_of_game(
    news: Announced, game: Game, subject: str, parameters: dict[str, Any]
) -> Recipients:
    """Those of a game, but for the one who acts."""
    for recipient in _of_game(game):
        if recipient.account is None or recipient.account != news.entry.actor_id:
            yield recipient._replace(subject=subject, parameters=parameters)


def objected(news: Announced) -> Recipients:
    """Those who rule on the game to whose result a seat objects: arbiters and organisers of the
    club and of the event, but for who objected."""
    for account in _rulers(news):
        yield Recipient(account, None, news.payload["objection"], {"game": news.entry.subject})


def case_waits(news: Announced) -> Recipients:
    """Those who were told first of an objection, a hearing or an appeal that still waits, and can
    decide it."""
    yield from _of_case(news, late=False)


def case_late(news: Announced) -> Recipients:
    """All who can decide an objection, a hearing or an appeal that still waits, also the one who
    raised it for a seat."""
    yield from _of_case(news, late=True)


def _of_case(news: Announced, *, late: bool) -> Recipients:
    kind = news.entry.action.partition(".")[0]
    reminder = open_case(kind, news.payload[kind])
    if reminder is None:
        return
    audience = audience_of(reminder, late=late)
    parameters = {
        "game": news.entry.subject,
        "since": reminder.since.isoformat(),
        "days": news.payload["days"],
        "is_stuck": audience.is_stuck,
    }
    if reminder.objection is not None:
        parameters["seats"] = players_at_seat(reminder.objection)
    if reminder.appeal is not None:
        parameters["number"] = reminder.appeal.ruling.number
        parameters["is_drafted"] = audience.is_drafted
    for account in audience.accounts:
        is_agreed = account in audience.agreed
        yield Recipient(
            account, None, reminder.case.public_id, {**parameters, "is_agreed": is_agreed}
        )


def unconfirmed(news: Announced) -> Recipients:
    """Those who can give the word for which a game waits: who sits at the table, or who rules at
    the event."""
    parameters = {"open_game": news.entry.subject, "table": news.payload["table"]}
    if news.event.confirmation == Event.Confirmer.ARBITER:
        for account in _rulers(news):
            yield Recipient(account, None, news.entry.subject, parameters)
        return
    for entry in told_of(Entry.objects.filter(seats__table__public_id=news.payload["table"])):
        yield from _to(entry, entry.public_id, parameters)


def called(news: Announced) -> Recipients:
    """Those who may rule on a call that still waits: arbiters and organisers of the club and of the
    event who neither sit at the table nor wrote on its sheet."""
    call = call_at(news.entry.subject)
    if call is None or call.number != news.payload["number"]:
        return
    table = call.row.table
    assert table is not None, "a game of an event has a table"
    parameters = {
        "open_game": news.entry.subject,
        "call": call.number,
        "number": number_of(table),
        "round": call.round_number,
    }
    for account in _rulers(news):
        if ruling_fault(call.row, Writer(account=(account, ""))) is None:
            yield Recipient(account, None, news.entry.subject, parameters)


def _rulers(news: Announced) -> list[int]:
    """The accounts of arbiters and organisers of the club and of the event, but for who acts."""
    roles = {"role__in": (Role.ARBITER, Role.ORGANISER)}
    accounts = set(
        Membership.objects.filter(club=news.entry.club_id, **roles).values_list("user", flat=True)
    )
    accounts |= set(
        Helper.objects.filter(event=news.within, ended_at=None, **roles).values_list(
            "user", flat=True
        )
    )
    return sorted(accounts - {news.entry.actor_id})


def proposed(news: Announced) -> Recipients:
    """Those of a game of which somebody proposes a correction, who can agree, but for that one."""
    for recipient in _of_game(Game.objects.get(public_id=news.entry.subject)):
        if recipient.account is not None and recipient.account != news.entry.actor_id:
            yield recipient._replace(
                parameters={"game": news.entry.subject, "proposal": news.payload["proposal"]}
            )


def arbiter_asks(news: Announced) -> Recipients:
    """Those of a game who are asked whether an account from outside is to rule on it."""
    game = Game.objects.get(public_id=news.entry.subject)
    parameters = {"game": game.public_id, "invitation": news.payload["invitation"]}
    for recipient in _of_game(game):
        if recipient.account is not None:
            yield recipient._replace(parameters=parameters)


def arbiter_rules(news: Announced) -> Recipients:
    """The account on which all seats of a game agreed."""
    acceptance = ArbiterAcceptance.objects.filter(
        invitation__public_id=news.payload["invitation"]
    ).first()
    if acceptance is not None:
        parameters = {"game": news.entry.subject, "invitation": news.payload["invitation"]}
        yield Recipient(acceptance.arbiter_id, None, news.entry.subject, parameters)


def statement(news: Announced) -> Recipients:
    """Those who read what was said about a disputed game: whoever sits there or rules on it, but
    for who said it."""
    game = Game.objects.get(public_id=news.payload["game"])
    parameters = {"game": game.public_id}
    reached = {news.entry.actor_id}
    for recipient in _of_game(game):
        if recipient.account is not None and recipient.account not in reached:
            reached.add(recipient.account)
            yield recipient._replace(subject=news.entry.subject, parameters=parameters)
    for account in _rulers(news):
        if account not in reached:
            yield Recipient(account, None, news.entry.subject, parameters)


def _of_game(game: Game) -> Recipients:
    """Those who sit at a game's table, or, of a game outside of events, those whose handles it
    has."""
    parameters = {"game": game.public_id}
    table_game = TableGame.objects.filter(game=game).first()
    if table_game is not None:
        for entry in told_of(Entry.objects.filter(seats__table=table_game.table_id)):
            yield from _to(entry, entry.public_id, parameters)
        return
    handles = Handle.objects.annotate(lower=Lower("handle")).filter(
        lower__in=game.seats.annotate(lower=Lower("handle")).values("lower")
    )
    players = Player.objects.filter(club__seasons__season_games__game=game, handles__in=handles)
    accounts = players.annotate(account=Coalesce("user", "merged_into__user")).exclude(account=None)
    for public_id, account in (
        accounts.order_by("pk").values_list("public_id", "account").distinct()
    ):
        yield Recipient(account, None, public_id, parameters)


def replaced(news: Announced) -> Recipients:
    """Those who were told their rank in an event that is over, and have another one since a game of
    it changed."""
    if news.within is None or news.event.status != Event.Status.FINISHED:
        return
    occasions = (Notice.Occasion.FINISHED, Notice.Occasion.REPLACED)
    notices = Notice.objects.filter(
        event=news.event, occasion__in=occasions, position__lt=news.entry.position
    )
    ranks_told = {
        subject: parameters["rank"]
        for subject, parameters in notices.order_by("position").values_list("subject", "parameters")
        if "rank" in parameters
    }
    if not ranks_told:
        return
    places = event_places(with_carried(started_stages(news.event)))
    ranks = _ranks(news.event, {placed.entry: placed.place for placed in places})
    for entry in told_of(
        Entry.objects.filter(event=news.event, pk__in=ranks, public_id__in=ranks_told)
    ):
        before = ranks_told[entry.public_id]
        if ranks[entry.pk]["rank"] != before:
            yield from _to(entry, entry.public_id, {**ranks[entry.pk], "before": before})


def message(news: Announced) -> Recipients:
    """Everybody who has a place hears what the organisers wrote."""
    letter = EventMessage.objects.get(event=news.event, public_id=news.payload["message"])
    for entry in told_of(Entry.objects.filter(event=news.event, status=Entry.Status.ENTERED)):
        yield from _to(entry, letter.public_id, {})
