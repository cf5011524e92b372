"""The file with all that is stored about the account."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.viewer.web.viewer import signed_in
from league.site.account.queries import own_data


@never_cache
@require_safe
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def own_data_file(request: HttpRequest) -> HttpResponse:
    """Send an account its own data as JSON, once it has just confirmed who it is."""
    answer = JsonResponse(own_data(signed_in(request)), json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = 'attachment; filename="cups-up-account.json"'
    return answer
