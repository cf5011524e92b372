"""Addresses of online tables."""

from django.urls import path

from league.play.online_table.web.event_table import (
    begin_as_scorer,
    begin_without,
    event_table_online,
    link_for_seat,
    pause,
    present,
    resume,
)
from league.play.online_table.web.guest_name import guest_name_erase
from league.play.online_table.web.more_time import more_time
from league.play.online_table.web.online_table import (
    act,
    automatic,
    keep,
    leave,
    new_table_page,
    online_table_page,
    play_again,
    record_file,
    say,
    seat_link,
    sit,
    start,
    time_up,
)
from league.play.online_table.web.unsent import keep_unsent

ONLINE_TABLE = "play/<public_id:table_id>"

pages = [
    path("play/new/<slug:club_slug>/", new_table_page, name="online-table-new"),
    path(f"{ONLINE_TABLE}/", online_table_page, name="online-table"),
    path(f"{ONLINE_TABLE}/sit/", sit, name="online-table-sit"),
    path(f"{ONLINE_TABLE}/keep/", keep, name="online-table-keep"),
    path(f"{ONLINE_TABLE}/leave/", leave, name="online-table-leave"),
    path(f"{ONLINE_TABLE}/automatic/", automatic, name="online-table-automatic"),
    path(f"{ONLINE_TABLE}/start/", start, name="online-table-start"),
    path(f"{ONLINE_TABLE}/act/", act, name="online-table-act"),
    path(f"{ONLINE_TABLE}/unsent/", keep_unsent, name="online-table-unsent"),
    path(f"{ONLINE_TABLE}/time-up/", time_up, name="online-table-time-up"),
    path(f"{ONLINE_TABLE}/more-time/", more_time, name="online-table-more-time"),
    path(f"{ONLINE_TABLE}/erase/", guest_name_erase, name="online-table-erase"),
    path(f"{ONLINE_TABLE}/say/", say, name="online-table-say"),
    path(f"{ONLINE_TABLE}/again/", play_again, name="online-table-again"),
    path(f"{ONLINE_TABLE}/record.json", record_file, name="online-table-record"),
    path(f"{ONLINE_TABLE}/present/", present, name="online-table-present"),
    path(f"{ONLINE_TABLE}/begin-without/", begin_without, name="online-table-begin-without"),
    path(f"{ONLINE_TABLE}/scorer/begin/", begin_as_scorer, name="online-table-scorer-begin"),
    path(f"{ONLINE_TABLE}/scorer/pause/", pause, name="online-table-pause"),
    path(f"{ONLINE_TABLE}/scorer/resume/", resume, name="online-table-resume"),
    path(f"{ONLINE_TABLE}/scorer/link/", link_for_seat, name="online-table-link"),
    path("tables/<public_id:table_id>/online/", event_table_online, name="event-table-online"),
    path(f"{ONLINE_TABLE}/seat/<str:key>/", seat_link, name="online-table-seat"),
]
