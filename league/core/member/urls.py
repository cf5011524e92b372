"""Addresses of members and invitations."""

from django.urls import path

from league.core.club.urls import CLUB_DESK
from league.core.member.desk import (
    invitation_withdraw_page,
    member_list,
    member_page,
    member_remove_page,
)
from league.core.member.web import invitation_page

pages = [
    path("invitations/<str:token>/", invitation_page, name="invitation"),
]

desk = [
    path(f"{CLUB_DESK}/members/", member_list, name="desk-members"),
    path(f"{CLUB_DESK}/members/<public_id:user_id>/", member_page, name="desk-member"),
    path(
        f"{CLUB_DESK}/members/<public_id:user_id>/remove/",
        member_remove_page,
        name="desk-member-remove",
    ),
    path(
        f"{CLUB_DESK}/invitations/<public_id:invitation_id>/",
        invitation_withdraw_page,
        name="desk-invitation",
    ),
]
