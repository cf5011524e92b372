"""The audits of all clubs, for operators and jobs."""

from __future__ import annotations

from league.core.frame.name_key import NameKey
from league.site.audit.models import Audit


def last_audits() -> list[Audit]:
    """Return the latest audit of each club, whether it has ended or not, ordered by the clubs'
    names."""
    latest = Audit.objects.order_by("club_id", "-started_at").distinct("club_id").values("pk")
    return list(
        Audit.objects.filter(pk__in=latest)
        .select_related("club")
        .order_by(NameKey("club__name"), "pk")
    )


def clubs_with_running_audits() -> list[int]:
    """Return the row ids of the clubs with an audit that hasn't ended."""
    return list(
        Audit.objects.filter(ended_at=None)
        .order_by("club")
        .values_list("club", flat=True)
        .distinct()
    )
