"""Forgeries of exported games: what is changed, how much of the evidence is made anew, and what
finds it.

The table on the manual's page on digests has the same rows.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any, Final, NamedTuple

from engine.bluff.ruleset import Ruleset
from engine.dice.dealer import Dealer
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.record.canonical import canonical_json, digests
from engine.record.check import check_line
from engine.record.export import export, seal_of
from engine.record.names import Name
from engine.record.record import Record, read_value, with_names
from tests.engine.record.build import SALTS
from tests.engine.record.fair_game import fair_bluff, fair_kniffel

Line = dict[str, Any]
"""An export as parsed JSON."""
SEATS: Final = ("anna", "björn", "cem")
RULES: Final = Ruleset(dice=3, reroll=True)


def _sealed(record: Record, **header: Any) -> Record:
    return replace(with_names(record, SALTS[: len(SEATS)]), **header)


def _dealer(seed: int) -> Dealer:
    rng = Random(seed)
    return Dealer(rng.randbytes(32), "evening-7", tuple([rng.randbytes(8) for _ in SEATS]))


HEADER: Final = {"played_at": "2026-09-03T19:05:00+02:00", "table": "A"}
GAME: Final = _sealed(fair_bluff(_dealer(1), RULES, SEATS, Random(3)), **HEADER)
"""A game of Bluff with lay-outs, dealt by a service that proves its dice."""
REWRITTEN: Final = _sealed(fair_bluff(_dealer(1), RULES, SEATS, Random(9)), **HEADER)
"""Other bids on dice of the same secret: the same header, and so the same commitment and the same
first digest."""
OTHER: Final = _sealed(fair_bluff(_dealer(2), RULES, SEATS, Random(3)), **HEADER)
"""A game of another secret with the same id."""
KNIFFEL: Final = _sealed(fair_kniffel(_dealer(1), KniffelRules(), SEATS, Random(4)), **HEADER)


def unfinished(record: Record, rounds: int) -> Record:
    """The first rounds of a game, with as many links."""
    proof = record.proof
    assert proof is not None
    assert proof.links is not None
    return replace(record.first(rounds), proof=replace(proof, links=proof.links[:rounds]))


def canonical(line: Line) -> bytes:
    return canonical_json(line)


def with_seal(line: Line) -> bytes:
    rest = {key: value for key, value in line.items() if key != "seal"}
    return canonical(rest | {"seal": seal_of(rest).hex()})


class Forgery(NamedTuple):
    """One row of the table.

    `names`: what is changed, in English, German and Dutch. `forge`: changes the parsed export of
    `game`. `found`: by what it is found if nothing is made anew, if all digests are, if the seal
    is, too; None where that makes no sense. `at`: the number of the digest of what is changed, None
    where there is none; to make that one alone anew is no use."""

    names: tuple[str, str, str]
    forge: Callable[[Line], object]
    found: tuple[str | None, str | None, str | None]
    at: int | None = None
    game: Record = GAME

    def lines(self) -> list[tuple[bytes, str]]:
        """The forged lines, each with what finds it."""
        line: Line = json.loads(export(self.game))
        self.forge(line)
        nothing, chain, everything = self.found
        lines = [(canonical_json(line), nothing)]
        if chain is not None:
            fresh = chain_of(line)
            if self.at is not None:
                one = [*line["digests"][: self.at], fresh[self.at], *line["digests"][self.at + 1 :]]
                lines.append((canonical_json(line | {"digests": one}), nothing))
            line["digests"] = fresh
            lines.append((canonical_json(line), chain))
        lines.append(
            (canonical_json(line | {"seal": seal_of(without(line, "seal")).hex()}), everything)
        )
        return [(forged, found) for forged, found in lines if found is not None]


def without(line: Line, *keys: str) -> Line:
    return {key: value for key, value in line.items() if key not in keys}


def chain_of(line: Line) -> list[str]:
    record = read_value(without(line, "digests", "seal"))
    assert isinstance(record, Record)
    return [digest.hex() for digest in digests(record)]


def put(*path: str | int, to: object) -> Callable[[Line], None]:
    """Puts a value in its place; the result is that which then follows, as a careful forger has
    it."""

    def forge(line: Line) -> None:
        place: Any = line
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
        follow(line)

    return forge


def drop(*path: str | int) -> Callable[[Line], None]:
    """Takes something out of its place."""

    def forge(line: Line) -> None:
        place: Any = line
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return forge


def follow(line: Line) -> None:
    """Let the result follow from the rounds, if they break no rule."""
    verdict = check_line(json.dumps(without(line, "result")))
    if verdict.ok:
        line.pop("result", None)
    if verdict.rank is not None and verdict.points is not None:
        line["result"] = {"rank": list(verdict.rank), "points": list(verdict.points)}


def swap_seats(line: Line) -> None:
    for key in ("seats", "names"):
        line[key][:2] = reversed(line[key][:2])


def pass_for(line: Line) -> None:
    """Another name, and in place of the salt the commitment to the true one, as if somebody had
    been erased."""
    salt = bytes.fromhex(line["names"][0]["salt"])
    line["names"][0] = {"commitment": Name(salt).sealed(line["seats"][0]).hex()}
    line["seats"][0] = "zoe"


def drop_last_round(line: Line) -> None:
    del line["rounds"][-1]
    follow(line)


def drop_last_round_and_link(line: Line) -> None:
    del line["proof"]["links"][-1]
    drop_last_round(line)


def swap_rounds(line: Line) -> None:
    line["rounds"][1:3] = reversed(line["rounds"][1:3])


def add_round(line: Line) -> None:
    line["rounds"].append({"dealt": ["", "245", "55"], "moves": ["1x1", "!"]})
    follow(line)


def hide_key(line: Line) -> None:
    """A link that shows the lock of its key, as if nobody had doubted."""
    key = bytes.fromhex(line["proof"]["links"][1].pop("key"))
    line["proof"]["links"][1]["lock"] = sha256(key).hexdigest()


def swap_ranks(line: Line) -> None:
    line["result"]["rank"].reverse()


def strip(line: Line) -> None:
    for key in ("names", "proof", "digests", "seal"):
        del line[key]


def become(other: Record, *keys: str) -> Callable[[Line], None]:
    """Takes over some keys of another game's export."""

    def forge(line: Line) -> None:
        line.update({key: value for key, value in json.loads(export(other)).items() if key in keys})

    return forge


DICE: Final = ("dice digests seal head", "dice seal head", "dice head")
FACT: Final = ("digests seal head", "seal head", "head")
RULE: Final = ("rules digests seal head", "rules seal head", "rules head")
PROOF: Final = (
    "dice digests seal head commitment",
    "dice seal head commitment",
    "dice head commitment",
)
"""What finds a change of what dice hang on, of what digests alone cover, of what breaks a rule, of
the commitment."""

FORGERIES: Final = (
    Forgery(
        ("a die of a roll", "ein Würfel eines Wurfs", "een dobbelsteen van een worp"),
        put("rounds", 1, "dealt", 0, to="125"),
        DICE,
        2,
    ),
    Forgery(
        (
            "a die of a reroll",
            "ein Würfel eines Neuwurfs",
            "een dobbelsteen die opnieuw is gegooid",
        ),
        put("rounds", 0, "moves", 3, to="2x*/4*>2"),
        DICE,
        1,
    ),
    Forgery(("a bid", "ein Gebot", "een bod"), put("rounds", 1, "moves", 0, to="1x5"), FACT, 2),
    Forgery(
        (
            "what was announced and nobody doubted",
            "eine Ansage, die niemand anzweifelte",
            "een aankondiging waaraan niemand twijfelde",
        ),
        put("turns", 1, "say", to="fives=25"),
        FACT,
        2,
        KNIFFEL,
    ),
    Forgery(
        (
            "one of those who doubted, left out",
            "einer, der zweifelte, weggelassen",
            "een twijfelaar, weggelaten",
        ),
        put("turns", 2, "doubts", to=[1]),
        FACT,
        3,
        KNIFFEL,
    ),
    Forgery(("a name", "ein Name", "een naam"), put("seats", 0, to="zoe"), FACT, 0),
    Forgery(
        (
            "a name, with a commitment in place of its salt, as if a player was erased",
            "ein Name, mit einer Festlegung statt des Salzes, als wäre jemand gelöscht worden",
            "een naam, met een vastlegging in plaats van het zout, alsof er iemand gewist is",
        ),
        pass_for,
        ("seal", None, ""),
    ),
    Forgery(
        ("the order of the seats", "die Reihenfolge der Sitze", "de volgorde van de stoelen"),
        swap_seats,
        FACT,
        0,
    ),
    Forgery(("who opens", "wer eröffnet", "wie begint"), put("opener", to=1), RULE, 0),
    Forgery(
        ("a rule", "eine Einstellung", "een instelling"),
        put("rules", "scoring", to="cntdice"),
        FACT,
        0,
    ),
    Forgery(
        ("the date", "das Datum", "de datum"),
        put("played_at", to="2026-09-10T19:05:00+02:00"),
        FACT,
        0,
    ),
    Forgery(("the table", "der Tisch", "de tafel"), put("table", to="B"), FACT, 0),
    Forgery(("the id", "die Kennung", "de id"), put("id", to="evening-8"), DICE, 0),
    Forgery(
        ("the result", "das Ergebnis", "de uitslag"), swap_ranks, ("rules seal", None, "rules")
    ),
    Forgery(
        (
            "the last round, dropped",
            "der letzte Durchgang, weggelassen",
            "de laatste ronde, weggelaten",
        ),
        drop_last_round,
        DICE,
    ),
    Forgery(
        (
            "the last round, dropped together with its link",
            "der letzte Durchgang, mit seinem Glied weggelassen",
            "de laatste ronde, met de schakel ervan weggelaten",
        ),
        drop_last_round_and_link,
        FACT,
    ),
    Forgery(
        (
            "a round in the middle, dropped",
            "ein Durchgang in der Mitte, weggelassen",
            "een ronde in het midden, weggelaten",
        ),
        drop("rounds", 1),
        RULE,
    ),
    Forgery(
        ("two rounds, swapped", "zwei Durchgänge, vertauscht", "twee rondes, verwisseld"),
        swap_rounds,
        RULE,
    ),
    Forgery(
        (
            "a round, added after the end",
            "ein Durchgang, nach dem Ende angehängt",
            "een ronde, na het einde toegevoegd",
        ),
        add_round,
        RULE,
    ),
    Forgery(
        (
            "a round, added to a game that hadn’t ended",
            "ein Durchgang, an eine Partie angehängt, die nicht vorbei war",
            "een ronde, toegevoegd aan een partij die niet was afgelopen",
        ),
        add_round,
        DICE,
        None,
        unfinished(GAME, 2),
    ),
    Forgery(
        ("the digests, removed", "die Prüfsummen, entfernt", "de hashes, verwijderd"),
        drop("digests"),
        ("seal require", None, "require"),
    ),
    Forgery(
        (
            "the last digest, cut off",
            "die letzte Prüfsumme, abgeschnitten",
            "de laatste hash, afgeknipt",
        ),
        drop("digests", -1),
        ("digests seal", None, "digests"),
    ),
    Forgery(
        ("the links, removed", "die Glieder, entfernt", "de schakels, verwijderd"),
        drop("proof", "links"),
        ("seal require", None, "require"),
    ),
    Forgery(
        (
            "the last link, cut off",
            "das letzte Glied, abgeschnitten",
            "de laatste schakel, afgeknipt",
        ),
        drop("proof", "links", -1),
        ("dice seal", None, "dice"),
    ),
    Forgery(
        (
            "a key, hidden behind its lock",
            "ein Schlüssel, hinter seinem Schloss versteckt",
            "een sleutel, achter zijn slot verstopt",
        ),
        hide_key,
        ("dice seal", None, "dice"),
    ),
    Forgery(
        ("the proof, removed", "der Beweis, entfernt", "het bewijs, verwijderd"),
        drop("proof"),
        (
            "digests seal head commitment require",
            "seal head commitment require",
            "head commitment require",
        ),
    ),
    Forgery(
        (
            "the proof of another game",
            "der Beweis einer anderen Partie",
            "het bewijs van een andere partij",
        ),
        become(OTHER, "proof"),
        PROOF,
        0,
    ),
    Forgery(
        ("the commitment", "die Festlegung", "de vastlegging"),
        put("proof", "commitment", to="00" * 32),
        PROOF,
        0,
    ),
    Forgery(
        ("a seed", "ein Startwert", "een startwaarde"), put("proof", "seeds", 0, to="00"), DICE, 0
    ),
    Forgery(
        ("the salt, removed", "das Salz, entfernt", "het zout, verwijderd"),
        drop("names"),
        ("rules", None, "rules"),
    ),
    Forgery(
        ("the seal, removed", "das Siegel, entfernt", "het zegel, verwijderd"),
        drop("seal"),
        ("require", None, None),
    ),
    Forgery(
        (
            "salt, proof, digests and seal, removed",
            "Salz, Beweis, Prüfsummen und Siegel, entfernt",
            "zout, bewijs, hashes en zegel, verwijderd",
        ),
        strip,
        ("head commitment require", None, None),
    ),
    Forgery(
        (
            "the whole play, on dice of the same commitment and under the same first digest",
            (
                "das ganze Spiel, auf Würfeln derselben Festlegung und unter derselben ersten "
                "Prüfsumme"
            ),
            "het hele spel, op dobbelstenen van dezelfde vastlegging en onder dezelfde eerste hash",
        ),
        become(REWRITTEN, "rounds", "result", "proof"),
        FACT,
    ),
    Forgery(
        (
            "the whole play, with dice of another secret",
            "das ganze Spiel, mit Würfeln eines anderen Geheimnisses",
            "het hele spel, met dobbelstenen van een ander geheim",
        ),
        become(OTHER, "rounds", "result", "proof"),
        ("digests seal head commitment", "seal head commitment", "head commitment"),
    ),
)
