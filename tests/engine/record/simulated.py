"""Games of Bluff played at random by a second, plain reading of the rulings, which knows nothing of
the engine."""

import random
from collections import Counter
from typing import Any

FACES = "12345*"
NUMBERS = [
    (count, (count, FACES.index(face)), f"{count}x{face}")
    for count in range(1, 41)
    for face in "12345"
]
STARS = [(2 * count, (2 * count - 0.5, 0), f"{count}x*") for count in range(1, 21)]
TRACK = [text for _, _, text in sorted(NUMBERS + STARS, key=lambda bid: bid[1])]
"""All bids in raising order: star field k stands just before number field 2k."""
LEVELS = ("result", "challenge", "bids", "dice", "dealt")


def random_game(seed: int, **rules: Any) -> dict[str, Any]:
    """A whole record with its result: random seats, levels and, now and then, forfeits, void rounds
    and an end by the clock. `rules` overrides."""
    return Simulation(random.Random(seed), rules).play()


class Simulation:
    def __init__(self, rng: random.Random, rules: dict[str, Any]) -> None:
        self.rng = rng
        self.seats = rng.randint(2, 6)
        self.rules = {
            "exact": rng.choice(["all", "challenger", "protected", "giveaway"]),
            "reroll": rng.random() < 0.5,
            "dice": rng.choice([5, 5, 5, 1, 2, 7]),
            "scoring": rng.choice(["cntdice", "placement"]),
            **rules,
        }
        self.owned = [self.rules["dice"]] * self.seats
        self.opener: int = rng.randrange(self.seats)
        self.opener_written = True
        self.left: list[list[int]] = []
        self.score = [0] * self.seats
        self.rounds: list[dict[str, Any]] = []
        self.due = False
        """A void round is still to be played again."""

    def play(self) -> dict[str, Any]:
        first = self.opener
        while len(self.live()) > 1:
            if self.rng.random() < 0.03 and not self.due:
                self.rounds.append({"ended": "clock"})
                break
            if self.rng.random() < 0.05:
                self.leave({})
            else:
                self.round(self.rng.choice(LEVELS))
        gone = self.rules["dice"] * self.seats - sum(self.owned)
        for dice in range(1, self.rules["dice"] + 1):
            if alike := [seat for seat in self.live() if self.owned[seat] == dice]:
                self.left.append(alike)
                for seat in alike:
                    self.score[seat] = gone + dice
        rank = [0] * self.seats
        behind = 0
        for out in self.left:
            for seat in out:
                rank[seat] = self.seats - behind - len(out) + 1
            behind += len(out)
        return {
            "v": 1,
            "id": "simulated",
            "game": "bluff",
            "rules": self.rules,
            "seats": [f"player {seat}" for seat in range(self.seats)],
            "opener": first,
            "rounds": self.rounds,
            "result": {
                "rank": rank,
                "points": self.score if self.rules["scoring"] == "cntdice" else rank,
            },
        }

    def live(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.owned[seat]]

    def after(self, seat: int) -> int:
        seat = (seat + 1) % self.seats
        return seat if self.owned[seat] else self.after(seat)

    def take(self, losses: list[int]) -> None:
        was = self.live()
        self.owned = [dice - lost for dice, lost in zip(self.owned, losses, strict=True)]
        out = [seat for seat in was if not self.owned[seat]]
        if out:
            self.left.append(out)
            for seat in out:
                self.score[seat] = self.rules["dice"] * self.seats - sum(self.owned)

    def leave(self, round_: dict[str, Any]) -> None:
        """Some seats forfeit, but never all."""
        leaving = self.rng.sample(self.live(), self.rng.randint(1, len(self.live()) - 1))
        self.rounds.append(round_ | {"forfeit": leaving})
        self.take([self.owned[seat] if seat in leaving else 0 for seat in range(self.seats)])
        if not self.owned[self.opener]:
            self.opener = self.after(self.opener)

    def shuffled(self, dice: list[str]) -> str:
        return "".join(self.rng.sample(dice, len(dice)))

    def roll(self, dice: int) -> list[str]:
        return self.rng.choices(FACES, k=dice)

    def round(self, level: str) -> None:
        rng = self.rng
        cups = [self.roll(dice) for dice in self.owned]
        shown: list[list[str]] = [[] for _ in cups]
        dealt = [self.shuffled(cup) for cup in cups]
        moves: list[str] = []
        open_moves: list[str] = []
        place, bidder, turn = -1, -1, self.opener
        while place < 0 or (rng.random() < 0.6 and place < 219):
            if rng.random() < 0.04:
                self.void(level, dealt, moves, open_moves)
                return
            place = rng.randint(place + 1, min(place + 1 + rng.choice([3, 20, 219]), 219))
            text = move = TRACK[place]
            if self.rules["reroll"] and len(cups[turn]) > 1 and rng.random() < 0.4:
                text, move = self.lay_out(text, cups, shown, turn)
            moves.append(text)
            open_moves.append(move)
            bidder, turn = turn, self.after(turn)
        self.finish(level, dealt, cups, shown, moves, open_moves, TRACK[place], bidder, turn)

    def lay_out(
        self, bid: str, cups: list[list[str]], shown: list[list[str]], turn: int
    ) -> tuple[str, str]:
        """The move as a dealt round tells it, and as others do."""
        show = self.rng.sample(cups[turn], self.rng.randint(1, len(cups[turn]) - 1))
        shown[turn] += show
        cups[turn] = self.roll(len(cups[turn]) - len(show))
        return f"{bid}/{''.join(show)}>{''.join(cups[turn])}", f"{bid}/{''.join(show)}"

    def opening(self, always: bool) -> dict[str, Any]:
        opening = (
            {"opener": self.opener}
            if (always and not self.opener_written) or self.rng.random() < 0.1
            else {}
        )
        self.opener_written = self.opener_written or bool(opening)
        return opening

    def void(self, level: str, dealt: list[str], moves: list[str], open_moves: list[str]) -> None:
        begun = {"dealt": dealt, "moves": moves} if level == "dealt" else {"moves": open_moves}
        round_ = self.opening(True) | begun | {"void": True}
        self.due = True
        if self.rng.random() < 0.5:
            self.rounds.append(round_)
        else:
            self.leave(round_)

    def finish(
        self,
        level: str,
        dealt: list[str],
        cups: list[list[str]],
        shown: list[list[str]],
        moves: list[str],
        open_moves: list[str],
        bid: str,
        bidder: int,
        challenger: int,
    ) -> None:
        said, face = int(bid[:-2]), bid[-1]
        hands = [cup + table for cup, table in zip(cups, shown, strict=True)]
        lying = Counter(die for hand in hands for die in hand)
        count = lying["*"] if face == "*" else lying[face] + lying["*"]
        losses = self.losses(said, count, bidder, challenger)
        levels: dict[str, dict[str, Any]] = {
            "dealt": {"dealt": dealt, "moves": [*moves, "!"]},
            "dice": {
                "revealed": [self.shuffled(hand) for hand in hands],
                "moves": [*open_moves, "!"],
            },
            "bids": {"moves": [*open_moves, "!"], "count": count},
            "challenge": {
                "moves": [open_moves[-1], "!"],
                "bidder": bidder,
                "challenger": challenger,
                "count": count,
            },
            "result": {"losses": losses},
        }
        round_ = levels[level]
        if self.rng.random() < 0.1:
            round_["losses"] = losses
        self.rounds.append(self.opening(level != "result") | round_)
        self.due = False
        self.take(losses)
        self.opener = bidder if count >= said else challenger
        self.opener_written = level != "result"

    def losses(self, said: int, count: int, bidder: int, challenger: int) -> list[int]:
        losses = [0] * self.seats
        exact = self.rules["exact"]
        if count > said:
            losses[challenger] = min(count - said, self.owned[challenger])
        elif count < said:
            losses[bidder] = min(said - count, self.owned[bidder])
        elif exact == "challenger":
            losses[challenger] = 1
        elif exact == "giveaway":
            losses[challenger] = 1
            losses[bidder] = -1 if self.owned[bidder] < self.rules["dice"] else 0
        else:
            for seat in self.live():
                spared = exact == "protected" and self.owned[seat] == 1 and seat != challenger
                losses[seat] = 0 if seat == bidder or spared else 1
        return losses
