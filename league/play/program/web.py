"""The page on which an account is marked as a program's."""

from __future__ import annotations

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.viewer import signed_in
from league.play.program.services import account_mark_program


class ForGoodForm(forms.Form):
    """The confirmation that the mark is permanent."""

    for_good = forms.BooleanField(
        label=gettext_lazy("I understand that this mark can’t be removed.")
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def program_page(request: HttpRequest) -> HttpResponse:
    """Explain the mark, and mark the account permanently once that is confirmed."""
    user = signed_in(request)
    form = ForGoodForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            account_mark_program(user=user)
        except Refused as refused:
            form.add_error(None, refused.illegal.message.translated(gettext))
        else:
            return redirect_saying(
                request, gettext("This account is now marked as a program."), "account-program"
            )
    return render(request, "account/program.html", {"form": form})
