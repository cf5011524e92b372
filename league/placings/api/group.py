"""The group of a stage that a request is about."""

from __future__ import annotations

from typing import Final

from rest_framework import serializers

from league.frame.api.parameters import Paged, SeenBy
from league.stages.models import Group
from league.tables.domain.stage import StageFacts

GROUP: Final = serializers.IntegerField(
    default=1, min_value=1, max_value=64, help_text="The number of the group, from 1; a stage without groups has one."
)


class OfGroup(SeenBy):
    """The parameters of an answer about a group of a stage."""

    group = GROUP


class OfGroupPaged(Paged):
    """The parameters of a list that is made for a group of a stage."""

    group = GROUP


def group_of(facts: StageFacts, number: int) -> Group:
    """A group of a stage, by its number. Raises `Group.DoesNotExist`, also before the stage has started."""
    group = next((group for group in facts.groups if group.number == number), None)
    if group is None:
        raise Group.DoesNotExist
    return group
