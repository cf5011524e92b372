"""The models of all rooms, where Django looks for them."""

from league.audits.models import Audit
from league.clubs.models import (
    ApiKey,
    Club,
    Handle,
    IdempotencyKey,
    Invitation,
    Letter,
    Membership,
    NoticePreference,
    NoticeTopic,
    Player,
    PlayerOpenSeat,
    PlayerSeat,
    PushSubscription,
    Role,
    User,
)
from league.counting.models import EventCounting
from league.entries.models import Apart, Entry, EntryByMail
from league.events.models import CalendarAddress, Event, Helper, HelperInvitation, Series
from league.hall.models import Away, HallPlace, Slot, Timetable, TimetableTable
from league.log.models import LogEntry, LogHead, Reader, SetAside
from league.notices.models import EventMessage, Notice, NoticeSending
from league.people.models import Claim, ClaimCode
from league.placings.models import FinalRank
from league.rankings.models import (
    Appearance,
    GameStyle,
    RankedGame,
    Ranking,
    Rating,
    RatingChange,
    Scoring,
    Standing,
    Style,
    TieBreak,
)
from league.records.models import ImportJob, Photo
from league.rulings.models import Agreement, Objection, ObjectionEnd, Proposal
from league.seasons.models import SCORINGS, AllTime, Division, DivisionPlayer, Season, SeasonGame, Visibility
from league.sheets.models import GameDevice, SeasonOpenGame, SheetSubmission, TableDevice, TableOpenGame
from league.stages.format import Format
from league.stages.models import Group, Participant, Seeding, Stage, StageScoring
from league.tables.models import Draw, StageRound, Table, TableGame, TableScore, TableSeat, Walkover
from league.up.models import Part

__all__ = [
    "SCORINGS",
    "Agreement",
    "AllTime",
    "Apart",
    "ApiKey",
    "Appearance",
    "Audit",
    "Away",
    "CalendarAddress",
    "Claim",
    "ClaimCode",
    "Club",
    "Division",
    "DivisionPlayer",
    "Draw",
    "Entry",
    "EntryByMail",
    "Event",
    "EventCounting",
    "EventMessage",
    "FinalRank",
    "Format",
    "GameDevice",
    "GameStyle",
    "Group",
    "HallPlace",
    "Handle",
    "Helper",
    "HelperInvitation",
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
    "Part",
    "Participant",
    "Photo",
    "Player",
    "PlayerOpenSeat",
    "PlayerSeat",
    "Proposal",
    "PushSubscription",
    "RankedGame",
    "Ranking",
    "Rating",
    "RatingChange",
    "Reader",
    "Role",
    "Scoring",
    "Season",
    "SeasonGame",
    "SeasonOpenGame",
    "Seeding",
    "Series",
    "SetAside",
    "SheetSubmission",
    "Slot",
    "Stage",
    "StageRound",
    "StageScoring",
    "Standing",
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
]
