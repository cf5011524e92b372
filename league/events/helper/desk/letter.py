"""The letter that brings the invitation of a helper."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from league.events.helper.models import HelperInvitation


def helper_letter_send(invitation: HelperInvitation, link: str) -> bool:
    """Send the link to the invited address in the club's language; whether there is a mail server to take it."""
    if not settings.EMAIL_HOST:
        return False
    with translation.override(invitation.event.club.language):
        subject = gettext("An invitation to help at %(event)s") % {"event": invitation.event.name}
        text = render_to_string("league/events/helper/desk/helper_letter.txt", {"invitation": invitation, "link": link})
    return bool(send_mail(subject, text, None, [invitation.email]))
