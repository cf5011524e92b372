"""The letter that brings an invitation."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from league.core.member.models.invitation import Invitation


def invitation_send(invitation: Invitation, link: str) -> bool:
    """Send the link to the invited address in the club's language; whether there is a mail server to take it."""
    if not settings.MAIL_LEAVES:
        return False
    with translation.override(invitation.club.language):
        subject = gettext("An invitation of %(club)s") % {"club": invitation.club.name}
        text = render_to_string("league/core/member/desk/invitation.txt", {"invitation": invitation, "link": link})
    return bool(send_mail(subject, text, None, [invitation.email]))
