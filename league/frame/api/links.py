"""Addresses in the API's answers. Written out: `reverse` for each row would cost more than reading the row.

Clubs, seasons and events go by their slugs, stages and rounds by their numbers, all others by their public ids.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

Link: TypeAlias = Callable[..., str]

ROOT: Final = "/api/v1"
CLUB: Final = f"{ROOT}/clubs/{{}}/"
EVENT: Final = f"{CLUB}events/{{}}/"
STAGE: Final = f"{EVENT}stages/{{}}/"

club_link: Link = CLUB.format
season_link: Link = f"{CLUB}seasons/{{}}/".format
all_time_link: Link = f"{CLUB}all-time/".format
series_link: Link = f"{CLUB}seasons/{{}}/series/{{}}/".format
player_link: Link = f"{ROOT}/players/{{}}/".format
game_link: Link = f"{ROOT}/games/{{}}/".format
event_link: Link = EVENT.format
place_link: Link = f"{EVENT}places/{{}}/".format
slot_link: Link = f"{EVENT}slots/{{}}/".format
timetable_link: Link = f"{EVENT}timetables/{{}}/".format
stage_link: Link = STAGE.format
round_link: Link = f"{STAGE}rounds/{{}}/".format
table_link: Link = f"{ROOT}/tables/{{}}/".format
draw_link: Link = f"{ROOT}/draws/{{}}/".format
