"""Whether the service is well, for those who watch it."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from league.clubs.models import User
from league.frame.cache import redis_answers
from league.up.parts import missed, parts


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 if every part of the service was heard of lately, else 503; what is missed, and who was heard of when."""
    states = parts()
    without = missed(states) + ([] if redis_answers() else ["redis"])
    heard = [
        {"name": state.name, "seconds": state.seconds and round(state.seconds, 1), "late": state.late}
        for state in states
    ]
    answer = {"ok": not without, "missed": without, "parts": heard}
    return JsonResponse(answer, status=503 if without else 200, headers={"Cache-Control": "no-store"})


@require_safe
def web_health(request: HttpRequest) -> JsonResponse:
    """200 as soon as this process answers and reaches its database; an error of the database is a 500."""
    User.objects.exists()
    return JsonResponse({"ok": True})
