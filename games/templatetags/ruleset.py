"""The rules of a game or of a season, for its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import template

from games.domain.ruleset import rules_in_words
from games.models.game import Kind

register = template.Library()


@register.inclusion_tag("components/agreed.html")
def agreed(kind: str, rules: Any) -> dict[str, object]:
    """Show the agreed rules; `rules` is a season's mapping, or the ruleset of a game with all
    settings."""
    settings = rules if isinstance(rules, Mapping) else asdict(rules)
    return {"game": Kind(kind).label, "agreed": rules_in_words(kind, settings)}
