"""The actions of the log: every noun registers its own."""

from league.core.log.actions import ACTIONS, Action


def test_every_class_of_actions_is_registered() -> None:
    for actions in Action.__subclasses__():
        for action in actions:
            assert ACTIONS.get(action.value) is action, (
                f"{actions.__name__}: put @register above it"
            )
