"""The check of Django that warns of variables whose names are nearly those of settings."""

from typing import Any

from django.core import checks
from django.core.checks import CheckMessage, register

from league.environment.check import slips


@register()
def slips_check(**kwargs: Any) -> list[CheckMessage]:
    """Warn of each such variable."""
    return [checks.Warning(sentence, id="league.environment") for sentence in slips()]
