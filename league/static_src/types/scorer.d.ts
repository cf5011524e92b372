// The nouns of the scorer's page: league/static/league/scorer.js and round.js.

import type { Sheet } from "../../static/league/sheet.js";
import type { Row, Table } from "./outbox";
import type {
  BluffData,
  BluffGame,
  BluffSettings,
  EnteredRound,
  Fault,
  KniffelData,
  KniffelGame,
  KniffelSettings,
} from "./sheet";

/** What the page tells its scripts. */
export interface Facts {
  /** What a phone's key is for: a table, or one game without a table. */
  table?: string;
  open_game?: string;
  name: string;
  language: string;
  /** Addresses; `page` is null for readers who may not see the table. */
  api: string;
  page: string | null;
  key: string;
  again?: string;
  docs: string;
  games: string;
  tables: string;
  shapes: string;
  rules: string;
  worker: string;
  scope: string;
  words: Words;
  /**
   * The cases that an arbiter rules on, by game, and their decisions: what each is called, and what
   * follows.
   */
  cases: Record<string, Record<string, RulingCase>>;
}
interface RulingCase {
  title: string;
  ruling: string | null;
  decisions: Record<string, [label: string, then: string]>;
}
/** Sentences in the reader's language; a pair is for one and for many. */
export interface Words {
  faces: Record<string, string>;
  combinations: Record<string, string>;
  faults: Record<string, string | undefined>;
  [name: string]: string | [string, string] | Record<string, string | undefined>;
}

/** What an element can hold; nothing is shown of false, null and undefined. */
export type Child = Node | string | number | false | null | undefined | Child[];
export type Properties = Record<string, unknown>;

/** How much of a round is entered. */
export type Depth = "losses" | "last" | "bids" | "dice";

/** What somebody has answered of a round so far. */
export interface Draft {
  opener?: number;
  bidder?: number;
  bid?: string;
  /** A bid above the dice on the table, until somebody confirms it. */
  high?: string;
  /** The dice that are laid out, while they are entered (`showing`) and after. */
  show?: string;
  showing?: boolean;
  challenged?: boolean;
  count?: number;
  hands?: string[];
  losses?: number[];
  combination?: string;
  points?: number;
  doubters?: number[];
  /** Whether the dice of a doubted turn are asked for. */
  shown?: boolean;
  dice?: string;
}

export interface People {
  names: string[];
  avatars: (Element | null | undefined)[];
  settings: Partial<BluffSettings & KniffelSettings>;
}
/** What screens are made of. */
export interface TableView extends Table, People {
  depth: Depth;
  draft: Draft;
  /** What the last button says where it doesn't finish an entry yet. */
  sure?: string | false;
  note(value: EnteredRound & { bid?: string; seat?: number }): unknown;
  close(value: EnteredRound): unknown;
  /** Draw the page again; `again` is the control that keeps the focus. */
  redraw(again?: string): void;
}
export type BluffSheet = Sheet & { game: BluffGame; kind: { data: BluffData } };
export type KniffelSheet = Sheet & { game: KniffelGame; kind: { data: KniffelData } };
export type BluffView = TableView & { sheet: BluffSheet };
export type KniffelView = TableView & { sheet: KniffelSheet };

/** Parts of the page. `back` takes the last answer back. */
export interface Screen {
  title: Child;
  lead?: Child;
  hint?: Child;
  body?: Child;
  foot?: Child;
  below?: Child;
  back?: () => unknown;
}

/** What the page shows. */
export interface View {
  kind:
    | "round"
    | "more"
    | "code"
    | "uncalled"
    | "fault"
    | "opener"
    | "leave"
    | "void"
    | "time"
    | "rounds"
    | "reason";
  draft: Draft;
  /** The number of the round that is amended, and the table before it. */
  number?: number;
  before?: Table;
  /** The row with which somebody began to fill the screen in. */
  begun?: Row;
  seat?: number;
  /**
   * The round that is amended, until somebody says why; `settles` if that settles what two phones
   * wrote.
   */
  value?: EnteredRound;
  settles?: boolean;
  fault?: Fault;
  words?: string;
  hint?: string | null;
  /** Whose word holds where two phones wrote different things. */
  choice?: string;
  /** A code: its text, its dots, which of several it is, and what shows the next one. */
  text?: string;
  dots?: boolean[][];
  count?: string;
  next?: (() => unknown) | false;
}

export type { Sheet };
