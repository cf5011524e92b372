"""Audits, as operators look at them."""

from __future__ import annotations

from league.rankings.models import Audit


def last_audits() -> list[Audit]:
    """The latest audit of each club that has ended, or runs; by the club's name."""
    latest = Audit.objects.order_by("club_id", "-started_at").distinct("club_id").values("pk")
    return list(Audit.objects.filter(pk__in=latest).select_related("club").order_by("club__name", "pk"))
