"""Addresses of the chat at private tables."""

from django.urls import path

from league.core.club.urls import CLUB_DESK
from league.play.chat.desk import chat_report_end, chat_reports
from league.play.chat.web import chat_mute, chat_report, chat_say
from league.play.online_table.urls import ONLINE_TABLE

pages = [
    path(f"{ONLINE_TABLE}/chat/", chat_say, name="chat-say"),
    path(f"{ONLINE_TABLE}/chat/mute/", chat_mute, name="chat-mute"),
    path(f"{ONLINE_TABLE}/chat/report/", chat_report, name="chat-report"),
]
desk = [
    path(f"{CLUB_DESK}/chat/", chat_reports, name="desk-chat-reports"),
    path(f"{CLUB_DESK}/chat/<public_id:line_id>/", chat_report_end, name="chat-report-end"),
]
