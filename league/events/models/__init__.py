"""The models of events, one noun a file."""

from league.events.models.calendar import CalendarAddress
from league.events.models.counting import Division, DivisionPlayer, EventCounting, FinalRank, Per
from league.events.models.draw import Draw
from league.events.models.entry import Apart, Entry, EntryByMail
from league.events.models.event import Event, Series
from league.events.models.notice import EventMessage, Notice, NoticeSending
from league.events.models.stage import Format, Group, Participant, Seeding, Stage, StageScoring
from league.events.models.table import StageRound, Table, TableGame, TableScore, TableSeat, Walkover
from league.events.models.timetable import Away, HallPlace, Slot, Timetable, TimetableTable

__all__ = [
    "Apart",
    "Away",
    "CalendarAddress",
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
    "Group",
    "HallPlace",
    "Notice",
    "NoticeSending",
    "Participant",
    "Per",
    "Seeding",
    "Series",
    "Slot",
    "Stage",
    "StageRound",
    "StageScoring",
    "Table",
    "TableGame",
    "TableScore",
    "TableSeat",
    "Timetable",
    "TimetableTable",
    "Walkover",
]
