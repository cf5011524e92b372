"""All that the audits of a club forget of a player who is erased."""

from __future__ import annotations

import json
from re import Pattern

from league.site.audit.models import Audit


def audits_forget(club_id: int, names: Pattern[str]) -> None:
    """Drop the differences of audits that tell such a name; how many there were stays."""
    for audit in Audit.objects.filter(club=club_id):
        if names.search(json.dumps(audit.differences, ensure_ascii=False) + audit.error):
            Audit.objects.filter(pk=audit.pk).update(differences=[], error="")
