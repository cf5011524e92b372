"""Helpers of an event, for the organisers of its club: the list, and inviting somebody by a link or
a code.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.core.account.models import User
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.member.desk import MemberForm, invited_page
from league.core.member.models.member import Role
from league.core.viewer.web.confirmation import add_errors, posted
from league.core.viewer.web.viewer import page_of, signed_in
from league.events.event.desk.page import desk_event_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import (
    event_for_club,
    helper_for_club,
    helper_invitation_for_club,
)
from league.events.helper.models import HELPER_ROLES, Helper, HelperInvitation
from league.events.helper.queries import helper_invitations_of, helpers_of
from league.events.helper.services import (
    helper_add,
    helper_invitation_withdraw,
    helper_invite,
    helper_remove,
)


class HelperForm(MemberForm):
    """A person and their role for one event. Without a person, a code is made that anybody can use
    once.
    """

    field_order = ("role", "who")
    who = forms.CharField(
        label=gettext_lazy("Who"),
        help_text=gettext_lazy(
            "An email address or an account name. Leave empty to get a code to show or print."
        ),
        max_length=254,
        required=False,
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=HELPER_ROLES, initial=Role.SCORER)

    def clean_who(self) -> User | str:
        """Return the account with that name or address, the address if it has no account, or an
        empty string.
        """
        if not self.cleaned_data["who"].strip():
            return ""
        return super().clean_who()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_club)
def helper_list(request: HttpRequest, event: Event) -> HttpResponse:
    """List helpers and invitations. A POST gives the role to an account at once, invites an address
    by a link, or makes a code.
    """
    form = HelperForm(posted(request))
    if request.method == "POST" and form.is_valid():
        who = form.cleaned_data["who"]
        role = Role(form.cleaned_data["role"])
        try:
            if isinstance(who, User):
                return _give_role(request, event, who, role)
            return _invite_helper(request, event, who, role)
        except ValidationError as refused:
            add_errors(form, refused)
    return event_desk_page(
        request,
        event,
        "league/events/helper/desk/helpers.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        helpers=helpers_of(event),
        invitations=helper_invitations_of(event),
        form=form,
    )


def _give_role(request: HttpRequest, event: Event, user: User, role: Role) -> HttpResponse:
    helper_add(event=event, user=user, role=role, actor=Actor(request.user.pk))
    words = gettext("%(name)s now has the role %(role)s for this event.")
    names = {"name": user.username, "role": role.label}
    return redirect_saying(request, words % names, desk_url(event, "desk-helpers"))


def _invite_helper(request: HttpRequest, event: Event, email: str, role: Role) -> HttpResponse:
    invitation, token = helper_invite(
        event=event, role=role, invited_by=signed_in(request), email=email
    )
    if not email:
        return redirect("desk-helper-code", event.club.slug, event.slug, invitation.public_id)
    link = public_address(reverse("helper-invitation", args=[token]))
    return invited_page(
        request,
        event.club,
        email,
        link,
        by_mail=helper_letter_send(invitation, link),
        here="events",
        back=desk_url(event, "desk-helpers"),
        crumbs=_crumbs(event),
    )


@never_cache
@login_required
@require_safe
@page_of(helper_invitation_for_club)
def helper_code_shown(request: HttpRequest, invitation: HelperInvitation) -> HttpResponse:
    """Show the code of an invitation, for a phone or for printing."""
    event = invitation.event
    code = invitation.code
    if code is None:
        return redirect(desk_url(event, "desk-helpers"))
    address = reverse("helper-code")
    return event_desk_page(
        request,
        event,
        "league/events/helper/desk/helper_code.html",
        crumbs=_crumbs(event),
        invitation=invitation,
        code=f"{code[:4]} {code[4:]}",
        page=public_address(address),
        address=public_address(f"{address}?{urlencode({'code': code})}"),
    )


def _crumbs(event: Event) -> list[tuple[str, str]]:
    return desk_event_crumbs(event, (gettext("Helpers"), desk_url(event, "desk-helpers")))


@login_required
@require_POST
@page_of(helper_for_club)
def helper_end(request: HttpRequest, helper: Helper) -> HttpResponse:
    """End a role for an event."""
    helper_remove(helper=helper, actor=Actor(request.user.pk))
    words = gettext("%(name)s no longer has the role %(role)s for this event.")
    return redirect_saying(
        request,
        words % {"name": helper.user.username, "role": helper.get_role_display()},
        desk_url(helper.event, "desk-helpers"),
    )


@login_required
@require_POST
@page_of(helper_invitation_for_club)
def helper_uninvite(request: HttpRequest, invitation: HelperInvitation) -> HttpResponse:
    """Withdraw an invitation, so that its link or code no longer works."""
    helper_invitation_withdraw(invitation=invitation, actor=Actor(request.user.pk))
    return redirect_saying(
        request, gettext("Invitation withdrawn."), desk_url(invitation.event, "desk-helpers")
    )


def helper_letter_send(invitation: HelperInvitation, link: str) -> bool:
    """Send the link to the invited address, in the club's language. Return False if there is no
    mail server.
    """
    if not settings.EMAIL_HOST:
        return False
    with translation.override(invitation.event.club.language):
        subject = gettext("An invitation to help at %(event)s") % {"event": invitation.event.name}
        text = render_to_string(
            "league/events/helper/desk/helper_letter.txt", {"invitation": invitation, "link": link}
        )
    return bool(send_mail(subject, text, None, [invitation.email]))
