"""How what changes stages, rounds and results is logged, for `tests/league/test_logging.py`."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

from engine.messages import say
from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.actions import Action
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.counting.event_rebuild.actions import RebuildAction
from league.counting.event_rebuild.services import event_rebuild
from league.counting.season_copy.services import event_copy, stages_spread
from league.disputes.agreement.services import proposal_agree
from league.disputes.appeal.actions import AppealAction
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.services import (
    appeal_decide,
    appeal_draft,
    appeal_raise,
    appeal_withdraw,
)
from league.disputes.arbiter.actions import ArbiterAction
from league.disputes.arbiter.services import (
    arbiter_accept,
    arbiter_assent,
    arbiter_decline,
    arbiter_invite,
    arbiter_leave,
    arbiter_withdraw,
)
from league.disputes.correction.services import game_correct
from league.disputes.hearing.actions import HearingAction
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.models import Objection
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.otherwise.actions import KeptAction
from league.disputes.otherwise.services import played_keep
from league.disputes.reminder.domain import ESCALATE_AFTER, REMIND_AFTER
from league.disputes.reminder.models import DisputeCase
from league.disputes.reminder.services import case_remind
from league.disputes.ruling.actions import RulingAction
from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.models import Ruling
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.domain.limits import KEPT_FOR
from league.disputes.statement.services.removal import (
    evidence_remove,
    old_statements_forget,
    statement_words_remove,
)
from league.events.entry.actions import EntryAction
from league.events.entry.services.entry import entry_change, entry_withdraw
from league.events.event.actions import EventAction
from league.events.series.domain import rule_of
from league.events.series.services import series_create
from league.models import (
    Appearance,
    ArbiterInvitation,
    Entry,
    Event,
    Format,
    Penalty,
    Proposal,
    Ranking,
    SetOrder,
    Stage,
    StageScoring,
    Statement,
    Table,
)
from league.site.erasure.services.erasure import player_erase
from league.stages.adjustment.queries import ranks_counting
from league.stages.adjustment.services.lift import adjustments_lift
from league.stages.adjustment.services.order import absent_put_last, order_lift, order_set
from league.stages.adjustment.services.penalty import penalty_add, penalty_lift
from league.stages.course.services.stage import (
    course_take_back,
    evening_begin,
    stage_begin,
    stage_finish,
    stage_resume,
    stage_set_back,
    stage_start,
    stage_start_undo,
)
from league.stages.result.services.result import table_game_enter, table_outcome_enter
from league.stages.result.services.void import game_restore, game_void_add
from league.stages.round.actions import RoundAction
from league.stages.round.services import (
    round_ask,
    round_change,
    round_draw,
    round_fail,
    round_publish,
    round_take_back,
)
from league.stages.stage.actions import StageAction
from league.stages.stage.services.stage import stage_change, stage_create, stage_drop
from league.stages.table.actions import TableAction
from league.stages.table.services.seats import seats_count
from league.stages.table.services.table import table_set_up
from league.stages.table.services.walkover import walkover_give, walkover_undo
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.services.counting import ranking_count
from league.standings.rating.services.ties import ties_average
from league.standings.season.actions import SeasonAction
from league.standings.season.queries.access import known_games
from league.standings.season.services.season import season_create
from tests.factories import events
from tests.factories.league import PlayerFactory, UserFactory
from tests.factories.proposals import proposed_correction
from tests.factories.records import bluff_record, line
from tests.factories.statements import statement_on
from tests.league.disputes.ruling.rulings import let_stand

PLAYERS: Final = 4
"""Two duels: whoever is corrected to have won meets the other winner, so that the next round is
surely another."""
NIGHT: Final = [
    *(SeasonAction.CREATED, EventAction.CREATED, EventAction.CHANGED, EventAction.CHANGED),
    *[PlayerAction.CREATED] * PLAYERS,
    *[EntryAction.ADDED] * PLAYERS,
    *[EntryAction.CHECKED_IN] * PLAYERS,
]
PLANNED: Final = [*NIGHT, StageAction.CREATED]
STARTED: Final = [*PLANNED, StageAction.STARTED]
ASKED: Final = [*STARTED, RoundAction.ASKED]
DRAWN: Final = [*ASKED, RoundAction.DRAWN]
PUBLISHED: Final = [*DRAWN, RoundAction.PUBLISHED]
CONTESTED: Final = [*PUBLISHED, *[GameAction.SEALED] * (PLAYERS // 2), ObjectionAction.RAISED]
RULED: Final = [*CONTESTED, RulingAction.MADE, ObjectionAction.ENDED]
APPEALED: Final = [*RULED, AppealAction.RAISED]
INVITED: Final = [*CONTESTED, ArbiterAction.INVITED]
ACCEPTED: Final = [*INVITED, ArbiterAction.ACCEPTED]
SPOKEN: Final = [*CONTESTED, StatementAction.MADE]
PROPOSED: Final = [*CONTESTED, PlayerAction.LINKED, ProposalAction.MADE, ProposalAction.AGREED]
WHY: Final = Actor(reason="They came together.")


def night(it: Any) -> Event:
    """An event that runs, with those who play there."""
    season = season_create(
        club=it.club,
        actor=it.actor,
        slug="cups",
        name="Cups",
        starts_on=date(2026, 9, 1),
        scoring="placement",
    )
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(it.club, PLAYERS))
    return made


def planned(it: Any, **settings: Any) -> Stage:
    """A stage of duels that hasn't started."""
    return events.stage(night(it), start=False, **{"sizes": [2], "rounds": 2, **settings})


def started(it: Any, **settings: Any) -> Stage:
    """A stage without rounds."""
    stage = planned(it, **settings)
    stage_start(stage=stage, actor=it.actor)
    return stage


def table_of(stage: Stage) -> Table:
    """The first table of a stage's first round."""
    found = Table.objects.select_related("stage_round__stage__event__season__club")
    return found.filter(stage_round__stage=stage).order_by("stage_round__number", "number")[0]


def asked(it: Any) -> int:
    """A round that waits to be drawn."""
    return round_ask(stage=started(it), actor=it.actor).pk


def fail(it: Any) -> object:
    return round_fail(
        round_id=asked(it), why=say("the draw took too long; plan fewer rounds, or more groups")
    )


def publish(it: Any) -> object:
    return round_publish(stage_round=events.drawn(started(it), publish=False), actor=it.actor)


def change(it: Any) -> object:
    drawn = events.drawn(stage := started(it), publish=False)
    facts = events.facts(stage)
    turned = [facts.ids(table)[::-1] for table in facts.tables]
    return round_change(
        stage_round=drawn,
        tables=turned,
        draws_seen=[draw.public_id for draw in facts.draws],
        actor=WHY,
    )


def take_back(it: Any) -> None:
    round_take_back(stage_round=events.drawn(started(it)), actor=it.actor)


def keep(it: Any) -> object:
    stage = started(it)
    events.play(events.drawn(stage))
    events.drawn(stage)
    game = table_of(stage).results.get().game
    value = json.loads(write(sealed_record(game)[0]))
    value["outcome"]["rank"].reverse()
    game_correct(
        game=game, line=json.dumps(value).encode(), reason="mixed up", entered_by_id=it.organiser.pk
    )
    return played_keep(stage=stage, actor=it.actor)


def spread(it: Any) -> int:
    """A stage of the first date of a series, planned for the two dates after it."""
    season = planned(it).event.season
    series_create(
        season=season,
        actor=it.actor,
        slug="thursday",
        name="Thursday",
        starts_at=events.BEGINS,
        rule=rule_of(1, {events.BEGINS.weekday()}, count=3),
    )
    first = Event.objects.filter(series__isnull=False).earliest("starts_at")
    events.stage(first, start=False)
    return stages_spread(event=first, actor=it.actor)


def set_back(it: Any) -> None:
    drawn = events.drawn(started(it))
    stage_set_back(stage=drawn.stage, actor=it.actor)


def give(it: Any) -> Table:
    events.drawn(stage := started(it))
    table = table_of(stage)
    entry = Entry.objects.select_related("event").get(seats__table=table, seats__seat=0)
    entry_withdraw(entry=entry, actor=it.actor)
    walkover_give(table=table, actor=WHY)
    return table


def erase(it: Any) -> object:
    """Somebody whom the reasons of a correction, a void, a changed draw and a table given without
    play name, and the words of an objection, a hearing, a ruling and an appeal."""
    named = PlayerFactory.create(club=it.club, handle="together")
    drawn = events.drawn(stage := started(it), publish=False)
    facts = events.facts(stage)
    turned = [facts.ids(table)[::-1] for table in facts.tables]
    round_change(
        stage_round=drawn,
        tables=turned,
        draws_seen=[draw.public_id for draw in facts.draws],
        actor=WHY,
    )
    round_publish(stage_round=drawn, actor=it.actor)
    table = table_of(stage)
    entry_withdraw(
        entry=Entry.objects.select_related("event").get(seats__table=table, seats__seat=0),
        actor=it.actor,
    )
    walkover_give(table=table, actor=WHY)
    events.play(drawn)
    disputed = known_games().get(table_game__isnull=False)
    objection = objection_raise(game=disputed, seat=0, word=WHY.reason, actor=it.actor)
    hearing_open(game=disputed, word=WHY.reason, actor=it.actor)
    let_stand(objection, actor=WHY)
    appeal_raise(ruling=ruling_of(it), seat=0, word=WHY.reason, actor=it.actor)
    game = Game.objects.filter(season_game__season=it.season).order_by("pk")[0]
    other = bluff_record(9) | {"id": game.external_id}
    game_void_add(game=game_correct(game=game, line=line(other), reason=WHY.reason), actor=WHY)
    return player_erase(player=named, actor=it.actor)


def void(it: Any) -> Game:
    game = Game.objects.filter(season_game__season=it.season).earliest("pk")
    game_void_add(game=game, actor=WHY)
    return game


def first_game(it: Any) -> Game:
    game: Game = Game.objects.filter(season_game__season=it.season).earliest("pk")
    return game


def fine(it: Any) -> Penalty:
    return penalty_add(game=first_game(it), seat=0, points=2, actor=WHY)


def put_in_order(it: Any) -> Game:
    game = first_game(it)
    order_set(game=game, ranks=[1] * game.seats.count(), actor=WHY)
    return game


def miss(it: Any) -> SetOrder:
    """Put the first who isn't last alone there."""
    game = first_game(it)
    ranks = ranks_counting(game)
    return absent_put_last(game=game, seats=[ranks.index(min(ranks))], actor=WHY)


def lift(it: Any) -> object:
    """Give penalty points back, and let the order be as it was played."""
    game = fine(it).game
    return adjustments_lift(game=game, actor=WHY)


def contest(it: Any, seat: int = 0) -> Objection:
    events.play(events.drawn(started(it)))
    game = Game.objects.filter(table_game__isnull=False).latest("pk")
    return objection_raise(game=game, seat=seat, word="Two dice were hidden.", actor=it.actor)


def remind(it: Any) -> None:
    """Somebody is reminded of an objection, of a hearing and of an appeal, and then everybody is
    told."""
    objection = contest(it)
    remind_twice(objection)
    remind_twice(hearing_open(game=objection.game, word="Who called?", actor=Actor()))
    let_stand(objection, actor=WHY)
    remind_twice(
        appeal_raise(ruling=ruling_of(it), seat=0, word="Nobody asked me.", actor=it.actor)
    )


def remind_twice(case: DisputeCase) -> None:
    """Let three days pass, and then four more."""
    for wait in (REMIND_AFTER, ESCALATE_AFTER):
        with patch("django.utils.timezone.now", return_value=case.reminder.since + wait):
            case_remind(reminder_id=case.reminder.pk)


def speak(it: Any) -> Statement:
    """Somebody says something about a game to which a seat objects."""
    return statement_on(contest(it).game)


def let_old(it: Any) -> None:
    """What was said about a game is removed, long after its dispute."""
    statement = speak(it)
    objection = Objection.objects.select_related("game__season_game__season").get(
        game=statement.game
    )
    end = objection_withdraw(objection=objection, actor=it.actor)
    with patch("django.utils.timezone.now", return_value=end.ended_at + 2 * KEPT_FOR):
        old_statements_forget()


def propose(it: Any) -> Proposal:
    return proposed_correction(contest(it).game)


def rule(it: Any) -> Ruling:
    let_stand(contest(it), actor=WHY)
    return ruling_of(it)


def ruling_of(it: Any) -> Ruling:
    """The club's only ruling."""
    return Ruling.objects.select_related("outcome__season_game__season__club").get(club=it.club)


def appeal(it: Any) -> Appeal:
    return appeal_raise(ruling=rule(it), seat=0, word="Nobody asked me.", actor=it.actor)


def decide(it: Any) -> Ruling:
    """Two arbiters decide an appeal."""
    first, second = UserFactory.create(), UserFactory.create()
    draft = appeal_draft(
        appeal=appeal(it),
        decision=RulingDecision(Ruling.Verb.STANDS),
        finding=Finding("It was as the record tells.", WHY.reason),
        author_id=first.pk,
        key=uuid4(),
    )
    return appeal_decide(draft=draft, actor=Actor(second.pk))


def invite(it: Any) -> ArbiterInvitation:
    return arbiter_invite(game=known_games().get(pk=contest(it).game_id), actor=it.actor)[0]


def accept(it: Any) -> ArbiterInvitation:
    invitation = invite(it)
    arbiter_accept(invitation=invitation, user=UserFactory.create(), close_to=[1], actor=Actor())
    return invitation


def agree(it: Any) -> ArbiterInvitation:
    invitation = accept(it)
    for seat in (0, 1):
        arbiter_assent(invitation=invitation, seat=seat, actor=it.actor)
    return invitation


def leave(it: Any) -> None:
    arbiter = accept(it).acceptance.arbiter
    arbiter_leave(user=arbiter, actor=Actor(arbiter.pk))


def finish(it: Any) -> Stage:
    stage_finish(stage=(stage := started(it)), actor=it.actor)
    return stage


def outcome(it: Any) -> object:
    events.drawn(stage := started(it))
    facts = events.facts(stage)
    ranks = {id: place for place, id in enumerate(facts.ids(facts.tables[0]), start=1)}
    return table_outcome_enter(table=table_of(stage), ranks=ranks, actor=it.actor)


def record(it: Any) -> object:
    events.drawn(stage := started(it))
    facts = events.facts(stage)
    handles = [facts.members[entry].handle for entry in facts.tables[0].entries]
    return table_game_enter(
        table=table_of(stage), line=line(bluff_record(7, seats=handles)), actor=it.actor
    )


def challenge(it: Any) -> object:
    stage = started(it, format=Format.LADDER, rounds=None)
    ids = [member.entry_id for member in events.facts(stage).members.values()]
    return table_set_up(stage=stage, players=ids[:2], actor=it.actor)


def recount(it: Any) -> None:
    """Count a season of before in which a guest sat."""
    events.drawn(stage := started(it))
    entry_change(entry=Entry.objects.filter(event=stage.event_id)[0], guest=True, actor=it.actor)
    events.play(stage.stage_rounds.get())
    Ranking.objects.filter(season=stage.event.season_id).update(seats_counted=False)
    seats_count()


def rate_anew(it: Any) -> None:
    """Rate a ranking of before in which a place was shared."""
    events.drawn(stage := started(it))
    events.play(stage.stage_rounds.get())
    ranking = Ranking.objects.get(season=stage.event.season_id)
    ranking_count(ranking_id=ranking.pk)
    Appearance.objects.filter(ranking=ranking).update(rank=1)
    Ranking.objects.filter(pk=ranking.pk).update(ties_averaged=False)
    ties_average()


LOGGED: Final[dict[str, tuple[Callable[[Any], object], list[Action]]]] = {
    "stages.stage.stage.stage_create": (
        lambda it: stage_create(
            event=night(it),
            actor=it.actor,
            name="Main",
            format=Format.PODS,
            sizes=[4, 3, 2],
            rounds=2,
        ),
        PLANNED,
    ),
    "stages.stage.stage.stage_change": (
        lambda it: stage_change(
            stage=planned(it), actor=it.actor, scoring=StageScoring.WIN_DRAW_LOSS
        ),
        [*PLANNED, StageAction.CHANGED],
    ),
    "stages.stage.stage.stage_drop": (
        lambda it: stage_drop(stage=planned(it), actor=it.actor),
        [*PLANNED, StageAction.CHANGED],
    ),
    "stages.course.stage.stage_start": (started, STARTED),
    "stages.course.stage.stage_begin": (
        lambda it: stage_begin(stage=planned(it), actor=it.actor),
        ASKED,
    ),
    "stages.course.stage.evening_begin": (
        lambda it: evening_begin(stage=planned(it), actor=it.actor),
        ASKED,
    ),
    "counting.season_copy.event_copy": (
        lambda it: event_copy(
            event=planned(it).event,
            actor=it.actor,
            slug="night-2",
            name="Night 2",
            starts_at=events.BEGINS,
        ),
        [*PLANNED, EventAction.CREATED, StageAction.CREATED],
    ),
    "counting.season_copy.stages_spread": (
        spread,
        [
            *PLANNED,
            EventAction.SERIES_CREATED,
            *[EventAction.CREATED] * 3,
            *[StageAction.CREATED] * 3,
        ],
    ),
    "stages.course.stage.stage_start_undo": (
        lambda it: stage_start_undo(stage=started(it), actor=it.actor),
        [*STARTED, StageAction.CHANGED],
    ),
    "stages.course.stage.stage_finish": (finish, [*STARTED, StageAction.FINISHED]),
    "stages.course.stage.stage_resume": (
        lambda it: stage_resume(stage=finish(it), actor=it.actor),
        [*STARTED, StageAction.FINISHED, StageAction.CHANGED],
    ),
    "site.erasure.erasure.player_erase": (
        erase,
        [
            *(PlayerAction.CREATED, *DRAWN, RoundAction.CHANGED, RoundAction.PUBLISHED),
            *(EntryAction.CHANGED, TableAction.WALKOVER, GameAction.SEALED, ObjectionAction.RAISED),
            *(HearingAction.OPENED, RulingAction.MADE, ObjectionAction.ENDED, AppealAction.RAISED),
            *(GameAction.CORRECTED, GameAction.VOIDED),
            *(
                GameAction.REASON_REMOVED,
                GameAction.VOID_REASON_REMOVED,
                *[ObjectionAction.TEXT_REMOVED] * 2,
            ),
            *(HearingAction.TEXT_REMOVED, RulingAction.TEXT_REMOVED, AppealAction.TEXT_REMOVED),
            *(RoundAction.REASON_REMOVED, TableAction.REASON_REMOVED),
            PlayerAction.ERASED,
        ],
    ),
    "stages.round.round_ask": (asked, ASKED),
    "stages.round.round_draw": (lambda it: round_draw(round_id=asked(it)), DRAWN),
    "stages.round.round_fail": (fail, [*ASKED, RoundAction.FAILED]),
    "stages.round.round_publish": (publish, PUBLISHED),
    "stages.round.round_change": (change, [*DRAWN, RoundAction.CHANGED]),
    "stages.round.round_take_back": (take_back, [*PUBLISHED, RoundAction.TAKEN_BACK]),
    "disputes.otherwise.played_keep": (
        keep,
        [
            *PUBLISHED,
            *[GameAction.SEALED] * (PLAYERS // 2),
            *(RoundAction.ASKED, RoundAction.DRAWN, RoundAction.PUBLISHED),
            *(GameAction.CORRECTED, KeptAction.ROUND_KEPT),
        ],
    ),
    "stages.course.stage.course_take_back": (
        lambda it: course_take_back(stage_round=events.drawn(started(it)), actor=it.actor),
        [*PUBLISHED, RoundAction.TAKEN_BACK],
    ),
    "stages.course.stage.stage_set_back": (
        set_back,
        [*PUBLISHED, RoundAction.TAKEN_BACK, StageAction.CHANGED],
    ),
    "stages.table.walkover.walkover_give": (
        give,
        [*PUBLISHED, EntryAction.CHANGED, TableAction.WALKOVER],
    ),
    "stages.table.walkover.walkover_undo": (
        lambda it: walkover_undo(table=give(it), actor=it.actor),
        [*PUBLISHED, EntryAction.CHANGED, TableAction.WALKOVER, TableAction.WALKOVER],
    ),
    "stages.table.seats.seats_count": (
        recount,
        [
            *PUBLISHED,
            EntryAction.CHANGED,
            GameAction.SEALED,
            GameAction.SEALED,
            RankingAction.RECOUNTED,
        ],
    ),
    "standings.rating.ties.ties_average": (
        rate_anew,
        [*PUBLISHED, GameAction.SEALED, GameAction.SEALED, RankingAction.RERATED],
    ),
    "stages.result.result.table_outcome_enter": (outcome, [*PUBLISHED, GameAction.SEALED]),
    "stages.result.result.table_game_enter": (record, [*PUBLISHED, GameAction.SEALED]),
    "disputes.objection.objection_raise": (contest, CONTESTED),
    "disputes.objection.objection_withdraw": (
        lambda it: objection_withdraw(objection=contest(it), actor=it.actor),
        [*CONTESTED, ObjectionAction.ENDED],
    ),
    "disputes.reminder.case_remind": (
        remind,
        [
            *CONTESTED,
            ObjectionAction.REMINDED,
            ObjectionAction.ESCALATED,
            HearingAction.OPENED,
            HearingAction.REMINDED,
            HearingAction.ESCALATED,
            RulingAction.MADE,
            ObjectionAction.ENDED,
            AppealAction.RAISED,
            AppealAction.REMINDED,
            AppealAction.ESCALATED,
        ],
    ),
    "disputes.hearing.hearing_open": (
        lambda it: hearing_open(game=contest(it).game, word="Who called?", actor=Actor()),
        [*CONTESTED, HearingAction.OPENED],
    ),
    "disputes.ruling.ruling.ruling_make": (rule, RULED),
    "disputes.appeal.appeal_raise": (appeal, APPEALED),
    "disputes.appeal.appeal_withdraw": (
        lambda it: appeal_withdraw(appeal=appeal(it), actor=it.actor),
        [*APPEALED, AppealAction.ENDED],
    ),
    "disputes.appeal.appeal_decide": (
        decide,
        [*APPEALED, RulingAction.MADE, AppealAction.ENDED],
    ),
    "disputes.agreement.correction_propose": (propose, PROPOSED),
    "disputes.statement.statement.statement_add": (speak, SPOKEN),
    "disputes.statement.removal.statement_words_remove": (
        lambda it: statement_words_remove(statement=speak(it), actor=WHY),
        [*SPOKEN, StatementAction.EMPTIED],
    ),
    "disputes.statement.removal.evidence_remove": (
        lambda it: evidence_remove(
            evidence=speak(it).files.select_related("statement__game").get(), actor=WHY
        ),
        [*SPOKEN, StatementAction.FILE_REMOVED],
    ),
    "disputes.statement.removal.old_statements_forget": (
        let_old,
        [*SPOKEN, ObjectionAction.ENDED, StatementAction.FILE_REMOVED, StatementAction.EMPTIED],
    ),
    "disputes.agreement.proposal_agree": (
        lambda it: proposal_agree(proposal=propose(it), seat=0, actor=it.actor),
        [*PROPOSED, ProposalAction.AGREED, GameAction.CORRECTED, ObjectionAction.ENDED],
    ),
    "disputes.arbiter.arbiter_invite": (invite, INVITED),
    "disputes.arbiter.arbiter_accept": (accept, ACCEPTED),
    "disputes.arbiter.arbiter_assent": (
        agree,
        [*ACCEPTED, *[ArbiterAction.ASSENTED] * 2, ArbiterAction.AGREED],
    ),
    "disputes.arbiter.arbiter_decline": (
        lambda it: arbiter_decline(invitation=accept(it), seat=1, actor=it.actor),
        [*ACCEPTED, ArbiterAction.ENDED],
    ),
    "disputes.arbiter.arbiter_withdraw": (
        lambda it: arbiter_withdraw(invitation=invite(it), actor=it.actor),
        [*INVITED, ArbiterAction.ENDED],
    ),
    "disputes.arbiter.arbiter_leave": (leave, [*ACCEPTED, ArbiterAction.ENDED]),
    "stages.result.void.game_void_add": (void, [GameAction.VOIDED]),
    "stages.result.void.game_restore": (
        lambda it: game_restore(game=void(it), actor=WHY),
        [GameAction.VOIDED, GameAction.RESTORED],
    ),
    "stages.adjustment.penalty.penalty_add": (fine, [GameAction.PENALIZED]),
    "stages.adjustment.penalty.penalty_lift": (
        lambda it: penalty_lift(penalty=fine(it), actor=WHY),
        [GameAction.PENALIZED, GameAction.PENALTY_LIFTED],
    ),
    "stages.adjustment.order.order_set": (put_in_order, [GameAction.ORDER_SET]),
    "stages.adjustment.order.order_lift": (
        lambda it: order_lift(game=put_in_order(it), actor=WHY),
        [GameAction.ORDER_SET, GameAction.ORDER_LIFTED],
    ),
    "stages.adjustment.order.absent_put_last": (miss, [GameAction.ORDER_SET]),
    "stages.adjustment.lift.adjustments_lift": (
        lift,
        [GameAction.PENALIZED, GameAction.PENALTY_LIFTED],
    ),
    "stages.table.table.table_set_up": (challenge, [*STARTED, TableAction.CHALLENGED]),
    "counting.event_rebuild.event_rebuild": (
        lambda it: event_rebuild(event_id=started(it).event_id, actor=it.actor),
        [*STARTED, RebuildAction.EVENT_REBUILT],
    ),
}
READS: Final = "only reads, or refuses"
DERIVES: Final = (
    "only computes what follows from the facts: it changes nothing that somebody could have said"
)
UNLOGGED: Final = {
    "stages.stage.stage.stage_settings": READS,
    "stages.stage.stage.stage_check": READS,
    "stages.stage.stage.refuse_unfinished": READS,
    "events.event.refuse_unless_running": READS,
    "events.event.refuse_unreasoned": READS,
    "stages.round.rounds_waiting": READS,
    "stages.round.refuse_settled": READS,
    "stages.round.refuse_seating": READS,
    "stages.round.answer_by_hand": READS,
    "stages.result.result.outcome_line": READS,
    "stages.result.result.result_hold": READS,
    "stages.result.result.table_hold": READS,
    "stages.result.result.outcome_fault": READS,
    "stages.result.result.seats_at": READS,
    "stages.stage.stage.rounds_finish": "part of a larger action, whose journal it is given",
    "stages.stage.latecomer.stage_join": "part of a larger action, whose journal it is given",
    "stages.result.result.refuse_full": READS,
    "stages.result.result.adjustment_follows": DERIVES,
    "stages.adjustment.adjusting.adjusting": "the transaction of what is logged in it",
    "stages.adjustment.adjusting.adjustments_follow": (
        "part of a larger action, whose journal it is given"
    ),
    "stages.adjustment.adjusting.refuse_unadjustable": READS,
    "stages.adjustment.penalty.refuse_penalty": READS,
    "stages.adjustment.penalty.refuse_lift": READS,
    "stages.adjustment.order.refuse_order": READS,
    "stages.adjustment.order.refuse_order_lift": READS,
    "stages.adjustment.order.ranks_without": READS,
    "disputes.adjustment.penalty_preview": READS,
    "disputes.adjustment.order_preview": READS,
    "disputes.adjustment.lift_preview": READS,
    "stages.adjustment.lift.refuse_unadjusted": READS,
    "disputes.adjustment.absent_preview": READS,
    "stages.result.result.refuse_further": READS,
    "stages.result.result.refuse_walkover": READS,
    "stages.result.result.refuse_closed": READS,
    "stages.result.result.void_follows": DERIVES,
    "disputes.reminder.reminder_begin": "part of a larger action, which is logged",
    "disputes.reminder.reminder_end": "part of a larger action, which is logged",
    "disputes.objection.objections_close": "part of a larger action, whose journal it is given",
    "disputes.objection.objections_forget": "part of a larger action, whose journal it is given",
    "disputes.objection.objection_text_remove": (
        "part of a larger action, whose journal it is given"
    ),
    "disputes.objection.game_acting_role": READS,
    "disputes.objection.seat_acting_role": READS,
    "disputes.hearing.hearing_text_remove": "part of a larger action, whose journal it is given",
    "disputes.ruling.ruling.ruling_preview": READS,
    "disputes.ruling.ruling.refuse_unfit": READS,
    "disputes.ruling.ruling.refusal": READS,
    "disputes.ruling.ruling.refuse_if_ruling_needed": READS,
    "disputes.ruling.verb.verbs_for": READS,
    "disputes.ruling.verb.changed_rows": READS,
    "disputes.appeal.appeal_draft": "a draft is no fact: nothing follows from it",
    "disputes.appeal.appeal_draft_discard": "a draft is no fact: nothing follows from it",
    "disputes.appeal.appeal_text_remove": "part of a larger action, whose journal it is given",
    "disputes.appeal.appeal_drafts_erase": "a draft is no fact: nothing follows from it",
    "disputes.appeal.appeals_forget": "part of a larger action, whose journal it is given",
    "disputes.ruling.ruling.ruling_text_remove": (
        "part of a larger action, whose journal it is given"
    ),
    "disputes.statement.evidence.kept_file": READS,
    "disputes.statement.removal.words_drop": "part of a larger action, whose journal it is given",
    "disputes.statement.removal.files_drop": "part of a larger action, whose journal it is given",
    "disputes.statement.removal.statements_forget": (
        "part of a larger action, whose journal it is given"
    ),
    "stages.result.void.table_games_void": (
        "voids one game after the other, each of which is logged"
    ),
    "stages.round.games_from": READS,
    "stages.course.stage.course_games": READS,
    "stages.result.result.results_follow": "part of a larger action, whose journal it is given",
    "stages.result.result.score_write": DERIVES,
    "stages.table.seats.season_recount": (
        "has something computed anew; whoever asks for it logs why"
    ),
    "stages.result.result.table_settle": DERIVES,
    "stages.stage.version.version_raise": DERIVES,
}
