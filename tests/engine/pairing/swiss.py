"""Swiss tournaments played by chance, for the tests."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine.pairing.cost import Cost, cost_of
from engine.pairing.draw_input import Apart, DrawInput, Floating, Participant, Strictness
from engine.pairing.duels.duels import duels


def played_through(
    number: int, rounds: int, seed: int, *, planned: bool = True
) -> tuple[DrawInput, list[Cost]]:
    """A whole Swiss tournament of duels, and what each draw cost; `planned`: whether draws know how
    many rounds."""
    chance = Random(seed)
    players = {f"p{i}": Participant(f"p{i}") for i in range(number)}
    given = DrawInput(
        (2,), str(seed), tuple(players.values()), rounds if planned else None, bye=True
    )
    costs = []
    for _ in range(rounds):
        drawn = duels(given)
        costs.append(cost_of(given, drawn.tables, drawn.bye))
        winners = [chance.choice(table) for table in drawn.tables]
        for id in (*winners, *drawn.bye):
            players[id] = replace(
                players[id], score=players[id].score + 1, byes=players[id].byes + (id in drawn.bye)
            )
        given = replace(
            given, participants=tuple(players.values()), played=(*given.played, drawn.tables)
        )
    return given, costs


@st.composite
def inputs(draw: st.DrawFn, most: int = 24) -> DrawInput:
    """Any input of duels, in the middle of a tournament, some withdrawn, some to stay apart."""
    number = draw(st.integers(0, most))
    ids = [f"p{i}" for i in range(number)]
    score = st.integers(0, draw(st.sampled_from((0, 3, 30))))
    floats: st.SearchStrategy[Floating | None] = st.sampled_from(("up", "down", None))
    label = st.integers(0, draw(st.integers(0, 3)))
    players = [
        Participant(
            id, draw(score), draw(st.integers(0, 1)), floats=draw(floats), label=draw(label)
        )
        for id in ids
    ]
    everybody = [*ids, "gone1", "gone2"]
    played = []
    for _ in range(draw(st.integers(0, 5))):
        line = draw(st.permutations(everybody))
        played.append(tuple(zip(line[::2], line[1::2], strict=False)))
    apart = []
    if number > 1:
        for first, second in draw(
            st.lists(
                st.lists(st.sampled_from(ids), min_size=2, max_size=2, unique=True), max_size=3
            )
        ):
            apart.append(Apart(first, second, draw(st.booleans())))
    labels: st.SearchStrategy[Strictness | None] = st.sampled_from((None, None, "wish", "must"))
    given = DrawInput(
        (2,), draw(st.text(max_size=3)), tuple(players), None, tuple(played), tuple(apart), bye=True
    )
    return replace(given, labels=draw(labels))
