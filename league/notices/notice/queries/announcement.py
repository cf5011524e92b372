"""All notices: one object in `NOTICES` has what makes it, whom it is for, its topic and its
words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from types import MappingProxyType
from typing import Final

from django.utils import timezone

from games.models import Game
from games.queries.void import standing_voids
from league.core.delivery.models.preference import NoticeTopic
from league.core.log.actions import Action
from league.core.log.models import LogEntry
from league.core.log.texts import texts_back
from league.disputes.appeal.actions import AppealAction
from league.disputes.arbiter.actions import ArbiterAction
from league.disputes.arbiter.permissions import agreed_invitations, good_invitations
from league.disputes.call.actions import CallAction
from league.disputes.call.queries import call_at
from league.disputes.hearing.actions import HearingAction
from league.disputes.reminder.queries import open_case
from league.disputes.ruling.actions import RulingAction
from league.disputes.statement.actions import StatementAction
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.floor.timetable.actions import TimetableAction
from league.notices.message.actions import MessageAction
from league.notices.notice import domain as words
from league.notices.notice.domain import NoticeNames, TitleBodyPath
from league.notices.notice.models import Notice
from league.notices.notice.queries import recipient
from league.notices.notice.queries.recipient import Announced, Recipients
from league.play.turn.queries import is_turn_of
from league.sheets.confirmation.queries.deadline import sheets_waiting
from league.sheets.sheet.actions import SheetAction
from league.stages.round.actions import RoundAction
from league.stages.round.models import StageRound
from league.stages.stage.actions import StageAction
from league.stages.stage.domain.facts import DRAWN
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction
from league.standings.ranked_game.queries.provisional import result_is_provisional

LATE: Final = timedelta(days=2)
"""News older than this is told nobody any more: after a long silence old news would come in
heaps."""
Occasion = Notice.Occasion


def _has_status(status: Entry.Status, notice: Notice) -> bool:
    return Entry.objects.filter(public_id=notice.subject, status=status).exists()


def _is_drawn(notice: Notice) -> bool:
    return StageRound.objects.filter(
        public_id=notice.parameters["stage_round"], status__in=DRAWN
    ).exists()


def _is_void(notice: Notice) -> bool:
    return bool(
        standing_voids(
            Game.objects.filter(public_id=notice.parameters["game"]).values_list("pk", flat=True)
        )
    )


def _is_newest(notice: Notice) -> bool:
    return not Game.objects.filter(replaces__public_id=notice.parameters["game"]).exists()


def _is_turn(notice: Notice) -> bool:
    return notice.user is not None and is_turn_of(notice.user, notice.subject, notice.position)


def _is_undecided(kind: str, notice: Notice) -> bool:
    return open_case(kind, notice.subject) is not None


def _is_asked(notice: Notice) -> bool:
    invitations = good_invitations().filter(public_id=notice.parameters["invitation"])
    return invitations.exists() and not _is_agreed(notice)


def _is_agreed(notice: Notice) -> bool:
    return agreed_invitations().filter(public_id=notice.parameters["invitation"]).exists()


def _is_disputed(notice: Notice) -> bool:
    return result_is_provisional(Game.objects.get(public_id=notice.parameters["game"]))


def _still_waits(notice: Notice) -> bool:
    return sheets_waiting().filter(open_game__public_id=notice.parameters["open_game"]).exists()


def _still_calls(notice: Notice) -> bool:
    call = call_at(notice.parameters["open_game"])
    return call is not None and call.number == notice.parameters["call"]


@dataclass(frozen=True, slots=True)
class NoticeRules:
    """All that is special about a notice.

    `topic`: by which people choose whether to hear of it. `actions`: the entries of the log that
    make it; none for a notice that a clock makes, or the end of a game turn by turn
    (`league.notices.notice.services.turn`). `recipients`: the people to tell of such an entry.
    `words`: its text for whoever reads it. `is_news`: it still holds when a letter goes out; None
    where it always does. `has_receipt`: it ends with the receipt of its entry, as what tells of a
    draw, a result or a ruling does."""

    occasion: Notice.Occasion
    topic: NoticeTopic
    actions: tuple[Action, ...]
    recipients: Callable[[Announced], Recipients]
    words: Callable[[Notice, NoticeNames], TitleBodyPath]
    is_news: Callable[[Notice], bool] | None = None
    has_receipt: bool = False


NOTICES: Final[Mapping[str, NoticeRules]] = MappingProxyType(
    {
        rules.occasion: rules
        for rules in (
            NoticeRules(
                Occasion.ENTERED,
                NoticeTopic.PLACE,
                (
                    EntryAction.ADDED,
                    EntryAction.CHANGED,
                ),
                recipient.entered,
                words.entered,
                is_news=partial(_has_status, Entry.Status.ENTERED),
            ),
            NoticeRules(
                Occasion.WAITING,
                NoticeTopic.PLACE,
                (
                    EntryAction.ADDED,
                    EntryAction.CHANGED,
                ),
                recipient.waiting,
                words.waiting,
                is_news=partial(_has_status, Entry.Status.WAITING),
            ),
            NoticeRules(
                Occasion.MOVED_UP,
                NoticeTopic.PLACE,
                (EntryAction.MOVED_UP,),
                recipient.moved_up,
                words.moved_up,
                is_news=partial(_has_status, Entry.Status.ENTERED),
            ),
            NoticeRules(
                Occasion.WITHDRAWN,
                NoticeTopic.PLACE,
                (EntryAction.CHANGED,),
                recipient.withdrawn,
                words.withdrawn,
            ),
            NoticeRules(
                Occasion.CHANGED,
                NoticeTopic.DATE,
                (EventAction.CHANGED,),
                recipient.changed,
                words.changed,
            ),
            NoticeRules(
                Occasion.CANCELLED,
                NoticeTopic.DATE,
                (EventAction.CHANGED,),
                recipient.cancelled,
                words.cancelled,
            ),
            NoticeRules(
                Occasion.TABLE,
                NoticeTopic.TABLE,
                (
                    RoundAction.PUBLISHED,
                    RoundAction.CHANGED,
                ),
                recipient.seated,
                words.table,
                is_news=_is_drawn,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.MOVED,
                NoticeTopic.TABLE,
                (
                    TimetableAction.PUBLISHED,
                    TimetableAction.CHANGED,
                    TimetableAction.DROPPED,
                ),
                recipient.moved,
                words.moved,
                is_news=_is_drawn,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.TAKEN_BACK,
                NoticeTopic.TABLE,
                (RoundAction.TAKEN_BACK,),
                recipient.taken_back,
                words.taken_back,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.STAGE_FINISHED,
                NoticeTopic.RESULT,
                (StageAction.FINISHED,),
                recipient.stage_finished,
                words.stage_finished,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.FINISHED,
                NoticeTopic.RESULT,
                (EventAction.CHANGED,),
                recipient.finished,
                words.finished,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.MESSAGE,
                NoticeTopic.MESSAGE,
                (MessageAction.EVENT_MESSAGE,),
                recipient.message,
                words.message,
            ),
            NoticeRules(
                Occasion.CORRECTED,
                NoticeTopic.RESULT,
                (GameAction.CORRECTED,),
                recipient.corrected,
                words.corrected,
                is_news=_is_newest,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.REPLACED,
                NoticeTopic.RESULT,
                (
                    GameAction.CORRECTED,
                    GameAction.VOIDED,
                    GameAction.RESTORED,
                ),
                recipient.replaced,
                words.replaced,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.VOIDED,
                NoticeTopic.RESULT,
                (GameAction.VOIDED,),
                recipient.voided,
                words.voided,
                is_news=_is_void,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.RESTORED,
                NoticeTopic.RESULT,
                (GameAction.RESTORED,),
                recipient.restored,
                words.restored,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.CALLED,
                NoticeTopic.TABLE,
                (CallAction.MADE,),
                recipient.called,
                words.called,
                is_news=_still_calls,
            ),
            NoticeRules(
                Occasion.OBJECTED,
                NoticeTopic.RESULT,
                (ObjectionAction.RAISED,),
                recipient.objected,
                words.objected,
                is_news=_is_newest,
            ),
            NoticeRules(
                Occasion.OBJECTION_WAITS,
                NoticeTopic.RESULT,
                (ObjectionAction.REMINDED,),
                recipient.case_waits,
                words.objection_waits,
                is_news=partial(_is_undecided, "objection"),
            ),
            NoticeRules(
                Occasion.OBJECTION_LATE,
                NoticeTopic.RESULT,
                (ObjectionAction.ESCALATED,),
                recipient.case_late,
                words.objection_late,
                is_news=partial(_is_undecided, "objection"),
            ),
            NoticeRules(
                Occasion.HEARD,
                NoticeTopic.RESULT,
                (HearingAction.OPENED,),
                recipient.heard,
                words.heard,
            ),
            NoticeRules(
                Occasion.HEARING_WAITS,
                NoticeTopic.RESULT,
                (HearingAction.REMINDED,),
                recipient.case_waits,
                words.hearing_waits,
                is_news=partial(_is_undecided, "hearing"),
            ),
            NoticeRules(
                Occasion.HEARING_LATE,
                NoticeTopic.RESULT,
                (HearingAction.ESCALATED,),
                recipient.case_late,
                words.hearing_late,
                is_news=partial(_is_undecided, "hearing"),
            ),
            NoticeRules(
                Occasion.RULED,
                NoticeTopic.RESULT,
                (RulingAction.MADE,),
                recipient.ruled,
                words.ruled,
                has_receipt=True,
            ),
            NoticeRules(
                Occasion.APPEALED,
                NoticeTopic.RESULT,
                (AppealAction.RAISED,),
                recipient.appealed,
                words.appealed,
            ),
            NoticeRules(
                Occasion.APPEAL_WAITS,
                NoticeTopic.RESULT,
                (AppealAction.REMINDED,),
                recipient.case_waits,
                words.appeal_waits,
                is_news=partial(_is_undecided, "appeal"),
            ),
            NoticeRules(
                Occasion.APPEAL_LATE,
                NoticeTopic.RESULT,
                (AppealAction.ESCALATED,),
                recipient.case_late,
                words.appeal_late,
                is_news=partial(_is_undecided, "appeal"),
            ),
            NoticeRules(
                Occasion.STATEMENT,
                NoticeTopic.RESULT,
                (StatementAction.MADE,),
                recipient.statement,
                words.statement,
                is_news=_is_disputed,
            ),
            NoticeRules(
                Occasion.UNCONFIRMED,
                NoticeTopic.TABLE,
                (SheetAction.REMINDED,),
                recipient.unconfirmed,
                words.unconfirmed,
                is_news=_still_waits,
            ),
            NoticeRules(
                Occasion.PROPOSED,
                NoticeTopic.RESULT,
                (ProposalAction.MADE,),
                recipient.proposed,
                words.proposed,
                is_news=_is_newest,
            ),
            NoticeRules(
                Occasion.ARBITER_ASKS,
                NoticeTopic.RESULT,
                (ArbiterAction.ACCEPTED,),
                recipient.arbiter_asks,
                words.arbiter_asks,
                is_news=_is_asked,
            ),
            NoticeRules(
                Occasion.ARBITER_RULES,
                NoticeTopic.RESULT,
                (ArbiterAction.AGREED,),
                recipient.arbiter_rules,
                words.arbiter_rules,
                is_news=_is_agreed,
            ),
            NoticeRules(
                Occasion.TURN,
                NoticeTopic.TURN,
                (),
                recipient.nobody,
                words.turn,
                is_news=_is_turn,
            ),
            NoticeRules(
                Occasion.TURN_ENDS,
                NoticeTopic.TURN,
                (),
                recipient.nobody,
                words.turn_ends,
                is_news=_is_turn,
            ),
            NoticeRules(
                Occasion.GAME_OVER,
                NoticeTopic.TURN,
                (),
                recipient.nobody,
                words.game_over,
            ),
        )
    }
)
"""All notices by occasion."""
ANNOUNCING: Final = tuple(
    dict.fromkeys(action.value for rules in NOTICES.values() for action in rules.actions)
)
"""The actions of the log, by name, of which somebody is told."""


def notices_of(entry: LogEntry) -> list[Notice]:
    """The notices that an entry of the log makes, not stored: none for what nobody has to be
    told."""
    if entry.at < timezone.now() - LATE:
        return []
    event = _event_of(entry)
    outside = event is None and entry.action.startswith(OUTSIDE_EVENTS)
    if not outside and (event is None or not event.announced):
        return []
    news = Announced(entry, texts_back(json.loads(entry.payload), entry.names), event)
    return [
        Notice(
            user_id=person.account,
            by_mail_id=person.by_mail,
            club_id=entry.club_id,
            position=entry.position,
            subject=person.subject,
            occasion=rules.occasion,
            event=event,
            parameters=person.parameters,
        )
        for rules in NOTICES.values()
        if entry.action in rules.actions
        for person in rules.recipients(news)
    ]


def _event_of(entry: LogEntry) -> Event | None:
    """The event that an entry tells of, with its club; None if there is none any more."""
    events = Event.objects.select_related("club")
    return events.filter(
        club=entry.club_id, **{SUBJECTS[entry.action.partition(".")[0]]: entry.subject}
    ).first()


OUTSIDE_EVENTS: Final = ("game.", "hearing.", "ruling.", "appeal.")
"""The beginnings of actions of which people are told also where a game was played at no event."""
OF_GAME: Final = "stages__stage_rounds__tables__table_games__game__public_id"
OF_OPEN_GAME: Final = "stages__stage_rounds__tables__open_games__open_game__public_id"
SUBJECTS: Final = {
    "event": "public_id",
    "entry": "entries__public_id",
    "stage": "stages__public_id",
    "round": "stages__stage_rounds__public_id",
    "timetable": "timetables__public_id",
    "game": OF_GAME,
    "objection": OF_GAME,
    "proposal": OF_GAME,
    "hearing": OF_GAME,
    "ruling": OF_GAME,
    "appeal": OF_GAME,
    "arbiter": OF_GAME,
    "statement": "stages__stage_rounds__tables__table_games__game__statements__public_id",
    "sheet": OF_OPEN_GAME,
    "call": OF_OPEN_GAME,
}
"""The way from an event to the subject of an entry, by the first word of its action."""
