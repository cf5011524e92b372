"""Rounds without repeated meetings, found by search: a first round that a rotation develops into
the others.

Players are numbers, written as 0 to 9, a to z, A to Z. They stand in rings of `modulus`, one after
the other: with modulus 7 the player 8 is the second of the second ring. A rotation moves all
players one place on in their ring; those beyond the last full ring, fewer than `modulus`, stay
where they are. Rotating the tables of the start gives `modulus` rounds; a second start, where there
is one, gives as many more. An orbit is a table with one player of each ring, which fills a round
when rotated.

Whether two players meet at most once then depends only on the rings and the steps between the
players at the tables of the start: every step may occur only once. OR-Tools CP-SAT found each start
as an exact cover of players and steps within a minute. For tables of three these are Kirkman triple
systems (15, 21, 33, 39), where everybody meets everybody, and nearly Kirkman ones (18, 24, 30, 36,
42), where everybody meets all but one; for tables of four resolvable designs where everybody meets
everybody (28, 40), or all but one (32) or two (24). More rounds aren't possible. For tables of four
among 48 there are fourteen rounds here, one fewer than the limit.

For tables of five among 30 there are six rounds here, and a rotation of six develops no seventh;
for tables of six among 36 there are three, the rows, the columns and a Latin square, as no two
Latin squares of order six are orthogonal (Tarry 1900).

The 32 aren't rotated: all their rounds are written down. They stand in four rings of eight, with
addition digit by digit in base 2. Six rounds are tables with one player of each ring, and all that
addition makes of them; three are tables with two players of one ring and two of another, for each
way to pair the rings; in the last, each ring splits into two tables. The six were found by trial,
until what they leave open fitted the other four.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Final

PLAYERS: Final = digits + ascii_letters


@dataclass(frozen=True, slots=True)
class Developed:
    """Starts, each a round of tables, the orbits, and the modulus of the rotation."""

    modulus: int
    starts: tuple[str, ...]
    orbits: str = ""

    @property
    def players(self) -> int:
        """Return the number of players."""
        return len(self.starts[0].replace(" ", ""))

    @property
    def rounds(self) -> int:
        """Return the number of rounds."""
        return self.modulus * len(self.starts) + len(self.orbits.split())

    def tables(self, number: int) -> list[tuple[int, ...]]:
        """Return the tables of a round, counted from 0."""
        start, steps = divmod(number, self.modulus)
        if start < len(self.starts):
            return [self._rotated(table, steps) for table in self.starts[start].split()]
        orbit = self.orbits.split()[number - self.modulus * len(self.starts)]
        return [self._rotated(orbit, steps) for steps in range(self.modulus)]

    def _rotated(self, table: str, steps: int) -> tuple[int, ...]:
        return tuple([self._moved(PLAYERS.index(player), steps) for player in table])

    def _moved(self, player: int, steps: int) -> int:
        """Return the player in whose place this one is when every ring has turned by some steps.

        Players are numbered ring by ring, `modulus` in each; one who is left over stays."""
        ring, place = divmod(player, self.modulus)
        is_left_over = ring == self.players // self.modulus
        if is_left_over:
            return player
        return ring * self.modulus + (place + steps) % self.modulus


DEVELOPED: Final[Mapping[tuple[int, int], Developed]] = {
    (15, 3): Developed(7, ("0ae 124 38b 579 6cd",)),
    (18, 3): Developed(4, ("08e 1ab 2dh 367 49g 5cf", "016 29e 3cg 4ad 58h 7bf")),
    (21, 3): Developed(7, ("045 17g 2cj 3af 6bh 89d eik",), orbits="08g 09k 0be"),
    (24, 3): Developed(11, ("0em 12h 38a 4bc 5fn 69i 7dk gjl",)),
    (30, 3): Developed(14, ("0gj 15m 23b 47h 6fl 8qt 9ks aci dpr eno",)),
    (33, 3): Developed(
        11, ("014 28e 35t 6or 7cg 9dj aqu bnp fhi kms lvw",), orbits="0bs 0dm 0eu 0ip 0jn"
    ),
    (36, 3): Developed(17, ("06k 1be 24q 38t 5dl 7hz 9wy anp cuv fgr ims jox",)),
    (39, 3): Developed(19, ("05h 1cr 26y 3qs 4dp 78o 9jv agu bem fkC iAB lwz ntx",)),
    (42, 3): Developed(20, ("09A 18m 2wF 36l 4ct 57v afg bnE doz eir hkp jCD qsy uxB",)),
    (24, 4): Developed(7, ("0afl 134c 27kn 5bem 6gij 89dh",)),
    (28, 4): Developed(9, ("04ah 13cf 29nr 58ij 67mo bgkq delp",)),
    (32, 4): Developed(
        1,
        (
            "0ajr 1biq 28hp 39go 4env 5fmu 6clt 7dks",
            "0bkt 1als 29mv 38nu 4fgp 5eho 6dir 7cjq",
            "0cmo 1dnp 2ekq 3flr 48is 59jt 6agu 7bhv",
            "0dlv 1cku 2fnt 3ems 49hr 58gq 6bjp 7aio",
            "0eip 1fjo 2cgr 3dhq 4amt 5bns 68kv 79lu",
            "0fhs 1egt 2dju 3civ 4blo 5akp 69nq 78mr",
            "0189 23ab 45cd 67ef gjsv hitu knor lmpq",
            "07gn 16hm 25il 34jk 8dot 9cps afqv beru",
            "04qu 15rv 26os 37pt 8ejl 9fik achn bdgm",
            "0356 1247 8bcf 9ade ghkl ijmn opuv qrst",
        ),
    ),
    (30, 5): Developed(6, ("02aft 17djp 3hiks 49noq 568gl bcemr",)),
    (36, 6): Developed(
        1,
        (
            "012345 6789ab cdefgh ijklmn opqrst uvwxyz",
            "06ciou 17djpv 28ekqw 39flrx 4agmsy 5bhntz",
            "07elsz 18fmtu 29gnov 3ahipw 4bcjqx 56dkry",
        ),
    ),
    (40, 4): Developed(13, ("02wz 1erD 3cuB 4bgp 5axy 69df 78in hotC jmqs klvA",)),
    (48, 4): Developed(
        12, ("0dvF 1jtA 2mnJ 368E 4fik 5cpH 7hoB 9eyz abxC gruw lqKL sDGI",), orbits="0coA 0fuJ"
    ),
}
"""Designs by the number of players and the size of their tables."""
