"""Whatever the engine says can be said in another language."""

import json
import pickle
from pathlib import Path

import pytest

from engine.illegal import Refused
from engine.messages import Message, say, templates
from engine.record.check import check_line
from engine.record.shape import bad, items
from tests.engine.record.build import fault, game, lost, revealed, verdict

GERMAN = {
    "seat {seat} owns {owned} dice, not {given}": "Platz {seat} hat {owned} Würfel, nicht {given}",
    "must have {wanted} entries, not {given}": "muss {wanted} Einträge haben, nicht {given}",
    "{least} to {most}": "{least} bis {most}",
}


def german(template: str) -> str:
    return GERMAN.get(template, template)


def test_a_message_is_its_english_sentence() -> None:
    message = say("seat {seat} owns {owned} dice, not {given}", seat=1, owned=5, given=4)
    assert message == "seat 1 owns 5 dice, not 4"
    assert (message.template, message.values) == (
        next(iter(GERMAN)),
        {"seat": 1, "owned": 5, "given": 4},
    )


def test_a_fault_can_be_said_in_another_language() -> None:
    error = verdict(game(revealed("4x2", "!", hands=["1234", "12345", "12345"]))).error
    assert error is not None
    assert error.message == "seat 0 owns 5 dice, not 4"
    assert error.message.translated(german) == "Platz 0 hat 5 Würfel, nicht 4"


def test_a_message_inside_a_message_is_translated_too() -> None:
    with pytest.raises(Refused) as refused:
        items([], "seats", range(2, 7))
    message = refused.value.illegal.message
    assert message == "must have 2 to 6 entries, not 0"
    assert message.translated(german) == "muss 2 bis 6 Einträge haben, nicht 0"


def test_braces_in_a_value_stay_as_they_are() -> None:
    assert say("“{text}” isn't a move", text="{seat}").translated(german) == "“{seat}” isn't a move"
    assert check_line('{"v": 1, "game": "{0}"}').error is not None


def test_a_message_may_be_sent_to_another_process() -> None:
    message = pickle.loads(pickle.dumps(say("no seat has {number} dice", number=7)))
    assert (
        message.translated(lambda template: template.upper().replace("NUMBER", "number"))
        == "NO SEAT HAS 7 DICE"
    )


def test_all_templates_are_found() -> None:
    found = set(templates())
    assert {
        *GERMAN,
        "is missing",
        "the game ended before this round",
        "}} after a comment",
    } <= found
    assert len(found) > 100


def test_every_fault_has_a_template_of_the_list() -> None:
    found = set(templates())
    for wrong in (
        game(opener=9),
        game(lost(1)),
        game(lost(9, 9, 9)),
        game() | {"seats": ["a", "a"]},
    ):
        assert fault(wrong)
        error = verdict(wrong).error
        assert error is not None
        assert isinstance(error.message, Message)
        assert error.message.template in found


def test_a_template_is_written_out_where_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        'bad(path, "must be {what}", what=1)\nother(x)\nthing.say(x)\n'
    )
    assert list(templates(tmp_path)) == ["must be {what}"]
    (tmp_path / "two.py").write_text("\nsay(message)\n")
    with pytest.raises(ValueError, match=r"two\.py:2: the template isn't written out"):
        list(templates(tmp_path))


def test_bad_is_a_bad_record_with_a_message() -> None:
    illegal = bad("seats", "must be from {least} to {most}", least=1, most=2).illegal
    assert (illegal.code, illegal.path, illegal.message) == (
        "bad_record",
        "seats",
        "must be from 1 to 2",
    )


def test_a_message_can_be_kept_as_json_and_said_later() -> None:
    inner = say("{least} to {most}", least=2, most=6)
    message = say("must have {wanted} entries, not {given}", wanted=inner, given=[0])
    kept = json.loads(json.dumps(message.as_json()))
    assert kept["values"]["wanted"] == {
        "template": "{least} to {most}",
        "values": {"least": 2, "most": 6},
    }
    again = Message.from_json(kept)
    assert again == message == "must have 2 to 6 entries, not [0]"
    assert again.translated(german) == "muss 2 bis 6 Einträge haben, nicht [0]"
