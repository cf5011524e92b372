"""The operators' page: the service's parts, what the last audits found, and what is stuck."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.delivery.queries.letter import unsent
from league.core.jobs import call
from league.core.log.readers import all_set_aside, lagging_readers
from league.site.audit.queries.audit import last_audits
from league.up.parts import hosts, parts, parts_forget
from league.up.roles import side_doors


@require_http_methods(["GET", "HEAD", "POST"])
def service_page(request: HttpRequest) -> HttpResponse:
    """Show superusers the state of the service; one button audits all clubs now, others forget a
    host that is gone."""
    if not request.user.is_superuser:
        raise Http404
    if request.method == "POST" and "forget" in request.POST:
        if parts_forget(host_id=request.POST["forget"]):
            messages.success(request, gettext("The machine is forgotten."))
        return redirect("service")
    if request.method == "POST":
        if call("site.audit.tasks.audit_clubs"):
            messages.success(
                request, gettext("The audit has started. Reload this page in a while.")
            )
        else:
            messages.error(
                request, gettext("The audit couldn’t be started: Redis isn’t answering.")
            )
        return redirect("service")
    states = parts()
    context = {
        "parts": states,
        "incomplete_hosts": [state for state in hosts(states) if state.missed],
        "audits": last_audits(),
        "set_aside": all_set_aside(),
        "lagging": lagging_readers(),
        "unsent": unsent(),
        "side_doors": side_doors(),
    }
    return render(request, "league/site/health/service.html", context)
