"""The models of all nouns, where Django looks for them."""

from league.core.account.models import User
from league.core.claim.models import Claim, ClaimCode
from league.core.club.models import Club
from league.core.delivery.models.letter import Letter
from league.core.delivery.models.preference import NoticePreference, NoticeTopic
from league.core.delivery.models.subscription import PushSubscription
from league.core.key.models import ApiKey, IdempotencyKey
from league.core.log.models import LogEntry, LogHead, Reader, SetAside
from league.core.member.models.invitation import Invitation
from league.core.member.models.member import Membership, Role
from league.core.player.models import Handle, Player, PlayerOpenSeat, PlayerSeat
from league.counting.event_counting.models import EventCounting
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.appeal.models import Appeal, AppealDraft, AppealEnd
from league.disputes.arbiter.models import (
    ArbiterAcceptance,
    ArbiterAssent,
    ArbiterInvitation,
    ArbiterInvitationEnd,
)
from league.disputes.hearing.models import Hearing
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.reminder.models import CaseReminder
from league.disputes.ruling.models import Ruling
from league.disputes.statement.models import Evidence, Statement
from league.events.calendar.models import CalendarAddress
from league.events.entry.models import Apart, Entry, EntryByMail
from league.events.event.models import Event
from league.events.helper.models import Helper, HelperInvitation
from league.events.series.models import Series
from league.events.wall_list.models import ClaimRequest, WallCode
from league.floor.hall.models import Away, HallPlace, Slot
from league.floor.timetable.models import Timetable, TimetableTable
from league.notices.message.models import EventMessage
from league.notices.notice.models import Notice, NoticeSending
from league.play.chat.models import ChatLine, ChatMute, ChatReport
from league.play.game_end.models import GameEnd
from league.play.online_table.models import OnlineSeat, OnlineTable, Pace
from league.play.playing_time.models import Holiday, PlayingTime
from league.play.standing_order.models import StandingOrder
from league.play.turn.models import OnlineTurn
from league.records.photo.models import Photo
from league.records.upload.models import ImportJob
from league.sheets.branch.models import BranchAgreement
from league.sheets.confirmation.models import SheetSubmission
from league.sheets.device.models import GameDevice, TableDevice
from league.sheets.sheet.models import SeasonOpenGame, TableOpenGame
from league.site.audit.models import Audit
from league.stages.draw.models import Draw
from league.stages.placing.models import FinalRank
from league.stages.round.models import StageRound
from league.stages.stage.format import Format
from league.stages.stage.models import Group, Participant, Seeding, Stage, StageScoring
from league.stages.table.models import Table, TableGame, TableScore, TableSeat, Walkover
from league.standings.adjustment.models import Penalty, SetOrder
from league.standings.division.models import Division, DivisionPlayer
from league.standings.ranked_game.models import Appearance, RankedGame
from league.standings.ranking.models import Ranking, Scoring, TieBreak
from league.standings.rating.models import Rating, RatingChange
from league.standings.season.models import SCORINGS, AllTime, Season, SeasonGame, Visibility
from league.standings.standing.models import Standing
from league.standings.style.models import GameStyle, Style
from league.up.models import Part

__all__ = [
    "SCORINGS",
    "Agreement",
    "AllTime",
    "Apart",
    "ApiKey",
    "Appeal",
    "AppealDraft",
    "AppealEnd",
    "Appearance",
    "ArbiterAcceptance",
    "ArbiterAssent",
    "ArbiterInvitation",
    "ArbiterInvitationEnd",
    "Audit",
    "Away",
    "BranchAgreement",
    "CalendarAddress",
    "CaseReminder",
    "ChatLine",
    "ChatMute",
    "ChatReport",
    "Claim",
    "ClaimCode",
    "ClaimRequest",
    "Club",
    "Division",
    "DivisionPlayer",
    "Draw",
    "Entry",
    "EntryByMail",
    "Event",
    "EventCounting",
    "EventMessage",
    "Evidence",
    "FinalRank",
    "Format",
    "GameDevice",
    "GameEnd",
    "GameStyle",
    "Group",
    "HallPlace",
    "Handle",
    "Hearing",
    "Helper",
    "HelperInvitation",
    "Holiday",
    "IdempotencyKey",
    "ImportJob",
    "Invitation",
    "Letter",
    "LogEntry",
    "LogHead",
    "Membership",
    "Notice",
    "NoticePreference",
    "NoticeSending",
    "NoticeTopic",
    "Objection",
    "ObjectionEnd",
    "OnlineSeat",
    "OnlineTable",
    "OnlineTurn",
    "Pace",
    "Part",
    "Participant",
    "Penalty",
    "Photo",
    "Player",
    "PlayerOpenSeat",
    "PlayerSeat",
    "PlayingTime",
    "Proposal",
    "PushSubscription",
    "RankedGame",
    "Ranking",
    "Rating",
    "RatingChange",
    "Reader",
    "Role",
    "Ruling",
    "Scoring",
    "Season",
    "SeasonGame",
    "SeasonOpenGame",
    "Seeding",
    "Series",
    "SetAside",
    "SetOrder",
    "SheetSubmission",
    "Slot",
    "Stage",
    "StageRound",
    "StageScoring",
    "Standing",
    "StandingOrder",
    "Statement",
    "Style",
    "Table",
    "TableDevice",
    "TableGame",
    "TableOpenGame",
    "TableScore",
    "TableSeat",
    "TieBreak",
    "Timetable",
    "TimetableTable",
    "User",
    "Visibility",
    "Walkover",
    "WallCode",
]
