"""Tournaments at tables of any size played by chance, for the tests."""

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import strategies as st

from engine.pairing.cost import float_of, pairs_at
from engine.pairing.draw import Draw, draw
from engine.pairing.draw_input import Apart, DrawInput, Participant
from engine.record.kinds import SEATS


@dataclass
class Tournament:
    """What came of it: the draws, and its players after the last round."""

    draws: list[Draw] = field(default_factory=list)
    players: list[Participant] = field(default_factory=list)

    @property
    def repeats(self) -> int:
        """Meetings of those who had met before."""
        met = Counter(
            pair for drawn in self.draws for table in drawn.tables for pair in pairs_at(table)
        )
        return sum(count - 1 for count in met.values())


def tournament(
    number: int,
    sizes: tuple[int, ...],
    rounds: int,
    seed: int,
    *,
    planned: bool = True,
    bye: bool = False,
) -> Tournament:
    """A tournament of so many rounds, in which everybody at a table gets other points by chance."""
    chance = Random(seed)
    given = DrawInput(
        sizes,
        f"seed {seed}",
        tuple([Participant(f"p{i}", seats=(0,) * SEATS[-1]) for i in range(number)]),
        rounds if planned else None,
        bye=bye,
    )
    found = Tournament()
    for _ in range(rounds):
        drawn = draw(given)
        assert isinstance(drawn, Draw)
        found.draws.append(drawn)
        given = replace(
            given,
            participants=after(given.participants, drawn, sizes[0], chance),
            played=(*given.played, drawn.tables),
        )
    found.players = list(given.participants)
    return found


def after(
    players: tuple[Participant, ...], drawn: Draw, wanted: int, chance: Random
) -> tuple[Participant, ...]:
    """The players after a round: each place at a table brings other points."""
    changed = {player.player_id: player for player in players}
    for id in drawn.bye:
        changed[id] = replace(changed[id], byes=changed[id].byes + 1)
    for table in drawn.tables:
        before = {id: changed[id].score for id in table}
        for seat, (id, points) in enumerate(
            zip(table, chance.sample(range(len(table)), len(table)), strict=True)
        ):
            player = changed[id]
            changed[id] = replace(
                player,
                score=player.score + points,
                short=player.short + (len(table) < wanted),
                seats=tuple([count + (seat == other) for other, count in enumerate(player.seats)]),
                floats=float_of(before[id], [before[other] for other in table if other != id]),
            )
    return tuple(changed.values())


@st.composite
def draw_inputs(draw: st.DrawFn, most: int = 12) -> DrawInput:
    """Any input, in the middle of a tournament, some withdrawn, some to stay apart."""
    number = draw(st.integers(0, most))
    ids = [f"p{i}" for i in range(number)]
    score, few = st.integers(0, draw(st.sampled_from((0, 3, 1_000_000)))), st.integers(0, 2)
    players = [
        Participant(
            id,
            draw(score),
            draw(few),
            draw(few),
            tuple(draw(st.lists(few, max_size=SEATS[-1]))),
            draw(st.sampled_from(("up", "down", None))),
            draw(few),
        )
        for id in ids
    ]
    everybody = [*ids, "gone1", "gone2"]
    played = []
    for _ in range(draw(st.integers(0, 3))):
        line, size = draw(st.permutations(everybody)), draw(st.sampled_from(SEATS))
        played.append(tuple([tuple(line[i : i + size]) for i in range(0, len(line), size)]))
    pairs = (
        st.lists(st.sampled_from(everybody), min_size=2, max_size=2, unique=True)
        .map(sorted)
        .map(tuple)
    )
    return DrawInput(
        tuple(draw(st.lists(st.sampled_from(SEATS), min_size=1, max_size=3, unique=True))),
        draw(st.text("äb c", min_size=1, max_size=3)),
        tuple(players),
        draw(st.none() | st.integers(len(played) + 1, len(played) + 3)),
        tuple(played),
        tuple(
            [
                Apart(one, other, draw(st.booleans()))
                for one, other in draw(st.lists(pairs, max_size=3, unique=True))
            ]
        ),
        draw(st.booleans()),
        labels=draw(st.sampled_from((None, None, "wish", "must"))),
        meetings_first=draw(st.booleans()),
    )
