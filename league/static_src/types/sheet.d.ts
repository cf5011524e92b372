// The nouns of a sheet in the browser: league/static/league/sheet.js says what they do.

/** A text with {names}, and the values that fill them in. */
export interface Template {
  message: string;
  values?: FaultValues;
}
export type FaultValue = string | number | null | readonly (string | number)[] | Template;
export type FaultValues = Record<string, FaultValue>;

/** Why an entry doesn't stand: as the engine says it. */
export interface Fault extends Template {
  code: string;
  path: string | null;
  values: FaultValues;
}

/** Reads a value of JSON, and names the path of what it refuses. */
export type Reader<Value> = (value: unknown, path: string) => Value;

export type GameName = "bluff" | "luegen-kniffel";
export type Act =
  "opener" | "note" | "close" | "undo" | "amend" | "take_over" | "call" | "call_off" | "ruling";

/** What a sheet begins with. */
export interface Header {
  game: GameName;
  rules: Partial<BluffSettings & KniffelSettings>;
  seats: readonly unknown[];
  opener: number;
}

export interface BluffSettings {
  dice: number;
  exact: "all" | "protected" | "challenger" | "giveaway";
  reroll: boolean;
  scoring: "placement" | "cntdice";
}
export interface KniffelSettings {
  truth: "exact" | "at_least";
  allow_zero: boolean;
}

/** The keys of a round at one level of detail. */
export interface Level {
  level: string;
  marks: string[][];
  required: string[];
  optional: string[];
}
/** What rules.json says of both games. */
interface GameData {
  game_over: string;
  /** The numbers of rulings, by the code of the fault that cites them. */
  rulings: Record<string, string[] | undefined>;
}
export interface BluffData extends GameData {
  settings: BluffSettings;
  /** All bids in raising order, with their counts and faces. */
  bids: string[];
  counts: number[];
  faces: string;
  most_dice: number;
  keys: string[];
  levels: Level[];
  /** The key of the dice under all cups, by level. */
  hands: Record<string, string>;
  no_moves: string[];
}
export interface KniffelData extends GameData {
  settings: KniffelSettings;
  combinations: string[];
  upper: string[];
  /** The points that can be announced, by combination. */
  announceable: Record<string, number[]>;
  /** The points of sorted dice in each combination. */
  scores: Record<string, number[] | undefined>;
  dice: number;
  rolls: number;
  bonus: number;
  bonus_from: number;
  strikes_to_cross: number;
}
export interface Rules {
  rounds: number;
  moves: number;
  reasons: string[];
  bluff: BluffData;
  "luegen-kniffel": KniffelData;
}

/** A round of Bluff, or a turn of Lügen-Kniffel, as it is entered. */
export interface EnteredRound {
  opener?: number;
  bidder?: number;
  challenger?: number;
  moves?: string[];
  count?: number;
  losses?: number[];
  dealt?: string[];
  revealed?: string[];
  say?: string;
  rolls?: string[];
  dice?: string;
  doubts?: number[];
  forfeit?: number[];
  void?: boolean;
  ended?: string;
}

/**
 * A move of a round: a bid by its place on the track, and the dice that are laid out or rolled
 * again.
 */
export interface Move {
  bid: number;
  show?: string;
  rolled?: string | null;
}
/** A round of Bluff that was read. */
export interface BluffRound {
  level: string;
  opener: number | null;
  bidder: number | null;
  challenger: number | null;
  forfeit: number[];
  void: boolean;
  cups: string[] | null;
  moves: Move[];
  count: number | null;
  losses: number[] | null;
}
export interface Announcement {
  combination: string;
  points: number;
}
/** A turn of Lügen-Kniffel that was read. */
export interface KniffelTurn {
  say: Announcement | null;
  doubters: number[];
  rolls: number;
  dice: string | null;
  forfeit: number[];
  void: boolean;
  ended: string | null;
}
export type Round = BluffRound | KniffelTurn;

export interface BluffNote {
  bid: string;
  seat: number;
  say?: undefined;
}
export interface KniffelNote {
  say: string;
  seat: number;
  bid?: undefined;
}
export type Note = BluffNote | KniffelNote;

/** Seats that went out together, and how many dice were gone then. */
export type Exit = [seats: number[], gone: number];
/** The points of a combination, whether it is crossed out, and its strikes. */
export type Field = [points: number | null, crossed: boolean, strikes: number];

export interface BluffGame {
  owned: number[];
  /** Null if the round before says only what was lost; then each of `openers` may open. */
  opener: number | null;
  openers: number[];
  exits: Exit[];
  /** Whether a round was void, so that it has to be played again. */
  due: boolean;
  ended: string | null;
  sheets?: undefined;
  playing?: undefined;
  turns?: undefined;
  roller?: undefined;
  last_lap?: undefined;
}
export interface KniffelGame {
  sheets: Record<string, Field>[];
  /** Null once the game is over. */
  roller: number | null;
  turns: number[];
  playing: number[];
  leavers: number[][];
  ended: string | null;
  last_lap: number[] | null;
  owned?: undefined;
  opener?: undefined;
  openers?: undefined;
}
export type Game = BluffGame | KniffelGame;

/** Ranks and points by seat; null while the game goes on. */
export interface Ending {
  rank: number[] | null;
  points: number[] | null;
  cntdice?: number[] | null;
  totals?: number[] | null;
}
/**
 * What came of a round: dice lost (Bluff) or points gained, by seat; who is out, and who opens
 * next.
 */
export interface Difference {
  losses?: number[];
  gains?: number[];
  out: number[];
  opener: number | null;
}
export type Outcome = Difference & { over: boolean; fault?: undefined };
export type Preview = Outcome | { fault: Fault };

/** What differs between the games. Methods, so that the kind of one game counts as a kind. */
export interface Kind<G = Game, R = Round, N = Note> {
  start(opener: number): G;
  over(game: G): boolean;
  ending(game: G): Ending;
  turn(game: G, notes: N[]): number | null;
  legal(game: G, notes: N[]): string[];
  difference(before: G, game: G): Difference;
  read(value: unknown, path: string): R;
  moves(round: R): number;
  readNote(game: G, notes: N[], value: unknown, path: string): N;
  checkNotes(game: G, notes: N[], round: R, path: string): void;
  settle(game: G, round: R, path: string): void;
}
export type SheetKind = Kind & { seats: number; rules: Rules; data: BluffData | KniffelData };

/** A sheet before its last round, to which an undo goes back. */
export interface LastRound {
  game: Game;
  notes: Note[];
  moves: number;
}
/** What a sheet can be resumed from. */
export interface SheetState extends LastRound {
  call?: unknown;
  opener: number;
  closed: number;
  last_round: LastRound | null;
  fixed?: number;
}
