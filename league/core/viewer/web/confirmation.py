"""Steps that are confirmed: a page says what will happen, and it happens when its form is sent."""

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
    """The reason for an action."""

    reason = model_field(
        LogEntry,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy(
            "Everybody who can read the log sees this, so leave names out of it."
        ),
    )


def public_reason() -> forms.Field:
    """Return the field for a reason that everybody can read."""
    return model_field(
        LogEntry,
        "reason",
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everybody can read this, so leave names out of it."),
    )


class PublicReasonForm(forms.Form):
    """The reason for changing something public."""

    reason = public_reason()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A step to confirm: the texts of its page, and the service that takes the step.

    `effects` are sentences; `do` gets the cleaned data and the actor; `done` is the message
    afterwards.
    """

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
    """Take the step if its form was sent and is valid, and go `back`; otherwise show its page, with
    any errors.

    `section`: the part of the desk to which the page belongs (`league/core/club/desk/nav.html`).
    """
    if (
        request.method == "POST"
        and step.form.is_valid()
        and run_action(request, step.form, step.do)
    ):
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


def run_action(
    request: HttpRequest, form: forms.Form, do: Callable[[dict[str, Any], Actor], object]
) -> bool:
    """Run the action of a valid form: call `do`, which calls a service, with the form's data and
    the actor. Return True if it succeeds. A refusal becomes an error of the form, at its field if
    it has one.

    A transaction that the database cancels because of another one is tried once more.
    """
    cleaned = form.cleaned_data
    try:
        once_more(lambda: do(cleaned, Actor(request.user.pk, cleaned.get("reason", ""))))
    except ValidationError as error:
        add_errors(form, error)
    except Refused as refused:
        form.add_error(None, refused.illegal.message.translated(gettext))
    except (Busy, Collided):
        message = gettext(
            "Nothing has changed, because games or files are being added right now. Try again in a "
            "little while."
        )
        form.add_error(None, message)
    else:
        return True
    return False


def run_button_action(request: HttpRequest, do: Callable[[Actor], object]) -> bool:
    """Run the action of a button without a form: call `do`, which calls a service, with the actor.
    Return True if it succeeds. A refusal becomes a message on the next page."""
    form = forms.Form({})
    form.is_valid()  # so that the empty form has data and can take errors
    is_done = run_action(request, form, lambda _, actor: do(actor))
    for error in form.non_field_errors():
        messages.error(request, str(error))
    return is_done


def posted(request: HttpRequest) -> QueryDict | None:
    """Return the data for a form: everything that was sent with a POST, even if empty; None for a
    GET."""
    return request.POST if request.method == "POST" else None


def sure(request: HttpRequest, effects: Sequence[str]) -> Sequence[str]:
    """Return the effects that still have to be confirmed before something is saved; none if the
    reader has confirmed them."""
    return () if "sure" in request.POST else effects


def add_errors(form: forms.Form, error: ValidationError) -> None:
    """Add a service's errors to a form: each at the field with its name, or above the form if there
    is no such field."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, errors in error.error_dict.items():
        form.add_error(name if name in form.fields else None, errors)
