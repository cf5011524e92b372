"""A step that changes something in a club: a page says what will happen, and it happens when the
page is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext, gettext_lazy

from engine.illegal import Refused
from league.core.club.models import Club
from league.core.frame.forms import model_field
from league.core.frame.saying import redirect_saying
from league.core.locks import Busy, Collided, once_more
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.viewer.web.viewer import club_page


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = model_field(
        LogEntry,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody who reads the log reads it, so leave names out of it."),
    )


def public_reason() -> forms.Field:
    """The field for a reason that everybody can read."""
    return model_field(
        LogEntry,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody can read it: leave names out of it."),
    )


class PublicReasonForm(forms.Form):
    """Why something public is changed."""

    reason = public_reason()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Something that can be done: what the page says, and the service that does it.

    `effects` are sentences; `do` is given what the form tells, and who acts; `done` is said
    afterwards."""

    title: str
    effects: Sequence[str]
    button: str
    form: forms.Form
    do: Callable[[dict[str, Any], Actor], object]
    done: str
    danger: bool = False


def take(
    request: HttpRequest,
    club: Club,
    step: Confirmation,
    *,
    section: str,
    back: str,
    crumbs: Sequence[tuple[str, str]],
) -> HttpResponse:
    """Do the step if its form was sent and is right, and go `back`; else show its page, with what
    was wrong.

    `section` is the part of the desk that the page belongs to (see
    `league/core/club/desk/nav.html`)."""
    if request.method == "POST" and step.form.is_valid() and done(request, step.form, step.do):
        return redirect_saying(request, step.done, back)
    return club_page(
        request,
        club,
        "league/core/viewer/desk/step.html",
        step=step,
        form=step.form,
        here=section,
        back=back,
        crumbs=crumbs,
    )


def done(
    request: HttpRequest, form: forms.Form, do: Callable[[dict[str, Any], Actor], object]
) -> bool:
    """True if the service did it; why it didn't is an error of the form, at its field where it has
    one of that name.

    What the database breaks off, because somebody else changes the same, is done once more.
    """
    cleaned = form.cleaned_data
    try:
        once_more(lambda: do(cleaned, Actor(request.user.pk, cleaned.get("reason", ""))))
    except ValidationError as error:
        add_errors(form, error)
    except Refused as refused:
        form.add_error(None, refused.illegal.message.translated(gettext))
    except (Busy, Collided):
        words = gettext(
            "Nothing has changed: games or files are going in at this moment. Try again in a "
            "little while."
        )
        form.add_error(None, words)
    else:
        return True
    return False


def tap(request: HttpRequest, do: Callable[[Actor], object]) -> bool:
    """True if the service did what a button says that asks for nothing beside; why it didn't is
    said on the next page."""
    form = forms.Form({})
    form.is_valid()
    is_done = done(request, form, lambda _, actor: do(actor))
    for error in form.non_field_errors():
        messages.error(request, str(error))
    return is_done


def posted(request: HttpRequest) -> QueryDict | None:
    """Show what a form is given: what was sent, be it nothing; None where the page is only looked
    at."""
    return request.POST if request.method == "POST" else None


def sure(request: HttpRequest, effects: Sequence[str]) -> Sequence[str]:
    """The effects that somebody has still to agree to before something is saved: none once they
    have."""
    return () if "sure" in request.POST else effects


def add_errors(form: forms.Form, error: ValidationError) -> None:
    """Say what a service refused: at the field that it names, or above the form if it has no such
    field."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, errors in error.error_dict.items():
        form.add_error(name if name in form.fields else None, errors)
