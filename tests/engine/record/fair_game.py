"""Games played at random with verifiable dice, to test what their proofs prove."""

from collections.abc import Iterator, Sequence
from random import Random

from engine.bluff.game import Game
from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, LayOut, Move
from engine.bluff.round import NOBODY, Round
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import FACES
from engine.dice.dealer import Dealer
from engine.dice.roll import RollPlace
from engine.kniffel.combinations import ANNOUNCEABLE, DICE, Announcement
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.kniffel.game import Game as KniffelGame
from engine.kniffel.rolls import ROLLS, Roll, dice_shown
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.record.kniffel.settle import settle
from engine.record.kniffel.turn import TurnRecord
from engine.record.record import Record


def fair_bluff(dealer: Dealer, rules: Ruleset, seats: Sequence[str], rng: Random) -> Record:
    """A whole game of Bluff with the proof of its dice; `rng` makes the moves. One seed of the
    dealer a seat."""
    game = Game(rules, len(seats), 0)
    rounds: list[RoundRecord] = []
    while not game.over:
        hands = [_hand(faces) for faces in dealer.deal(len(rounds), game.owned)]
        played = game.roll(hands)
        moves = tuple(_moves(played, dealer, len(rounds), rng))
        game.finish(played, played.count())
        rounds.append(RoundRecord("dealt", hands=tuple(hands), moves=moves))
    return _record(dealer, BLUFF, rules, seats, rounds, [True] * len(rounds))


def _moves(played: Round, dealer: Dealer, number: int, rng: Random) -> Iterator[Move]:
    """Small raises, here and there a lay-out, and at last the challenge. Ruling B14 (R, S)."""
    draws = [0] * len(played.owned)
    while played.challenger == NOBODY:
        seat, bids = played.turn, played.legal_bids()[:8]
        move: Move = CHALLENGE
        if not played.may_challenge() or (bids and rng.random() < 0.6):
            move = bid = rng.choice(bids)
            if played.may_show() and rng.random() < 0.4:
                draws[seat] += 1
                move = _lay_out(bid, played, dealer, RollPlace(number, seat, draws[seat]), rng)
        played.apply(move)
        yield move


def _lay_out(bid: int, played: Round, dealer: Dealer, draw: RollPlace, rng: Random) -> LayOut:
    """Some of the seat's dice laid out, the others rolled anew. Ruling B14 (R, S)."""
    assert played.cups is not None
    show = rng.sample(played.cups[draw.seat], rng.randint(1, played.may_show()))
    return LayOut(
        bid,
        sort_hand("".join(show)),
        _hand(dealer.roll(draw, played.hidden[draw.seat] - len(show))),
    )


def _hand(faces: Sequence[int]) -> str:
    return sort_hand("".join([FACES[face - 1] for face in faces]))


def fair_kniffel(dealer: Dealer, rules: KniffelRules, seats: Sequence[str], rng: Random) -> Record:
    """A whole game of Lügen-Kniffel with the proof of the dice that were shown, which are those
    doubted. Ruling K6."""
    table = KniffelGame(len(seats), 0, rules)
    turns: list[TurnRecord] = []
    is_shown: list[bool] = []
    while table.roller is not None:
        rolls = tuple(_rolls(table.roller, dealer, len(turns), rng))
        listeners = [seat for seat in range(len(seats)) if seat != table.roller]
        doubters = tuple([seat for seat in listeners if rng.random() < 0.3])
        turn = TurnRecord(_announcement(table, table.roller, rng), doubters)
        if doubters:
            dice = dice_shown(rolls)
            assert isinstance(dice, tuple)
            turn = turn._replace(rolls=rolls, dice=dice)
        settle(table, turn, "")
        turns.append(turn)
        is_shown.append(bool(doubters))
    return _record(dealer, KNIFFEL, rules, seats, turns, is_shown)


def _rolls(roller: int, dealer: Dealer, number: int, rng: Random) -> Iterator[Roll]:
    """One to three rolls; some of the dice just rolled stay. Ruling K11 (K)."""
    kept_dice: tuple[int, ...] = ()
    dice = DICE
    for i in range(rng.choice(ROLLS)):
        thrown = tuple(sorted(dealer.roll(RollPlace(number, roller, i), dice)))
        yield Roll(kept_dice, thrown)
        kept_dice = tuple(sorted(rng.sample(thrown, rng.randrange(dice))))
        dice -= len(kept_dice)


def _announcement(table: KniffelGame, roller: int, rng: Random) -> Announcement:
    """Anything that can still be announced. Rulings K2, K5 (K)."""
    sheet = table.sheets[roller]
    combination = rng.choice([name for name in ANNOUNCEABLE if not sheet[name].filled])
    return Announcement(combination, rng.choice(sorted(ANNOUNCEABLE[combination])))


def _record(
    dealer: Dealer,
    kind: AnyKind,
    rules: object,
    seats: Sequence[str],
    rounds: Sequence[object],
    is_shown: Sequence[bool],
) -> Record:
    return Record(
        record_id=dealer.game,
        kind=kind,
        rules=rules,
        seats=tuple(seats),
        opener=0,
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=tuple(rounds),
        result=None,
        proof=dealer.proof(is_shown),
    )
