"""Records in normal form for tests of the notation: all that the record's reader takes, legal or
not."""

from collections.abc import Sequence

from hypothesis import strategies as st

from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.ruleset import EXACT, SCORING
from engine.bluff.ruleset import Ruleset as BluffRules
from engine.bluff.track import BIDS, FACES
from engine.clock import CLOCK
from engine.kniffel.combinations import TRUTH, Announcement
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord
from engine.record.handle import handle_fault
from engine.record.kniffel.kind import KNIFFEL
from engine.record.kniffel.turn import TurnRecord
from engine.record.outcome import KnownEnd
from engine.record.record import Record, Result
from engine.record.shape import SAFE
from tests.engine.record.kniffel.test_compact import turns as kniffel_turns

ODD = (
    *(
        "anna",
        "Anna",
        "ANNA",
        "Anna B.",
        "a, b",
        'O"Neil',
        '"',
        '""',
        " a",
        "a ",
        "\u00a0b",
        "\u2028",
        "5x2",
        "void",
    ),
    *(
        "Forfeit",
        "-",
        "!",
        ";",
        "{c}",
        "}",
        "=9",
        "|",
        "vera:",
        "12*",
        "Zoë",
        "Zoe\u0308",
        "李雷",
        "🎲🎲",
        "x",
        "?",
        "\\",
    ),
)
"""Texts that look like something else."""

texts = st.text(
    st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=64
) | st.sampled_from(ODD)
handles = texts.filter(lambda text: handle_fault(text) is None)
slugs = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
moments = st.sampled_from(
    ["2026-09-03T19:05:00+02:00", "2026-09-03 19:05:00.25z", "1999-12-31t00:00:00-11:30"]
)
wholes = st.integers(-3, 20) | st.integers(SAFE[0], SAFE[-1])
hands = st.text(FACES, max_size=20).map(sort_hand)
bids = st.integers(0, BIDS - 1)
moves: st.SearchStrategy[Move] = (
    bids | st.just(CHALLENGE) | st.builds(LayOut, bids, hands, hands | st.none())
)


@st.composite
def bluff_rounds(draw: st.DrawFn, seats: int) -> RoundRecord:
    """A round at any level, with the keys that go together."""
    seat = st.integers(0, seats - 1)

    def each(values: st.SearchStrategy[int]) -> tuple[int, ...]:
        return tuple(draw(st.lists(values, min_size=seats, max_size=seats)))

    def cups() -> tuple[str, ...]:
        return tuple(draw(st.lists(hands, min_size=seats, max_size=seats)))

    opener = draw(seat | st.none())
    played = tuple(draw(st.lists(moves, max_size=4) | bids.map(lambda bid: [bid, CHALLENGE])))
    kind = draw(
        st.sampled_from(
            [
                "result",
                "challenge",
                "bids",
                "dice",
                "dealt",
                "forfeit",
                "void",
                "void dealt",
                "clock",
            ]
        )
    )
    if kind == "clock":
        return RoundRecord("clock")
    if kind == "result":
        return RoundRecord("result", opener, losses=each(wholes))
    if kind in ("forfeit", "void", "void dealt"):
        left = tuple(sorted(draw(st.sets(seat, min_size=kind == "forfeit"))))
        if kind == "forfeit":
            return RoundRecord("forfeit", opener, forfeit=left)
        dealt = cups() if kind == "void dealt" else None
        return RoundRecord(
            "dealt" if dealt else "bids", opener, dealt, played, forfeit=left, void=True
        )
    losses = each(wholes) if draw(st.booleans()) else None
    if kind == "challenge":
        bidder, challenger, count = draw(seat), draw(seat), draw(wholes)
        return RoundRecord("challenge", opener, None, played, bidder, challenger, count, losses)
    if kind == "bids":
        return RoundRecord(
            "bids", opener, moves=played, count=draw(wholes | st.none()), losses=losses
        )
    return RoundRecord(
        "dealt" if kind == "dealt" else "dice", opener, cups(), played, losses=losses
    )


def ranks(seats: int) -> st.SearchStrategy[tuple[int, ...]]:
    """A number for each seat, whether a game can end so or not."""
    return st.lists(wholes, min_size=seats, max_size=seats).map(tuple)


def leavers(seats: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Some seats in any order."""
    return st.lists(st.integers(0, seats - 1), unique=True).map(tuple)


def ends_by_clock(seats: int) -> st.SearchStrategy[KnownEnd]:
    """An outcome that says that time was up."""
    each = ranks(seats) | st.none()
    return st.builds(KnownEnd, ranks(seats), each, each, leavers(seats), st.just(CLOCK))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record of either game with a good header, and rounds (turns) that can be read or an
    outcome."""
    bluff = draw(st.booleans())
    seats = draw(st.lists(handles, min_size=2, max_size=6 if bluff else 8, unique=True))
    each = ranks(len(seats)) | st.none()
    rules: object
    rounds: Sequence[object]
    if bluff:
        rules = BluffRules(
            draw(st.sampled_from(list(EXACT.values()))),
            draw(st.booleans()),
            draw(st.integers(1, 20)),
            draw(st.sampled_from(list(SCORING.values()))),
        )
        rounds = draw(st.lists(bluff_rounds(len(seats)), max_size=5))
    else:
        rules = KniffelRules(draw(st.sampled_from(list(TRUTH.values()))), draw(st.booleans()))
        rounds = draw(st.lists(turns(len(seats)), max_size=5))
    outcome = draw(
        st.builds(KnownEnd, ranks(len(seats)), each, st.none(), leavers(len(seats)), st.none())
        | ends_by_clock(len(seats))
        | st.none()
    )
    return Record(
        record_id=draw(texts),
        kind=BLUFF if bluff else KNIFFEL,
        rules=rules,
        seats=tuple(seats),
        opener=draw(st.integers(0, len(seats) - 1)),
        season=draw(slugs | st.none()),
        event=draw(slugs | st.none()),
        table=draw(texts | st.none()),
        played_at=draw(moments | st.none()),
        rounds=() if outcome else tuple(rounds),
        result=None if outcome else draw(st.builds(Result, each, each) | st.none()),
        outcome=outcome,
    )


@st.composite
def turns(draw: st.DrawFn, seats: int) -> TurnRecord:
    """A turn whose doubters sit at the table; the announcement may be none of the rules."""
    turn = draw(kniffel_turns())
    seat = st.integers(0, seats - 1)
    if turn.announcement is None:
        left = tuple(sorted(draw(st.sets(seat, min_size=1)))) if turn.forfeit else ()
        return turn._replace(forfeit=left)
    word = draw(st.sampled_from([turn.announcement.combination, "yahtzee", "x"]))
    left = tuple(draw(st.sets(seat, min_size=1).map(sorted))) if turn.forfeit else ()
    doubters = tuple(seat for seat in turn.doubters if seat < seats)
    return turn._replace(
        announcement=Announcement(word, draw(st.integers(0, 99))), doubters=doubters, forfeit=left
    )
