"""Links in the API's answers. They are written out here: `reverse` for each row would cost more
than reading the row.

Clubs, seasons and events go by their slugs, stages and rounds by their numbers, all others by their
public ids."""

from collections.abc import Callable
from typing import Final, TypeAlias

ApiLink: TypeAlias = Callable[..., str]

ROOT: Final = "/api/v1"
CLUB: Final = f"{ROOT}/clubs/{{}}/"
EVENT: Final = f"{CLUB}events/{{}}/"
STAGE: Final = f"{EVENT}stages/{{}}/"

club_link: ApiLink = CLUB.format
season_link: ApiLink = f"{CLUB}seasons/{{}}/".format
all_time_link: ApiLink = f"{CLUB}all-time/".format
series_link: ApiLink = f"{CLUB}seasons/{{}}/series/{{}}/".format
player_link: ApiLink = f"{ROOT}/players/{{}}/".format
game_link: ApiLink = f"{ROOT}/games/{{}}/".format
event_link: ApiLink = EVENT.format
place_link: ApiLink = f"{EVENT}places/{{}}/".format
slot_link: ApiLink = f"{EVENT}slots/{{}}/".format
timetable_link: ApiLink = f"{EVENT}timetables/{{}}/".format
stage_link: ApiLink = STAGE.format
round_link: ApiLink = f"{STAGE}rounds/{{}}/".format
table_link: ApiLink = f"{ROOT}/tables/{{}}/".format
open_game_link: ApiLink = f"{ROOT}/open-games/{{}}/".format
photo_link: ApiLink = f"{ROOT}/photos/{{}}/".format
evidence_link: ApiLink = f"{ROOT}/evidence/{{}}/".format
draw_link: ApiLink = f"{ROOT}/draws/{{}}/".format
online_table_link: ApiLink = f"{ROOT}/online-tables/{{}}/".format
ruling_link: ApiLink = f"{ROOT}/rulings/{{}}/".format
