"""`python -m engine draw FILE`: who sits where, one JSON line for each draw of the file."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from engine.cli.files import complain, opened
from engine.illegal import Illegal
from engine.pairing.brackets.bracket import bracket_round
from engine.pairing.brackets.bracket_file import bracket_round_json, read_bracket
from engine.pairing.draw_file import LINES, input_of, write_answer
from engine.pairing.why_not import why_not
from engine.record.canonical import canonical_json
from engine.record.lines import read_lines
from engine.record.record import parse
from engine.record.shape import Json

NAME: Final = "draw"
HELP: Final = "draw who meets whom, from files of what is known before each round"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the file of draws."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a file of draws, one a line, plain or gzip; - is standard input",
    )
    parser.add_argument(
        "--why-not", action="store_true", help="also say what speaks against swapping two players"
    )


def run(arguments: Namespace) -> int:
    """Print the answers in order; return 0 if there are draws and all are ok, else 1.

    Raise OSError if the file can't be read.
    """
    code = 0
    empty = True
    with opened(arguments.file) as stream:
        for number, content in read_lines(stream, LINES):
            empty = False
            answer = _answer(content, with_why_not=arguments.why_not)
            if isinstance(answer, Illegal):
                sys.stdout.buffer.write(write_answer(answer) + b"\n")
                complain(f"{arguments.file}:{number}", answer)
                code = 1
            else:
                sys.stdout.buffer.write(answer + b"\n")
    if empty:
        print(f"{arguments.file}: the file is empty, so there is no draw in it", file=sys.stderr)
        code = 1
    return code


def _answer(content: bytes | Illegal, *, with_why_not: bool) -> bytes | Illegal:
    value = content if isinstance(content, Illegal) else parse(content)
    if isinstance(value, Illegal):
        return value
    if isinstance(value, dict) and "bracket" in value:
        return _answer_bracket(value)
    from engine.pairing.draw import draw  # needs rustworkx and NumPy, which knock-outs don't

    draw_input = input_of(value)
    if isinstance(draw_input, Illegal):
        return draw_input
    drawn = draw(draw_input)
    if isinstance(drawn, Illegal):
        return drawn
    answer = drawn.as_json()
    if with_why_not:
        places = range(len(drawn.tables) + len(drawn.bye))
        reasons = why_not(draw_input, drawn.tables, drawn.bye, places)
        answer["why_not"] = [" ".join(sentences) for sentences in reasons]
    return canonical_json(answer)


def _answer_bracket(value: Json) -> bytes | Illegal:
    bracket = read_bracket(value)
    if isinstance(bracket, Illegal):
        return bracket
    next_round = bracket_round(bracket)
    if isinstance(next_round, Illegal):
        return next_round
    return canonical_json(bracket_round_json(next_round))
