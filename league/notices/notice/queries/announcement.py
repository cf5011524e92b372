"""The registry of notices. One object in `NOTICES` knows which entries of the log make a notice,
its recipients, its topic and its words."""

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
from league.notices.notice import domain as wording
from league.notices.notice.domain import NoticeWords
from league.notices.notice.models import Notice
from league.notices.notice.queries import recipient
from league.notices.notice.queries.recipient import News, Recipient, Recipients
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
"""News older than this make no notice: after a long outage there would be heaps of them."""
Occasion = Notice.Occasion


def _has_status(status: Entry.Status, notice: Notice) -> bool:
    return Entry.objects.filter(public_id=notice.subject, status=status).exists()


def _is_drawn(notice: Notice) -> bool:
    stage_rounds = StageRound.objects.filter(public_id=notice.parameters["stage_round"])
    return stage_rounds.filter(status__in=DRAWN).exists()


def _is_void(notice: Notice) -> bool:
    games = Game.objects.filter(public_id=notice.parameters["game"])
    return bool(standing_voids(games.values_list("pk", flat=True)))


def _is_newest_revision(notice: Notice) -> bool:
    return not Game.objects.filter(replaces__public_id=notice.parameters["game"]).exists()


def _is_still_turn(notice: Notice) -> bool:
    return notice.user is not None and is_turn_of(notice.user, notice.subject, notice.position)


def _is_undecided(kind: str, notice: Notice) -> bool:
    return open_case(kind, notice.subject) is not None


def _waits_for_seats_to_agree(notice: Notice) -> bool:
    invitations = good_invitations().filter(public_id=notice.parameters["invitation"])
    return invitations.exists() and not _have_seats_agreed(notice)


def _have_seats_agreed(notice: Notice) -> bool:
    return agreed_invitations().filter(public_id=notice.parameters["invitation"]).exists()


def _is_disputed(notice: Notice) -> bool:
    return result_is_provisional(Game.objects.get(public_id=notice.parameters["game"]))


def _waits_for_confirmation(notice: Notice) -> bool:
    return sheets_waiting().filter(open_game__public_id=notice.parameters["open_game"]).exists()


def _waits_for_arbiter(notice: Notice) -> bool:
    call = call_at(notice.parameters["open_game"])
    return call is not None and call.number == notice.parameters["call"]


@dataclass(frozen=True, slots=True)
class NoticeRules:
    """The rules of one kind of notice.

    `topic`: the topic that people choose in their settings. `actions`: the actions of the log that
    make the notice; none if a clock makes it, or the end of a game turn by turn
    (`league.notices.notice.services.turn`). `recipients`: yields the people to tell. `words`:
    returns its text in the active language. `is_news`: returns False if the notice is outdated when
    its email is due; None for notices that never are. `has_receipt`: True if its text ends with the
    receipt of the log's entry, as in notices of draws, results and rulings.
    """

    occasion: Notice.Occasion
    topic: NoticeTopic
    actions: tuple[Action, ...]
    recipients: Callable[[News], Recipients]
    words: NoticeWords
    is_news: Callable[[Notice], bool] | None = None
    has_receipt: bool = False


ALL_NOTICES: Final = (
    NoticeRules(
        Occasion.ENTERED,
        NoticeTopic.PLACE,
        actions=(EntryAction.ADDED, EntryAction.CHANGED),
        recipients=recipient.entered,
        words=wording.entered,
        is_news=partial(_has_status, Entry.Status.ENTERED),
    ),
    NoticeRules(
        Occasion.WAITING,
        NoticeTopic.PLACE,
        actions=(EntryAction.ADDED, EntryAction.CHANGED),
        recipients=recipient.waiting,
        words=wording.waiting,
        is_news=partial(_has_status, Entry.Status.WAITING),
    ),
    NoticeRules(
        Occasion.MOVED_UP,
        NoticeTopic.PLACE,
        actions=(EntryAction.MOVED_UP,),
        recipients=recipient.moved_up,
        words=wording.moved_up,
        is_news=partial(_has_status, Entry.Status.ENTERED),
    ),
    NoticeRules(
        Occasion.WITHDRAWN,
        NoticeTopic.PLACE,
        actions=(EntryAction.CHANGED,),
        recipients=recipient.withdrawn,
        words=wording.withdrawn,
    ),
    NoticeRules(
        Occasion.CHANGED,
        NoticeTopic.DATE,
        actions=(EventAction.CHANGED,),
        recipients=recipient.changed,
        words=wording.changed,
    ),
    NoticeRules(
        Occasion.CANCELLED,
        NoticeTopic.DATE,
        actions=(EventAction.CHANGED,),
        recipients=recipient.cancelled,
        words=wording.cancelled,
    ),
    NoticeRules(
        Occasion.TABLE,
        NoticeTopic.TABLE,
        actions=(RoundAction.PUBLISHED, RoundAction.CHANGED),
        recipients=recipient.seated,
        words=wording.table,
        is_news=_is_drawn,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.MOVED,
        NoticeTopic.TABLE,
        actions=(TimetableAction.PUBLISHED, TimetableAction.CHANGED, TimetableAction.DROPPED),
        recipients=recipient.moved,
        words=wording.moved,
        is_news=_is_drawn,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.TAKEN_BACK,
        NoticeTopic.TABLE,
        actions=(RoundAction.TAKEN_BACK,),
        recipients=recipient.taken_back,
        words=wording.taken_back,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.STAGE_FINISHED,
        NoticeTopic.RESULT,
        actions=(StageAction.FINISHED,),
        recipients=recipient.stage_finished,
        words=wording.stage_finished,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.FINISHED,
        NoticeTopic.RESULT,
        actions=(EventAction.CHANGED,),
        recipients=recipient.finished,
        words=wording.finished,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.MESSAGE,
        NoticeTopic.MESSAGE,
        actions=(MessageAction.EVENT_MESSAGE,),
        recipients=recipient.message,
        words=wording.message,
    ),
    NoticeRules(
        Occasion.CORRECTED,
        NoticeTopic.RESULT,
        actions=(GameAction.CORRECTED,),
        recipients=recipient.corrected,
        words=wording.corrected,
        is_news=_is_newest_revision,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.REPLACED,
        NoticeTopic.RESULT,
        actions=(GameAction.CORRECTED, GameAction.VOIDED, GameAction.RESTORED),
        recipients=recipient.replaced,
        words=wording.replaced,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.VOIDED,
        NoticeTopic.RESULT,
        actions=(GameAction.VOIDED,),
        recipients=recipient.voided,
        words=wording.voided,
        is_news=_is_void,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.RESTORED,
        NoticeTopic.RESULT,
        actions=(GameAction.RESTORED,),
        recipients=recipient.restored,
        words=wording.restored,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.CALLED,
        NoticeTopic.TABLE,
        actions=(CallAction.MADE,),
        recipients=recipient.called,
        words=wording.called,
        is_news=_waits_for_arbiter,
    ),
    NoticeRules(
        Occasion.OBJECTED,
        NoticeTopic.RESULT,
        actions=(ObjectionAction.RAISED,),
        recipients=recipient.objected,
        words=wording.objected,
        is_news=_is_newest_revision,
    ),
    NoticeRules(
        Occasion.OBJECTION_WAITS,
        NoticeTopic.RESULT,
        actions=(ObjectionAction.REMINDED,),
        recipients=recipient.case_waits,
        words=wording.objection_waits,
        is_news=partial(_is_undecided, "objection"),
    ),
    NoticeRules(
        Occasion.OBJECTION_LATE,
        NoticeTopic.RESULT,
        actions=(ObjectionAction.ESCALATED,),
        recipients=recipient.case_late,
        words=wording.objection_late,
        is_news=partial(_is_undecided, "objection"),
    ),
    NoticeRules(
        Occasion.HEARD,
        NoticeTopic.RESULT,
        actions=(HearingAction.OPENED,),
        recipients=recipient.heard,
        words=wording.heard,
    ),
    NoticeRules(
        Occasion.HEARING_WAITS,
        NoticeTopic.RESULT,
        actions=(HearingAction.REMINDED,),
        recipients=recipient.case_waits,
        words=wording.hearing_waits,
        is_news=partial(_is_undecided, "hearing"),
    ),
    NoticeRules(
        Occasion.HEARING_LATE,
        NoticeTopic.RESULT,
        actions=(HearingAction.ESCALATED,),
        recipients=recipient.case_late,
        words=wording.hearing_late,
        is_news=partial(_is_undecided, "hearing"),
    ),
    NoticeRules(
        Occasion.RULED,
        NoticeTopic.RESULT,
        actions=(RulingAction.MADE,),
        recipients=recipient.ruled,
        words=wording.ruled,
        has_receipt=True,
    ),
    NoticeRules(
        Occasion.APPEALED,
        NoticeTopic.RESULT,
        actions=(AppealAction.RAISED,),
        recipients=recipient.appealed,
        words=wording.appealed,
    ),
    NoticeRules(
        Occasion.APPEAL_WAITS,
        NoticeTopic.RESULT,
        actions=(AppealAction.REMINDED,),
        recipients=recipient.case_waits,
        words=wording.appeal_waits,
        is_news=partial(_is_undecided, "appeal"),
    ),
    NoticeRules(
        Occasion.APPEAL_LATE,
        NoticeTopic.RESULT,
        actions=(AppealAction.ESCALATED,),
        recipients=recipient.case_late,
        words=wording.appeal_late,
        is_news=partial(_is_undecided, "appeal"),
    ),
    NoticeRules(
        Occasion.STATEMENT,
        NoticeTopic.RESULT,
        actions=(StatementAction.MADE,),
        recipients=recipient.statement,
        words=wording.statement,
        is_news=_is_disputed,
    ),
    NoticeRules(
        Occasion.UNCONFIRMED,
        NoticeTopic.TABLE,
        actions=(SheetAction.REMINDED,),
        recipients=recipient.unconfirmed,
        words=wording.unconfirmed,
        is_news=_waits_for_confirmation,
    ),
    NoticeRules(
        Occasion.PROPOSED,
        NoticeTopic.RESULT,
        actions=(ProposalAction.MADE,),
        recipients=recipient.proposed,
        words=wording.proposed,
        is_news=_is_newest_revision,
    ),
    NoticeRules(
        Occasion.ARBITER_ASKS,
        NoticeTopic.RESULT,
        actions=(ArbiterAction.ACCEPTED,),
        recipients=recipient.arbiter_asks,
        words=wording.arbiter_asks,
        is_news=_waits_for_seats_to_agree,
    ),
    NoticeRules(
        Occasion.ARBITER_RULES,
        NoticeTopic.RESULT,
        actions=(ArbiterAction.AGREED,),
        recipients=recipient.arbiter_rules,
        words=wording.arbiter_rules,
        is_news=_have_seats_agreed,
    ),
    NoticeRules(
        Occasion.TURN,
        NoticeTopic.TURN,
        actions=(),
        recipients=recipient.nobody,
        words=wording.turn,
        is_news=_is_still_turn,
    ),
    NoticeRules(
        Occasion.TURN_ENDS,
        NoticeTopic.TURN,
        actions=(),
        recipients=recipient.nobody,
        words=wording.turn_ends,
        is_news=_is_still_turn,
    ),
    NoticeRules(
        Occasion.GAME_OVER,
        NoticeTopic.TURN,
        actions=(),
        recipients=recipient.nobody,
        words=wording.game_over,
    ),
)
NOTICES: Final[Mapping[str, NoticeRules]] = MappingProxyType(
    {rules.occasion: rules for rules in ALL_NOTICES}
)
"""All notices by occasion."""
ANNOUNCING: Final = tuple(
    dict.fromkeys(action.value for rules in ALL_NOTICES for action in rules.actions)
)
"""The names of all actions of the log that make a notice."""


def notices_of(entry: LogEntry) -> list[Notice]:
    """Return the notices that an entry of the log makes, not yet stored. There are none for old
    entries, and for events that aren't announced."""
    if entry.at < timezone.now() - LATE:
        return []
    event = _event_of(entry)
    if event is None and not entry.action.startswith(OUTSIDE_EVENTS):
        return []
    if event is not None and not event.announced:
        return []

    news = News(entry, texts_back(json.loads(entry.payload), entry.names), event)
    notices = []
    for rules in ALL_NOTICES:
        if entry.action in rules.actions:
            notices += [_notice(rules, news, person) for person in rules.recipients(news)]
    return notices


def _notice(rules: NoticeRules, news: News, person: Recipient) -> Notice:
    return Notice(
        user_id=person.account,
        by_mail_id=person.by_mail,
        club_id=news.entry.club_id,
        position=news.entry.position,
        subject=person.subject,
        occasion=rules.occasion,
        event=news.within,
        parameters=person.parameters,
    )


def _event_of(entry: LogEntry) -> Event | None:
    noun, _, _ = entry.action.partition(".")
    events = Event.objects.select_related("club")
    return events.filter(club=entry.club_id, **{SUBJECTS[noun]: entry.subject}).first()


OUTSIDE_EVENTS: Final = ("game.", "hearing.", "ruling.", "appeal.")
"""The beginnings of actions that make notices even if their game belongs to no event."""
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
"""The lookup from an event to the subject of a log entry, by the first word of its action."""
