"""The members of a club and their roles, for its organisers."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.paginator import Paginator
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.member.models.invitation import Invitation
from league.core.member.models.member import Role
from league.core.member.queries import invitations_of, members_of
from league.core.member.services.invitation import invitation_create, invitation_withdraw
from league.core.member.services.member import member_add, member_change
from league.core.player.queries.player import account_named
from league.core.viewer.queries.access import (
    club_for_organiser,
    invitation_for_organiser,
    member_for_organiser,
)
from league.core.viewer.web.confirmation import Confirmation, ReasonForm, take
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, or_404, page_of, signed_in, viewer_of

MEMBERS_PER_PAGE = 50


class MemberForm(forms.Form):
    """An account or an address, and the role that it gets."""

    who = forms.CharField(
        label=gettext_lazy("Who"),
        help_text=gettext_lazy("An email address, or the name of an account on this service."),
        max_length=254,
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices, initial=Role.SCORER)

    def clean_who(self) -> User | str:
        """Return the account with this name or address, or the address if no account has it. Raise
        `ValidationError` for an unknown name."""
        name_or_address: str = self.cleaned_data["who"].strip()
        try:
            return account_named(name_or_address)
        except User.DoesNotExist:
            if "@" not in name_or_address:
                raise ValidationError(
                    gettext(
                        "There’s no such account. Enter an email address to invite somebody new."
                    )
                ) from None
        validate_email(name_or_address)
        return name_or_address


class RolesForm(ReasonForm):
    """The roles of a member."""

    field_order = ("roles", "reason")
    roles = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Roles"),
        choices=Role.choices,
        coerce=Role,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy(
                "Choose at least one role. To take them all away, go back and remove the member."
            )
        },
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_for_organiser)
def member_list(request: HttpRequest, club: Club) -> HttpResponse:
    """List members and invitations. An account that is added gets the role at once; an address
    without an account is invited."""
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        account_or_address = form.cleaned_data["who"]
        role = Role(form.cleaned_data["role"])
        if isinstance(account_or_address, str):
            return _invite(request, club, account_or_address, role)
        member_add(club=club, user=account_or_address, role=role, actor=Actor(request.user.pk))
        message = gettext("%(name)s now has the role %(role)s.")
        values = {"name": account_or_address.username, "role": role.label}
        return redirect_saying(request, message % values, "desk-members", club.slug)
    return club_page(
        request,
        club,
        "league/core/member/desk/members.html",
        page=Paginator(members_of(club), MEMBERS_PER_PAGE).get_page(request.GET.get("page")),
        invitations=invitations_of(club),
        form=form,
        here="members",
        crumbs=desk_crumbs(club),
    )


def _invite(request: HttpRequest, club: Club, email: str, role: Role) -> HttpResponse:
    """Make an invitation, and show its link now, since its token isn't stored."""
    invitation, token = invitation_create(
        club=club, email=email, role=role, invited_by=signed_in(request)
    )
    link = public_address(reverse("invitation", args=[token]))
    place = {
        "here": "members",
        "back": reverse("desk-members", args=[club.slug]),
        "crumbs": _crumbs(club),
    }
    return invited_page(
        request, club, email, link, by_mail=invitation_send(invitation, link), **place
    )


def invited_page(
    request: HttpRequest, club: Club, email: str, link: str, *, by_mail: bool, **place: object
) -> HttpResponse:
    """Show the link of an invitation. `by_mail`: True if an email with it was sent, too. `place`:
    the context that says where on the desk the page is."""
    letter = gettext(
        "An email with this link is on its way to %(email)s. You can also pass the link on "
        "yourself."
    )
    by_hand = gettext("The service couldn’t send an email. Pass the link on to %(email)s yourself.")
    return club_page(
        request,
        club,
        "league/core/key/desk/secret.html",
        title=gettext("Invitation created"),
        text=(letter if by_mail else by_hand) % {"email": email},
        once=gettext(
            "It’s shown only once. It works once, within two weeks, for the account with this "
            "address."
        ),
        secret=link,
        **place,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def member_page(request: HttpRequest, club_slug: str, user_id: str) -> HttpResponse:
    """Change a member's roles."""
    club, member = or_404(member_for_organiser, viewer_of(request), club_slug, user_id)
    memberships = member.memberships.filter(club=club)
    roles = [Role(role) for role in memberships.values_list("role", flat=True)]

    def change(cleaned: dict[str, Any], actor: Actor) -> bool:
        return member_change(club=club, user=member, roles=cleaned["roles"], actor=actor)

    step = Confirmation(
        title=gettext("Roles of %(name)s") % {"name": member.username},
        effects=[
            gettext("Organisers can do everything in the club: settings, people, games."),
            gettext(
                "Scorers enter results, and games from programs. Arbiters correct games and read "
                "the log."
            ),
            gettext("Players see members-only seasons."),
        ],
        button=gettext("Save roles"),
        form=RolesForm(request.POST or None, initial={"roles": roles}),
        do=change,
        done=gettext("Roles saved."),
    )
    return _take(request, club, step, member)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def member_remove_page(request: HttpRequest, club_slug: str, user_id: str) -> HttpResponse:
    """Take all roles from a member."""
    club, member = or_404(member_for_organiser, viewer_of(request), club_slug, user_id)
    names = {"name": member.username, "club": club.name}
    step = Confirmation(
        title=gettext("Remove %(name)s") % names,
        effects=[
            gettext("%(name)s no longer has a role in %(club)s, and sees only what everybody sees.")
            % names,
            gettext("%(name)s’s keys to this club are revoked.") % names,
            gettext(
                "The account stays, and so does everything it did. A player is still a player."
            ),
        ],
        button=gettext("Remove"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: member_change(club=club, user=member, roles=[], actor=actor),
        done=gettext("%(name)s is no longer a member.") % names,
        danger=True,
    )
    return _take(request, club, step, member)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(invitation_for_organiser)
def invitation_withdraw_page(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Withdraw an invitation."""
    step = Confirmation(
        title=gettext("Withdraw the invitation for %(email)s") % {"email": invitation.email},
        effects=[gettext("Its link no longer works. You can invite the same address again.")],
        button=gettext("Withdraw"),
        form=ReasonForm(request.POST or None),
        do=lambda cleaned, actor: invitation_withdraw(invitation=invitation, actor=actor),
        done=gettext("Invitation withdrawn."),
        danger=True,
    )
    return _take(request, invitation.club, step)


def _take(
    request: HttpRequest, club: Club, step: Confirmation, member: User | None = None
) -> HttpResponse:
    """Take the step, and go back to the members; after a change to the user's own roles to the
    club, since they may have lost the desk."""
    back = reverse("club" if member == request.user else "desk-members", args=[club.slug])
    return take(request, club, step, section="members", back=back, crumbs=_crumbs(club))


def _crumbs(club: Club) -> list[tuple[str, str]]:
    return desk_crumbs(club, (gettext("Members"), reverse("desk-members", args=[club.slug])))


def invitation_send(invitation: Invitation, link: str) -> bool:
    """Send the link to the invited address, in the club's language. Return False if there is no
    mail server."""
    if not settings.MAIL_LEAVES:
        return False
    with translation.override(invitation.club.language):
        subject = gettext("Your invitation to %(club)s") % {"club": invitation.club.name}
        text = render_to_string(
            "league/core/member/desk/invitation.txt", {"invitation": invitation, "link": link}
        )
    return bool(send_mail(subject, text, None, [invitation.email]))
