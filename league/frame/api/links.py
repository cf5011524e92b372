"""Addresses in the API's answers. Written out: `reverse` for each row would cost more than reading the row."""

ROOT = "/api/v1"


def club_link(club: str) -> str:
    """A club, by its slug."""
    return f"{ROOT}/clubs/{club}/"


def season_link(club: str, season: str) -> str:
    """A season, by its club's slug and its own."""
    return f"{ROOT}/clubs/{club}/seasons/{season}/"


def all_time_link(club: str) -> str:
    """A club's ranking over all its public seasons, by the club's slug."""
    return f"{ROOT}/clubs/{club}/all-time/"


def event_link(club: str, event: str) -> str:
    """An event, by its club's slug and its own."""
    return f"{ROOT}/clubs/{club}/events/{event}/"


def stage_link(club: str, event: str, number: int) -> str:
    """A stage of an event, by its number."""
    return f"{event_link(club, event)}stages/{number}/"


def round_link(club: str, event: str, stage: int, number: int) -> str:
    """A round of a stage, by its number."""
    return f"{stage_link(club, event, stage)}rounds/{number}/"


def table_link(table: str) -> str:
    """A table of an event, by the public id."""
    return f"{ROOT}/tables/{table}/"


def draw_link(draw: str) -> str:
    """A draw, by the public id."""
    return f"{ROOT}/draws/{draw}/"


def player_link(player: str) -> str:
    """A player, by the public id."""
    return f"{ROOT}/players/{player}/"


def game_link(game: str) -> str:
    """A game, by the public id."""
    return f"{ROOT}/games/{game}/"


def place_link(club: str, event: str, place: str) -> str:
    """A place of an event's hall, by the public id."""
    return f"{event_link(club, event)}places/{place}/"


def slot_link(club: str, event: str, slot: str) -> str:
    """A time at which tables of an event are played, by the public id."""
    return f"{event_link(club, event)}slots/{slot}/"


def timetable_link(club: str, event: str, timetable: str) -> str:
    """A timetable of an event, by the public id."""
    return f"{event_link(club, event)}timetables/{timetable}/"
