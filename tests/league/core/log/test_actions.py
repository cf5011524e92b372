"""The actions of the log: every room registers its own."""

from pathlib import Path

from league.apps import ROOMS_THAT_ACT
from league.core.log.actions import ACTIONS, Action


def test_every_room_with_actions_is_named_where_they_are_loaded() -> None:
    rooms = {path.parent.name for path in Path("league").glob("*/actions.py")} - {"log"}
    assert rooms == set(ROOMS_THAT_ACT), "league/apps.py names the rooms with actions"


def test_every_class_of_actions_is_registered() -> None:
    for actions in Action.__subclasses__():
        for action in actions:
            assert ACTIONS.get(action.value) is action, f"{actions.__name__}: put @register above it"
