"""The letter that brings an invitation."""

from __future__ import annotations

from smtplib import SMTPException

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from league.clubs.models import Invitation

log = structlog.get_logger(__name__)


def invitation_send(invitation: Invitation, link: str) -> bool:
    """Send the link to the invited address in the club's language; whether a server took the letter."""
    if not settings.EMAIL_HOST:
        return False
    with translation.override(invitation.club.language):
        subject = gettext("An invitation of %(club)s") % {"club": invitation.club.name}
        text = render_to_string("league/desk/invitation.txt", {"invitation": invitation, "link": link})
    try:
        return bool(send_mail(subject, text, None, [invitation.email]))
    except (OSError, SMTPException) as error:
        log.warning("invitation.not_sent", error=type(error).__name__)
        return False
