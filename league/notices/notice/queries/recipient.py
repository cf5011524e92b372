"""The recipients of notices, one function for each notice. Each reads the database as it is now.

A job may read an entry of the log late. Nobody is told what no longer holds: a round that was taken
back, a place that was given up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
from league.events.entry.queries.disputed import has_disputed_result
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
from league.stages.stage.domain.facts import DRAWN, StageFacts
from league.stages.stage.domain.table_name import number_of, table_number
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts, started_stages
from league.stages.stage.queries.group import played_in_divisions
from league.stages.table.models import Table, TableGame, TableSeat

TIME_AND_PLACE: Final = ("starts_at", "ends_at", "venue")
"""The settings of an event that people are told of when they change."""
ACCOUNT: Final = Coalesce("player__user", "player__merged_into__user")
"""The account of an entry's player, or of the player into whom that one was merged."""
ADDRESS: Final = Coalesce("player__user__email", "player__merged_into__user__email")


def reachable(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return those entries whose players have an account or entered by mail.

    Each comes with its player, the row ids `account` and `mailed` (the entry by mail), and the
    `address` of the account.
    """
    with_accounts = entries.select_related("player").annotate(
        account=ACCOUNT, address=ADDRESS, mailed=F("by_mail")
    )
    has_recipient = Q(account__isnull=False) | Q(mailed__isnull=False)
    return with_accounts.filter(has_recipient).order_by("number")


class News(NamedTuple):
    """An entry of the log with its payload, and the event that it is about; `within` is None for a
    game played outside of events."""

    entry: LogEntry
    payload: dict[str, Any]
    within: Event | None

    @property
    def event(self) -> Event:
        """The event. Raise `ValueError` if there is none."""
        if self.within is None:
            raise ValueError(f"{self.entry} tells of no event")
        return self.within


class Recipient(NamedTuple):
    """Somebody to tell: an account, or an entry `by_mail`, both by row id. `subject`: the public id
    of what the notice is about. `parameters`: the values for its words."""

    account: int | None
    by_mail: int | None
    subject: str
    parameters: dict[str, Any]


Recipients = Iterator[Recipient]


def _recipients_behind(entry: Entry, subject: str, parameters: dict[str, Any]) -> Recipients:
    """Yield the recipients behind an entry that `reachable` returned: its account, and the address
    by which it was entered if the account has none (a phone's own account has no address)."""
    account: int | None = entry.account  # type: ignore[attr-defined]
    by_mail: int | None = entry.mailed if not entry.address else None  # type: ignore[attr-defined]
    if account is not None:
        yield Recipient(account, by_mail=None, subject=subject, parameters=parameters)
    if by_mail is not None:
        yield Recipient(account=None, by_mail=by_mail, subject=subject, parameters=parameters)


def nobody(news: News) -> Recipients:
    """Yield nobody, for notices that no entry of the log makes."""
    yield from ()


def entered(news: News) -> Recipients:
    """Yield the player who was entered, or came back, and has a place."""
    if _new_entry_status(news) == Entry.Status.ENTERED:
        yield from _player_if_entry_is(news, Entry.Status.ENTERED)


def waiting(news: News) -> Recipients:
    """Yield the player who was entered, or came back, and waits for a place, with the number on the
    waiting list."""
    if _new_entry_status(news) != Entry.Status.WAITING:
        return
    entries = Entry.objects.filter(public_id=news.entry.subject, status=Entry.Status.WAITING)
    for entry in reachable(entries):
        yield from _recipients_behind(entry, entry.public_id, {"place": waiting_place(entry)})


def moved_up(news: News) -> Recipients:
    """Yield the player who moved up from the waiting list."""
    yield from _player_if_entry_is(news, Entry.Status.ENTERED)


def withdrawn(news: News) -> Recipients:
    """Yield the player whose entry an organiser withdrew.

    Players who withdrew their own entry aren't told. A link in an email withdraws an entry without
    an account: then nobody is told."""
    actor_id = news.entry.actor_id
    if actor_id is None or _new_entry_status(news) != Entry.Status.WITHDRAWN:
        return
    recipients = list(_player_if_entry_is(news, Entry.Status.WITHDRAWN))
    if actor_id not in {recipient.account for recipient in recipients}:
        yield from recipients


def _new_entry_status(news: News) -> str | None:
    """Return the status that the log's entry gives to a player's entry in the event; None if it
    gives none."""
    if news.entry.action == EntryAction.CHANGED:
        status: str | None = news.payload["after"].get("status")
        return status
    return news.payload.get("status") or Entry.Status.ENTERED


def _player_if_entry_is(news: News, status: Entry.Status) -> Recipients:
    entries = Entry.objects.filter(public_id=news.entry.subject, status=status)
    for entry in reachable(entries):
        yield from _recipients_behind(entry, entry.public_id, {})


def cancelled(news: News) -> Recipients:
    """Yield the players of a cancelled event."""
    if _ending_status(news) == Event.Status.CANCELLED:
        yield from _players_of_event(news, {})


def changed(news: News) -> Recipients:
    """Yield the players of an event that got another time or place."""
    before = news.payload.get("before", {})
    after = news.payload.get("after", {})
    names = [name for name in TIME_AND_PLACE if name in after]
    if names and _ending_status(news) is None:
        change = {
            "before": {name: before.get(name, "") for name in names},
            "after": {name: after[name] for name in names},
        }
        yield from _players_of_event(news, change)


def _players_of_event(news: News, parameters: dict[str, Any]) -> Recipients:
    for entry in reachable(Entry.objects.filter(event=news.event, status__in=ACTIVE)):
        yield from _recipients_behind(entry, news.event.public_id, parameters)


def finished(news: News) -> Recipients:
    """Yield the players who had a place in a finished event, each with the final rank."""
    if _ending_status(news) != Event.Status.FINISHED:
        return
    final_ranks = FinalRank.objects.filter(event=news.event).values_list("entry", "rank")
    ranks = _rank_parameters_by_entry(news.event, dict(final_ranks))
    entries = Entry.objects.filter(event=news.event, status=Entry.Status.ENTERED)
    for entry in reachable(entries):
        yield from _recipients_behind(entry, entry.public_id, ranks.get(entry.pk, {}))


def _rank_parameters_by_entry(event: Event, ranks: dict[int, int]) -> dict[int, dict[str, Any]]:
    divisions = played_in_divisions(event)
    counts = Counter(divisions.get(entry, "") for entry in ranks)
    disputed_entries = Entry.objects.filter(has_disputed_result("pk", event.pk), event=event)
    disputed = set(disputed_entries.values_list("pk", flat=True))
    parameters: dict[int, dict[str, Any]] = {}
    for entry, rank in ranks.items():
        division = divisions.get(entry, "")
        parameters[entry] = {"rank": rank, "count": counts[division], "group": division}
        parameters[entry].update(_provisional_mark(is_provisional=entry in disputed))
    return parameters


def _provisional_mark(*, is_provisional: bool) -> dict[str, bool]:
    return {"provisional": True} if is_provisional else {}


def _ending_status(news: News) -> str | None:
    status = news.payload.get("after", {}).get("status")
    if status != news.event.status:
        return None
    if status not in (Event.Status.FINISHED, Event.Status.CANCELLED):
        return None
    return str(status)


def stage_finished(news: News) -> Recipients:
    """Yield the players of a finished stage, each with their place in its bracket, ladder or
    ranking, or in that of their group."""
    stages = Stage.objects.select_related("event__season__ranking", "event__club")
    stage = stages.get(public_id=news.entry.subject)
    if stage.status != Stage.Status.FINISHED:
        return

    facts = stage_facts(stage)
    places = _group_places_by_entry_id(facts)
    if stage.by_place:
        places.update(_stage_places_by_entry_id(facts))

    disputed = facts.provisional_entries
    for entry in reachable(Entry.objects.filter(participations__stage=stage)):
        parameters: dict[str, Any] = {"stage": stage.name}
        parameters.update(places.get(entry.public_id, {}))
        parameters.update(_provisional_mark(is_provisional=entry.pk in disputed))
        yield from _recipients_behind(entry, entry.public_id, parameters)


def _group_places_by_entry_id(facts: StageFacts) -> dict[str, dict[str, Any]]:
    places = {}
    for group in facts.groups:
        rows = group_ranking(facts, group.pk)
        for row in rows:
            place = {"rank": row.rank, "count": len(rows), "group": group.name}
            places[row.participant.player_id] = place
    return places


def _stage_places_by_entry_id(facts: StageFacts) -> dict[str, dict[str, Any]]:
    placed_members = stage_places(facts)
    places = {}
    for placed in placed_members:
        place = {"rank": placed.place, "count": len(placed_members), "group": ""}
        places[facts.members[placed.entry].entry_id] = place
    return places


def seated(news: News) -> Recipients:
    """Yield the players who sit at the tables of a round that was published. Of a draw changed by
    hand, yield only those whose table changed."""
    stage_round = StageRound.objects.select_related("stage").get(public_id=news.entry.subject)
    if stage_round.status not in DRAWN:
        return
    yield from _players_at_tables(
        stage_round,
        stage_round.tables.all(),
        only_changed=news.entry.action == RoundAction.CHANGED,
    )


def moved(news: News) -> Recipients:
    """Yield the players whose unfinished table has another time or place than they were told."""
    rounds = StageRound.objects.filter(
        stage__event=news.event, status__in=DRAWN, tables__finished=False
    )
    for stage_round in rounds.select_related("stage").distinct():
        unfinished = stage_round.tables.filter(finished=False)
        yield from _players_at_tables(stage_round, unfinished, only_changed=True)


def _players_at_tables(
    stage_round: StageRound, tables: QuerySet[Table], *, only_changed: bool
) -> Recipients:
    """Yield the players at these tables. With `only_changed`, leave out those whose last notice
    said the same."""
    last_parameters = _last_parameters_by_entry_id(stage_round) if only_changed else {}
    seats = TableSeat.objects.filter(table__in=tables)
    in_order = seats.select_related("table", "entry__player").order_by("table__number", "seat")
    seats_by_table = lists_by_key((seat.table_id, seat) for seat in in_order)
    seats_by_entry = {}
    for seats_at_table in seats_by_table.values():
        for seat in seats_at_table:
            seats_by_entry[seat.entry_id] = seats_at_table

    for entry in reachable(Entry.objects.filter(pk__in=seats_by_entry)):
        parameters = _table_parameters(stage_round, entry, seats_by_entry[entry.pk])
        if last_parameters.get(entry.public_id) != parameters:
            yield from _recipients_behind(entry, entry.public_id, parameters)


def _table_parameters(
    stage_round: StageRound, entry: Entry, seats: Sequence[TableSeat]
) -> dict[str, Any]:
    table = seats[0].table
    return {
        "round": stage_round.number,
        "stage": stage_round.stage.name,
        "stage_round": stage_round.public_id,
        "table": table.public_id,
        "number": table_number(stage_round.stage, stage_round.number, table.number),
        "place": table.place,
        "starts_at": table.starts_at.isoformat() if table.starts_at else "",
        "own": entry.player.public_id,
        "seats": [seat.entry.player.public_id for seat in seats],
    }


def _last_parameters_by_entry_id(stage_round: StageRound) -> dict[str, dict[str, Any]]:
    notices = Notice.objects.filter(
        parameters__stage_round=stage_round.public_id,
        occasion__in=(Notice.Occasion.TABLE, Notice.Occasion.MOVED),
        event__stages=stage_round.stage_id,
    )
    return dict(notices.order_by("position").values_list("subject", "parameters"))


def taken_back(news: News) -> Recipients:
    """Yield the players who were told of a table in a round that was taken back."""
    stage_round = StageRound.objects.select_related("stage").get(public_id=news.entry.subject)
    parameters = {"round": stage_round.number, "stage": stage_round.stage.name}
    for entry in reachable(
        Entry.objects.filter(public_id__in=_last_parameters_by_entry_id(stage_round))
    ):
        yield from _recipients_behind(entry, entry.public_id, parameters)


def corrected(news: News) -> Recipients:
    """Yield the players of a corrected game, except the one who corrected it; nobody if the game
    was corrected once more, or a ruling tells them."""
    game = Game.objects.get(public_id=news.entry.subject)
    if Game.objects.filter(replaces=game).exists():
        return
    if _is_told_by_ruling(game, Ruling.Verb.CORRECTED):
        return
    for recipient in _players_of_game(game):
        if not _is_actor(news, recipient):
            yield recipient


def voided(news: News) -> Recipients:
    """Yield the players of a game that is void now."""
    game = Game.objects.get(public_id=news.entry.subject)
    if game_void(game) is not None and not _is_told_by_ruling(game, Ruling.Verb.VOIDED):
        yield from _players_of_game(game)


def restored(news: News) -> Recipients:
    """Yield the players of a game that was void and counts again."""
    game = Game.objects.get(public_id=news.entry.subject)
    if game_void(game) is None and not _is_told_by_ruling(game, Ruling.Verb.RESTORED):
        yield from _players_of_game(game)


def _is_told_by_ruling(game: Game, verb: Ruling.Verb) -> bool:
    """Return True if the newest ruling did this to the game: then the notice of the ruling tells
    it."""
    newest = Ruling.objects.filter(outcome=game).order_by("number").last()
    return newest is not None and newest.verb == verb


def heard(news: News) -> Recipients:
    """Yield the players of a game about which an arbiter opened a hearing."""
    game = Game.objects.get(public_id=news.entry.subject)
    parameters = {"game": game.public_id}
    yield from _other_players_of_game(news, game, news.payload["hearing"], parameters)


def ruled(news: News) -> Recipients:
    """Yield the players of a game on which an arbiter ruled."""
    game = Game.objects.get(public_id=news.entry.subject)
    parameters = {"number": news.payload["number"]}
    yield from _other_players_of_game(news, game, news.payload["ruling"], parameters)


def appealed(news: News) -> Recipients:
    """Yield the arbiters and organisers who can decide an appeal, then the players of its game.

    Those who took part in the game or made the ruling can't decide it."""
    appeals = Appeal.objects.select_related(
        "ruling__outcome__season_game__season__club", "ruling__game"
    )
    appeal = appeals.get(public_id=news.payload["appeal"])
    game = appeal.ruling.outcome
    parameters = {
        "game": game.public_id,
        "ruling": appeal.ruling.public_id,
        "number": appeal.ruling.number,
    }
    barred = accounts_involved(game) | earlier_rulers(appeal.ruling)
    for account in _rulers_except_actor(news):
        if account not in barred:
            yield Recipient(
                account,
                by_mail=None,
                subject=appeal.public_id,
                parameters={**parameters, "decides": True},
            )
    yield from _other_players_of_game(
        news, game, appeal.public_id, {**parameters, "decides": False}
    )


def _other_players_of_game(
    news: News, game: Game, subject: str, parameters: dict[str, Any]
) -> Recipients:
    for recipient in _players_of_game(game):
        if not _is_actor(news, recipient):
            yield recipient._replace(subject=subject, parameters=parameters)


def _is_actor(news: News, recipient: Recipient) -> bool:
    return recipient.account is not None and recipient.account == news.entry.actor_id


def objected(news: News) -> Recipients:
    """Yield the arbiters and organisers of the club and of the event, except the one who
    objected."""
    for account in _rulers_except_actor(news):
        yield Recipient(
            account,
            by_mail=None,
            subject=news.payload["objection"],
            parameters={"game": news.entry.subject},
        )


def case_waits(news: News) -> Recipients:
    """Yield the accounts that are reminded first that an objection, a hearing or an appeal still
    waits."""
    yield from _rulers_of_case(news, late=False)


def case_late(news: News) -> Recipients:
    """Yield everybody who can decide an objection, a hearing or an appeal that still waits, also
    the account that raised it for a seat."""
    yield from _rulers_of_case(news, late=True)


def _rulers_of_case(news: News, *, late: bool) -> Recipients:
    """Yield the accounts that are told of a case that still waits for a decision. If it is `late`,
    all accounts that can decide it are told, otherwise only some (`audience_of`)."""
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


def unconfirmed(news: News) -> Recipients:
    """Yield the people who can confirm a game that waits for confirmation: the players at its
    table, or the arbiters if the event wants that."""
    parameters = {"open_game": news.entry.subject, "table": news.payload["table"]}
    if news.event.confirmation == Event.Confirmer.ARBITER:
        for account in _rulers_except_actor(news):
            yield Recipient(
                account, by_mail=None, subject=news.entry.subject, parameters=parameters
            )
        return
    entries = Entry.objects.filter(seats__table__public_id=news.payload["table"])
    for entry in reachable(entries):
        yield from _recipients_behind(entry, entry.public_id, parameters)


def called(news: News) -> Recipients:
    """Yield the arbiters and organisers who may rule on a call that still waits, since they neither
    sit at the table nor wrote on its sheet."""
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
    for account in _rulers_except_actor(news):
        if ruling_fault(call.row, Writer(account=(account, ""))) is None:
            yield Recipient(
                account, by_mail=None, subject=news.entry.subject, parameters=parameters
            )


def _rulers_except_actor(news: News) -> list[int]:
    rulers = (Role.ARBITER, Role.ORGANISER)
    members = Membership.objects.filter(club=news.entry.club_id, role__in=rulers)
    helpers = Helper.objects.filter(event=news.within, ended_at=None, role__in=rulers)
    accounts = set(members.values_list("user", flat=True))
    accounts.update(helpers.values_list("user", flat=True))
    return sorted(accounts - {news.entry.actor_id})


def proposed(news: News) -> Recipients:
    """Yield the players who can agree with a proposed correction of their game, except the one who
    proposed it."""
    game = Game.objects.get(public_id=news.entry.subject)
    parameters = {"game": news.entry.subject, "proposal": news.payload["proposal"]}
    for recipient in _players_of_game(game):
        if recipient.account is not None and not _is_actor(news, recipient):
            yield recipient._replace(parameters=parameters)


def arbiter_asks(news: News) -> Recipients:
    """Yield the players who are asked whether somebody from outside shall rule on their game."""
    game = Game.objects.get(public_id=news.entry.subject)
    parameters = {"game": game.public_id, "invitation": news.payload["invitation"]}
    for recipient in _players_of_game(game):
        if recipient.account is not None:
            yield recipient._replace(parameters=parameters)


def arbiter_rules(news: News) -> Recipients:
    """Yield the account on which all seats of a game agreed."""
    invitation = news.payload["invitation"]
    acceptance = ArbiterAcceptance.objects.filter(invitation__public_id=invitation).first()
    if acceptance is not None:
        parameters = {"game": news.entry.subject, "invitation": invitation}
        yield Recipient(
            acceptance.arbiter_id, by_mail=None, subject=news.entry.subject, parameters=parameters
        )


def statement(news: News) -> Recipients:
    """Yield the players of a disputed game about which a statement was made, and the arbiters and
    organisers, except whoever made it."""
    game = Game.objects.get(public_id=news.payload["game"])
    parameters = {"game": game.public_id}
    reached = {news.entry.actor_id}
    for recipient in _players_of_game(game):
        if recipient.account is not None and recipient.account not in reached:
            reached.add(recipient.account)
            yield recipient._replace(subject=news.entry.subject, parameters=parameters)
    for account in _rulers_except_actor(news):
        if account not in reached:
            yield Recipient(
                account, by_mail=None, subject=news.entry.subject, parameters=parameters
            )


def _players_of_game(game: Game) -> Recipients:
    parameters = {"game": game.public_id}
    table_game = TableGame.objects.filter(game=game).first()
    if table_game is not None:
        for entry in reachable(Entry.objects.filter(seats__table=table_game.table_id)):
            yield from _recipients_behind(entry, entry.public_id, parameters)
        return

    handles_in_game = game.seats.annotate(lower=Lower("handle")).values("lower")
    handles = Handle.objects.annotate(lower=Lower("handle")).filter(lower__in=handles_in_game)
    players = Player.objects.filter(club__seasons__season_games__game=game, handles__in=handles)
    accounts = players.annotate(account=Coalesce("user", "merged_into__user")).exclude(account=None)
    rows = accounts.order_by("pk").values_list("public_id", "account").distinct()
    for public_id, account in rows:
        yield Recipient(account, by_mail=None, subject=public_id, parameters=parameters)


def replaced(news: News) -> Recipients:
    """Yield the players of a finished event whose rank differs from the one they were told, since
    one of its games has changed."""
    if news.within is None or news.event.status != Event.Status.FINISHED:
        return
    ranks_told = _ranks_told_before(news)
    if not ranks_told:
        return
    places = event_places(with_carried(started_stages(news.event)))
    ranks = _rank_parameters_by_entry(news.event, {placed.entry: placed.place for placed in places})
    entries = Entry.objects.filter(event=news.event, pk__in=ranks, public_id__in=ranks_told)
    for entry in reachable(entries):
        before = ranks_told[entry.public_id]
        rank = ranks[entry.pk]
        if rank["rank"] != before:
            yield from _recipients_behind(entry, entry.public_id, {**rank, "before": before})


def _ranks_told_before(news: News) -> dict[str, int]:
    notices = Notice.objects.filter(
        event=news.event,
        occasion__in=(Notice.Occasion.FINISHED, Notice.Occasion.REPLACED),
        position__lt=news.entry.position,
    )
    ranks = {}
    for entry_id, parameters in notices.order_by("position").values_list("subject", "parameters"):
        if "rank" in parameters:
            ranks[entry_id] = parameters["rank"]
    return ranks


def message(news: News) -> Recipients:
    """Yield the players who have a place in an event to whom its organisers wrote."""
    letter = EventMessage.objects.get(event=news.event, public_id=news.payload["message"])
    entries = Entry.objects.filter(event=news.event, status=Entry.Status.ENTERED)
    for entry in reachable(entries):
        yield from _recipients_behind(entry, letter.public_id, {})
