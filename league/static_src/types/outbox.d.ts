// The nouns of the scorer's outbox: league/static/league/outbox.js says what becomes of them.

import type { Sheet } from "../../static/league/sheet.js";
import type { EnteredRound, GameName, Header } from "./sheet";

/** A round that is written anew, and why. */
export interface Amendment {
  number: number;
  reason: string;
  round: EnteredRound;
}
/** A bid or an announcement that was said in the round that is played. */
export interface EnteredNote {
  seat?: number;
  bid?: string;
  say?: string;
}
/** What a phone can write, by its act. */
export interface Values {
  opener: { seat: number };
  note: EnteredNote;
  close: EnteredRound;
  undo: object;
  amend: Amendment;
}
export type WrittenAct = keyof Values;
type WrittenOf<Acts extends WrittenAct> = { [Act in Acts]: { act: Act; value: Values[Act] } }[Acts];
export type Written = WrittenOf<WrittenAct>;

/** Who wrote an entry: a phone, or somebody who is signed in. */
export interface Writer {
  device?: string;
  account?: string;
}
/**
 * What the service alone writes: it changes nothing of the play, or begins a game that is played
 * again.
 */
type FromService =
  | { act: "call"; value: { round: number } }
  | { act: "call_off"; value: object }
  | { act: "ruling"; value: { case: string; decision: string } }
  | { act: "take_over"; value: { game: string } };
/** An entry that the service has; `own` if this phone sent it. */
export type Entry = (Written | FromService) & {
  key: string;
  at: string;
  own?: boolean;
  by?: Writer;
};
/** An entry as the service sends it. */
export type SentEntry = (Written | FromService) & {
  number: number;
  key: string;
  at: string;
  device_at?: string | null;
  by?: Writer;
};

/** What an entry was written after, by its act: it tells whether the entry still means the same. */
interface Seen {
  opener: number;
  note: [closed: number, turn: number | null];
  close: number;
  undo: string | null;
  amend: EnteredRound | undefined;
}
/** An entry of this phone that the service doesn't have yet. */
export type Waiting = {
  [Act in WrittenAct]: {
    act: Act;
    value: Values[Act];
    seen: Seen[Act];
    key: string;
    at: string;
    table: string;
    game: string;
  };
}[WrittenAct];
export type AnySeen = Seen[WrittenAct];

/** Why what waits can't be sent: somebody has to choose. */
export interface Trouble {
  code: string;
  detail?: string;
  /** Which of the waiting entries it is. */
  place?: number;
  /** How many entries there were before those that others wrote. */
  from?: number;
}
/** A round that others amended (`reason`, `round`, `before`) or took back. */
export interface Change {
  number: number;
  reason?: string;
  round?: EnteredRound;
  before?: EnteredRound;
}
/** What this phone wrote while others wrote something else, or after its key had ended. */
export interface Branch {
  key: string;
  after: number;
  entries: { key: string; act: string; value: unknown; at: string }[];
  sent?: boolean;
}
export interface Seat {
  name: string;
  handle?: string;
}
/** A round in which two sheets differ that were written unseen. */
export interface Compared {
  number: number;
  this_sheet: EnteredRound | null;
  other_sheet: EnteredRound | null;
}
export interface SeatGain {
  seat: number;
  points: number;
  total: number;
  rank: number;
  rank_before: number | null;
}
/** What a sealed game changed in the rankings, and where its players play next. */
export interface Gains {
  rankings?: { name: string | null; seats: SeatGain[] }[];
  following?: { player: string; place: string; table: string }[];
}

/** A game that this phone writes down. */
export interface Row {
  id: string;
  /** What this phone has a key for: the table, or the game itself if it has none. */
  table: string;
  /** The game's number at its table; null for a game without a table. */
  number: number | null;
  /** How many games the table plays. */
  games: number;
  kind: GameName;
  rules: Header["rules"];
  seats: Seat[];
  /** Who confirms the game before it is sealed. */
  confirmation: string;
  /** Whether this sheet, of two that are written unseen, is handed in. */
  handed: boolean;
  /** The rounds in which both sheets differ, once they may be seen. */
  compared: Compared[] | null;
  /** What the service has. */
  entries: Entry[];
  /** What this phone wrote and the service doesn't have yet. */
  waiting: Waiting[];
  trouble: Trouble | null;
  /** What others changed of the rounds that this phone knew, until somebody has seen it. */
  told?: Change[];
  /** What the service keeps of this phone's, whatever is chosen here. */
  branches?: Branch[];
  /** Whether the game is to be sealed once everything is sent. */
  sealing: boolean;
  /** How many entries there were when the service wanted another's word than this phone's. */
  waits?: number;
  /** The id of the sealed game. */
  sealed: string | null;
  gains?: Gains;
  opened: string;
  /** Whether it began on this phone alone, and the service hasn't opened it yet. */
  ahead?: boolean;
  /** The key of this phone's own last call for the arbiter. */
  called?: string;
  /** The key of the last ruling that somebody has seen here. */
  ruled?: string;
  /** How many waiting entries others wrote as well, until it is announced. */
  agreed?: number;
}

/** What a row has come to. */
export interface Table {
  sheet: Sheet;
  /** The rounds as they were entered. */
  rounds: EnteredRound[];
  /** The keys of what an undo could take back. */
  standing: string[];
  /** The keys of all entries. */
  known: Set<string>;
}

/** What the service says of an open game. */
export interface OpenGame {
  id: string;
  number: number | null;
  games: number;
  game: GameName;
  rules: Header["rules"];
  seats: Seat[];
  length: number;
  confirmation: string;
  handed_in: boolean;
  comparison?: { rounds: Compared[] } | null;
  sealed: string | null;
}
/** Why the service refuses something. */
export interface Problem {
  status?: number;
  code?: string;
  detail?: string;
}
/** An answer of the service: what was asked for, or a problem. */
export interface Answer<Content> {
  ok: boolean;
  status: number;
  content: Content & Problem;
}
export type State = "sent" | "offline" | "busy" | "refused";
export type Choice = "drop" | "amend" | "again";
