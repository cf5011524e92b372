// The games that this phone writes down, and the outbox of what it wrote. Everything is in the
// browser's own database before it is sent. Entries are sent in their order; one whose answer was
// lost is sent again under the same key. The nouns are explained in
// league/static_src/types/outbox.d.ts.

/**
 * @import {
 *   Answer, AnySeen, Change, Choice, Entry, Gains, OpenGame, Problem, Row, SentEntry, State,
 *   Table, Waiting, Written,
 * } from "../../static_src/types/outbox"
 * @import { Fault, Rules } from "../../static_src/types/sheet"
 */

import { begin, turn } from "./sheet.js";

const PATIENCE = 15_000; // ms for an answer
const LOOK = 8000; // ms between two looks at what others wrote
const CODED = 30; // entries in one code: a whole game by rounds, and still easy to read
const SOON = 1500; // ms until something is sent again, and twice as long each time …
const LATE = 60_000; // … up to this
/** @type {IDBTransactionOptions} */
const STRICT = { durability: "strict" }; // a battery may end

const ASIDES = ["call", "call_off", "ruling"]; // entries beside the play: they change nothing of it

/** @param {{ act: string }} entry */
export const isPlayed = ({ act }) => !ASIDES.includes(act);

/**
 * Return whether two values of JSON are equal.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function alike(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const left = /** @type {Record<string, unknown>} */ (one);
  const right = /** @type {Record<string, unknown>} */ (other);
  const keys = Object.keys(left);
  const isAsLong = keys.length === Object.keys(right).length;
  return isAsLong && keys.every((key) => alike(left[key], right[key]));
}

/**
 * Fold the entries of a row to its table.
 * @param {Row} row
 * @param {Rules} rules
 * @param {(Entry | Waiting | (Written & { key: string }))[]} entries all of the row by default
 * @returns {Table}
 */
export function fold(row, rules, entries = [...row.entries, ...row.waiting]) {
  const { kind: game, rules: settings, seats } = row;
  const sheet = begin({ game, rules: settings, seats, opener: 0 }, rules);
  const table = { sheet, rounds: [], standing: [], known: /** @type {Set<string>} */ (new Set()) };
  for (const entry of entries) {
    if (take(table, entry)) throw new Error(`entry ${entry.key} doesn't stand`);
  }
  return table;
}

/**
 * Take one more entry in. Return its fault; null if it stands.
 * @param {Table} table
 * @param {Entry | Waiting | (Written & { key: string })} entry
 */
function take({ sheet, rounds, standing, known }, { act, value, key }) {
  const notes = sheet.notes.length;
  const fault = sheet.apply({ act, value });
  if (fault) return fault;
  known.add(key);
  if (act === "note" || act === "close") standing.push(key);
  if (act === "close") rounds.push(value);
  if (act === "amend") rounds[value.number - 1] = value.round;
  if (act === "undo") {
    standing.pop();
    if (!notes) rounds.pop();
  }
  return null;
}

/**
 * Return what an entry would be written after.
 * @param {Table} table
 * @param {Written} entry
 * @returns {AnySeen}
 */
function seenBy({ sheet, rounds, standing }, { act, value }) {
  switch (act) {
    case "opener":
      return sheet.opener;
    case "note":
      return [sheet.closed, turn(sheet)];
    case "close":
      return sheet.closed;
    case "undo":
      return standing.at(-1) ?? null;
    case "amend":
      return rounds[value.number - 1];
  }
}

/**
 * Return whether others have done by now what an entry would do.
 * @param {Table} table
 * @param {Waiting} entry
 */
function isDone({ sheet, rounds, standing, known }, { act, value, seen }) {
  switch (act) {
    case "opener":
      return sheet.opener === value.seat;
    case "note": {
      const [closed] = seen;
      const isNoted = sheet.notes.some((note) => alike(note, value));
      const { moves } = rounds[closed] ?? {};
      return isNoted || Boolean(moves?.includes(value.bid ?? ""));
    }
    case "close":
      return alike(rounds[seen], value);
    case "undo":
      return seen !== null && known.has(seen) && !standing.includes(seen);
    case "amend":
      return alike(rounds[value.number - 1], value.round);
  }
}

/**
 * Hold what waits against others' entries: what they wrote as well is dropped, and at what doesn't
 * fit any more it stops.
 * @param {Row} row
 * @param {Rules} rules
 * @param {number} from how many entries there were before
 */
function review(row, rules, from) {
  const table = fold(row, rules, row.entries);
  let place = 0;
  while (place < row.waiting.length) {
    const entry = row.waiting[place];
    const isAsSeen = alike(seenBy(table, entry), entry.seen);
    if (!isAsSeen && isDone(table, entry)) {
      row.waiting.splice(place, 1);
      row.agreed = (row.agreed ?? 0) + 1;
    } else if (!isAsSeen || take(table, entry)) {
      row.trouble = { code: "overtaken", place, from: row.trouble?.from ?? from };
      return;
    } else {
      place += 1;
    }
  }
  row.trouble = null;
}

/**
 * Take in entries that the service has.
 * @param {Row} row
 * @param {Rules} rules
 * @param {SentEntry[]} theirs
 */
function takeIn(row, rules, theirs) {
  const from = row.entries.length;
  let after = from; // what waits was written after these: this phone's own, too, which came in
  for (const sent of theirs) {
    if (sent.number !== row.entries.length) continue;
    const own = row.waiting[0]?.key === sent.key;
    row.entries.push(entryOf(sent, own));
    if (own) {
      row.waiting.shift();
      if (after === sent.number) after += 1;
    } else {
      row.sealing = false; // whoever sealed hadn't seen it
    }
  }
  const mine = [...row.waiting];
  const changes = changesOf(row, rules, from);
  if (changes.length) row.told = [...(row.told ?? []), ...changes];
  if (row.entries.length > from) review(row, rules, from);
  if (row.trouble?.code === "overtaken") keepBranch(row, after, mine);
}

/**
 * @param {SentEntry} sent
 * @param {boolean} own
 */
function entryOf({ act, value, key, at, device_at: deviceAt, by }, own) {
  return /** @type {Entry} */ ({ act, value, key, at: deviceAt ?? at, own, by });
}

/**
 * Return what others changed, from an entry on, of the rounds that this phone knew.
 * @param {Row} row
 * @param {Rules} rules
 * @param {number} from
 */
function changesOf(row, rules, from) {
  const table = fold(row, rules, row.entries.slice(0, from));
  const known = table.rounds.length;
  /** @type {Change[]} */
  const changes = [];
  for (const entry of row.entries.slice(from)) {
    const change = changeOf(table, entry);
    if (change && !entry.own && change.number <= known) changes.push(change);
    take(table, entry);
  }
  return changes;
}

/**
 * Return the change that an entry makes to a round that is closed; null for none.
 * @param {Table} table
 * @param {Entry} entry
 * @returns {Change | null}
 */
function changeOf({ sheet, rounds }, { act, value }) {
  if (act === "amend") return { ...value, before: rounds[value.number - 1] };
  if (act === "undo" && !sheet.notes.length) return { number: rounds.length };
  return null;
}

/**
 * Keep what this phone wrote for the service, unless that is kept already.
 * @param {Row} row
 * @param {number} after how many entries it was written
 * @param {Waiting[]} waiting
 */
function keepBranch(row, after, waiting) {
  const branches = row.branches ?? [];
  const entries = waiting.map(({ key, act, value, at }) => ({ key, act, value, at }));
  const kept = new Set(branches.flatMap((branch) => branch.entries.map(({ key }) => key)));
  if (!entries.length || entries.some(({ key }) => kept.has(key))) return;
  row.branches = [...branches, { key: newKey(), after, entries }];
}

// The browser's own database.

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function stored(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = reject;
  });
}

function database() {
  const request = indexedDB.open("cups-up-score", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "id" });
    request.result.createObjectStore("keys", { keyPath: "table" });
  };
  return asked(request);
}

// Codes are signed by these. The page loads them while there is network, for when there is none.
export const signing = () => Promise.all([import("./noble/hmac.js"), import("./noble/sha2.js")]);

/** The service has too much to do. */
class Busy extends Error {
  /** @param {number} [seconds] to wait */
  constructor(seconds) {
    super("busy");
    this.seconds = seconds;
  }
}

/** @param {{ status: number }} answer */
const isKeyRefused = ({ status }) => status === 401 || status === 403;

export class Outbox {
  /**
   * @param {object} page
   * @param {string} page.api the address of the API
   * @param {string} page.language
   * @param {Rules} page.rules
   * @param {(row: Row | undefined | null) => unknown} page.changed called with a row that has
   *   changed, or with null if only `state` has
   */
  constructor({ api, language, rules, changed }) {
    this.api = api;
    this.language = language;
    this.rules = rules;
    this.changed = changed;
    /** "refused": the key isn't good. @type {State} */
    this.state = "sent";
    this.wait = SOON;
    this.base = database();
    /** The id of the game that this window shows. @type {string | undefined} */
    this.shown = undefined;
    this.isRunning = false;
    this.isAgain = false; // whether to send once more, as soon as that is possible
    this.isRefused = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.windows = new BroadcastChannel("cups-up-score");
    this.windows.onmessage = ({ data: { id, instead } }) => this.hear(id, instead);
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.wake();
    });
  }

  /**
   * Another window has changed a row, or put it in the place of another one.
   * @param {string} id
   * @param {string} [instead]
   */
  async hear(id, instead) {
    if (instead && instead === this.shown) this.shown = id;
    this.changed(await this.row(id));
  }

  /** @param {"games" | "keys"} name */
  async store(name) {
    const base = await this.base;
    return base.transaction(name).objectStore(name);
  }

  /**
   * @param {string} id
   * @returns {Promise<Row | undefined>}
   */
  async row(id) {
    const store = await this.store("games");
    return asked(store.get(id));
  }

  /**
   * Return a row that exists.
   * @param {string} id
   */
  async rowOf(id) {
    return /** @type {Row} */ (await this.row(id));
  }

  /** @returns {Promise<Row[]>} */
  async rows() {
    const store = await this.store("games");
    return asked(store.getAll());
  }

  /**
   * Return the key that this phone has for a table.
   * @param {string} table
   * @returns {Promise<string | undefined>}
   */
  async keyOf(table) {
    const store = await this.store("keys");
    const row = await asked(store.get(table));
    return row?.key;
  }

  /**
   * @param {string} table
   * @param {string} key
   */
  async keepKey(table, key) {
    const base = await this.base;
    const transaction = base.transaction("keys", "readwrite", STRICT);
    transaction.objectStore("keys").put({ table, key });
    await stored(transaction);
  }

  /**
   * Change a row in one step, whatever other windows do. Return what `step` returns.
   * @template Result
   * @param {string} id
   * @param {(row: Row) => Result} step
   */
  async change(id, step) {
    const base = await this.base;
    const transaction = base.transaction("games", "readwrite", STRICT);
    const store = transaction.objectStore("games");
    const row = (await asked(store.get(id))) ?? { id };
    const result = step(row);
    store.put(row);
    await stored(transaction);
    this.windows.postMessage({ id });
    await this.changed(row);
    return result;
  }

  /**
   * Write one more entry, and send it as soon as that is possible. Return the fault of an entry
   * that can't stand, else null. What others wrote since is held against it, as if it had come
   * late.
   * @param {string} id
   * @param {number} count how many entries the writer has seen
   * @param {Written["act"]} act
   * @param {Written["value"]} value
   * @returns {Promise<Fault | { code: "stale", message?: undefined } | null>}
   */
  async add(id, count, act, value) {
    if (!(await this.row(id))) return { code: "stale" }; // it has just become the service's
    const written = /** @type {Written} */ ({ act, value });
    const fault = await this.change(id, (row) => this.addTo(row, count, written));
    navigator.storage?.persist?.();
    this.wake();
    return fault;
  }

  /**
   * @param {Row} row
   * @param {number} count
   * @param {Written} written
   * @returns {Fault | { code: "stale" } | null}
   */
  addTo(row, count, written) {
    const all = [...row.entries, ...row.waiting];
    const isBehind = count < all.length;
    if (count > all.length || (isBehind && row.waiting.length)) return { code: "stale" };
    const table = fold(row, this.rules, all.slice(0, count));
    const seen = seenBy(table, written);
    const at = new Date().toISOString();
    const where = { table: row.table, game: row.id };
    const entry = /** @type {Waiting} */ ({ key: newKey(), ...written, at, ...where, seen });
    const fault = take(table, entry);
    if (fault) return fault;
    row.waiting.push(entry);
    if (isBehind) review(row, this.rules, count); // others wrote while it was filled in
    if (row.trouble) keepBranch(row, count, [entry]);
    return null;
  }

  /**
   * Return what waits to be sent of a game as the texts of codes that another phone can send on,
   * one after the other. They are signed with this phone's key.
   * @param {string} id
   */
  async codes(id) {
    const { table, entries, waiting } = await this.rowOf(id);
    const key = await this.keyOf(table);
    if (!key) throw new Error("this phone has no key to sign with");
    const codes = [];
    for (let first = 0; first < waiting.length; first += CODED) {
      const part = waiting.slice(first, first + CODED);
      codes.push(await codeOf(id, key, entries.length + first, part));
    }
    return codes;
  }

  /**
   * Call the arbiter, or take the own call back. Return the answer's problem, or null. It throws an
   * error without network.
   * @param {string} id
   * @param {"call" | "call/end"} path
   */
  async call(id, path) {
    const key = newKey();
    const { table } = await this.rowOf(id);
    if (path === "call") {
      await this.change(id, (row) => {
        row.called = key;
      });
    }
    const { ok, content } = await this.ask(table, `/open-games/${id}/${path}/`, { key });
    await this.look(await this.rowOf(id));
    return ok ? null : content;
  }

  /** @param {string} id */
  async seal(id) {
    await this.change(id, (row) => {
      row.sealing = true;
    });
    this.wake();
  }

  /**
   * Settle what doesn't fit: drop the entry of this phone, let it amend what the others wrote, or
   * ask again.
   * @param {string} id
   * @param {Choice} choice
   * @param {string} reason of an amendment
   */
  async settle(id, choice, reason = "") {
    await this.change(id, (row) => {
      if (!row.trouble) return; // another tap, or another window, was faster
      const { place = 0, from, code } = row.trouble;
      if (choice === "drop") row.waiting.splice(place, code === "sealed" ? Infinity : 1);
      if (choice === "amend") this.amend(row, place, reason);
      review(row, this.rules, from ?? row.entries.length);
    });
    this.wake();
  }

  /**
   * Make a round of this phone an amendment of the one that others wrote.
   * @param {Row} row
   * @param {number} place
   * @param {string} reason
   */
  amend(row, place, reason) {
    const entry = row.waiting[place];
    if (entry.act !== "close") return;
    const { rounds } = fold(row, this.rules, row.entries);
    const value = { number: entry.seen + 1, reason, round: entry.value };
    const seen = rounds[entry.seen];
    row.waiting[place] = { ...entry, key: newKey(), act: "amend", value, seen };
  }

  /**
   * Open the next game of a table, or find the one that is open, or the one game that is of no
   * table, with all that is written of it. Return the answer's problem, or null. It throws an error
   * without network.
   * @param {{ table?: string, open_game?: string }} page
   * @returns {Promise<Problem | null>}
   */
  async open({ table: own, open_game: game = "" }) {
    const table = own ?? game;
    if (!(await this.keyOf(table))) return { status: 401 };
    /** @type {Answer<OpenGame>} */
    const answer = own
      ? await this.ask(own, `/tables/${own}/open-game/`, {})
      : await this.ask(game, `/open-games/${game}/`);
    if (!answer.ok) return answer.content;
    const { id } = answer.content;
    await this.change(id, (row) => {
      Object.assign(row, { ...newRow(), ...row }, seated(table, answer.content));
    });
    await this.look(await this.rowOf(id));
    return null;
  }

  /**
   * Begin the game after one of a table on this phone alone. Return its id until the service has
   * opened it.
   * @param {Row} last
   */
  async begin({ table, number, games, kind, rules, seats, confirmation }) {
    const following = (number ?? 0) + 1;
    const id = `ahead-${table}-${following}`;
    const opened = new Date().toISOString();
    const next = { table, number: following, games, kind, rules, seats, confirmation, opened };
    await this.change(id, (row) => {
      Object.assign(row, { ...newRow(), ...next, ahead: true, ...row });
    });
    return id;
  }

  /**
   * Let the service open a game that was begun here, once the one before it is sealed.
   * @param {Row} row
   */
  async openAhead({ id, table, number: begun }) {
    const number = begun ?? 0;
    /** @type {Answer<OpenGame>} */
    const answer = await this.ask(table, `/tables/${table}/open-game/`, {});
    const { content } = answer;
    const isRefused = isKeyRefused(answer);
    if (id === this.shown) this.isRefused = isRefused;
    if (isRefused) return;
    const opened = content.number ?? 0;
    if (!answer.ok || opened > number) {
      const code = content.code ?? "begun_elsewhere";
      await this.change(id, (row) => {
        row.trouble = { code, detail: content.detail, place: 0 };
      });
      return;
    }
    const before = opened < number ? await this.row(content.id) : undefined;
    if (before) await this.look(before);
    if (opened === number) await this.adopt(id, table, content);
  }

  /**
   * Let what was written in a game that was begun here stand in the service's game from now on.
   * @param {string} instead the id of the game that was begun here
   * @param {string} table
   * @param {OpenGame} content
   */
  async adopt(instead, table, content) {
    const { id } = content;
    const base = await this.base;
    const transaction = base.transaction("games", "readwrite", STRICT);
    const store = transaction.objectStore("games");
    /** @type {Row | undefined} */
    const begun = await asked(store.get(instead));
    if (!begun) return; // another window was faster
    const known = await asked(store.get(id));
    const row = { id, ...newRow(), ...known, ...seated(table, content) };
    const moved = begun.waiting.map((entry) => ({ ...entry, game: id }));
    store.put({ ...row, waiting: [...row.waiting, ...moved], sealing: begun.sealing });
    store.delete(instead);
    await stored(transaction);
    if (this.shown === instead) this.shown = id;
    this.windows.postMessage({ id, instead });
    await this.changed(await this.row(id));
    await this.look(await this.rowOf(id));
    this.isAgain = true;
  }

  /**
   * Let go of a game that was begun here and can't be opened.
   * @param {string} id
   */
  async forget(id) {
    const base = await this.base;
    const transaction = base.transaction("games", "readwrite");
    transaction.objectStore("games").delete(id);
    await stored(transaction);
  }

  /**
   * Look at what others wrote, and at where the game is.
   * @param {Row} row
   */
  async look(row) {
    const path = `/open-games/${row.id}/`;
    /** @type {Answer<OpenGame>} */
    const { ok, content } = await this.ask(row.table, path);
    if (!ok) return;
    const { length } = row.entries;
    /** @type {Answer<{ entries: SentEntry[] }> | null} */
    const theirs =
      content.length > length ? await this.ask(row.table, `${path}entries/?after=${length}`) : null;
    const now = standing(content);
    const known = standingOf(row);
    if (!theirs && alike(now, known)) return;
    await this.change(row.id, (held) => {
      if (theirs) takeIn(held, this.rules, theirs.content.entries);
      Object.assign(held, now);
    });
  }

  /**
   * Ask what a sealed game changed in the rankings, and where its players play next.
   * @param {Row} row
   */
  async askGains({ id, table, gains }) {
    /** @type {Answer<Gains>} */
    const { ok, content } = await this.ask(table, `/open-games/${id}/gains/`);
    if (!ok || alike(gains, content)) return;
    await this.change(id, (row) => {
      row.gains = content;
    });
  }

  /**
   * Ask the API with the key of a table. It throws an error without network, and if the service is
   * busy.
   * @template Content
   * @param {string} table
   * @param {string} path
   * @param {object} [body] posts it; without one it is a GET
   * @returns {Promise<Answer<Content>>}
   */
  async ask(table, path, body) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json", "Accept-Language": this.language };
    const key = await this.keyOf(table);
    if (key) headers.Authorization = `Device ${key}`;
    if (body) headers["Content-Type"] = "application/json";
    const answer = await fetch(this.api + path, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      credentials: "omit",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const content = await answer.json(); // a page of the network's own, in a hotel, is none
    const isBusy = answer.status === 429 || answer.status >= 500 || content.code === "busy";
    if (isBusy) throw new Busy(content.retry_after);
    return { ok: answer.ok, status: answer.status, content };
  }

  /** Send what waits, look at what others wrote, and come back in a while. */
  wake() {
    this.wait = SOON;
    this.isAgain = this.isRunning;
    if (!this.isRunning) this.run();
  }

  async run() {
    clearTimeout(this.timer);
    this.isRunning = true;
    this.isRefused = false;
    try {
      await this.sendEverything();
      await this.lookAtShown();
      this.tell(this.isRefused ? "refused" : "sent");
      this.wait = SOON;
      this.comeBack(LOOK);
    } catch (error) {
      const isBusy = error instanceof Busy;
      const seconds = isBusy ? (error.seconds ?? 0) : 0;
      this.tell(isBusy ? "busy" : "offline");
      this.comeBack(seconds * 1000 || this.wait);
      this.wait = Math.min(2 * this.wait, LATE);
    }
    this.isRunning = false;
    if (this.isAgain) this.run();
  }

  /** @param {number} time in milliseconds */
  comeBack(time) {
    this.timer = setTimeout(() => this.run(), time);
  }

  async sendEverything() {
    do {
      this.isAgain = false;
      for (const { id, ahead } of await this.rows()) {
        if (!ahead) await this.sendAll(id);
      }
      for (const row of await this.rows()) {
        if (row.ahead && !row.trouble) await this.openAhead(row);
      }
    } while (this.isAgain);
  }

  async lookAtShown() {
    const row = this.shown ? await this.row(this.shown) : undefined;
    if (!row || row.ahead || document.hidden) return;
    if (row.sealed) await this.askGains(row);
    else await this.look(row);
  }

  /** @param {State} state */
  tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.changed(null);
  }

  /** @param {string} id */
  async sendAll(id) {
    let row = await this.rowOf(id);
    while (row.branches?.some(({ sent }) => !sent) && (await this.sendBranch(row))) {
      row = await this.rowOf(id);
    }
    while (row.waiting.length && !row.trouble && (await this.send(row))) row = await this.rowOf(id);
    if (row.waiting.length || row.trouble || !row.sealing) return;
    const body = { length: row.entries.length };
    await this.post(row, "seal", body, (now, content) => {
      Object.assign(now, standing(/** @type {OpenGame} */ (content)), { sealing: false });
    });
  }

  /**
   * Let the service keep what couldn't stand; whatever it answers, it isn't asked again. Return
   * false if the key isn't good.
   * @param {Row} row
   */
  async sendBranch(row) {
    const unsent = row.branches?.find(({ sent }) => !sent);
    if (!unsent) return false;
    const { key, after, entries } = unsent;
    const path = `/open-games/${row.id}/branches/`;
    const answer = await this.ask(row.table, path, { key, after, entries });
    if (isKeyRefused(answer)) return false;
    await this.change(row.id, (now) => {
      for (const branch of now.branches ?? []) branch.sent ||= branch.key === key;
    });
    return true;
  }

  /**
   * Send the entry that has waited longest. Return false if the key isn't good.
   * @param {Row} row
   */
  async send(row) {
    const [entry] = row.waiting;
    const { key, act, value, at } = entry;
    const body = { key, act, value, at, length: row.entries.length };
    const isTaken = await this.post(row, "entries", body, (now, content) => {
      const { number } = /** @type {SentEntry} */ (content);
      takeIn(now, this.rules, [{ ...entry, number }]);
    });
    const now = await this.rowOf(row.id);
    const isStill = !now.trouble && now.waiting[0]?.key === key;
    if (isTaken && isStill) await this.look(now); // the others' entries come first
    return isTaken;
  }

  /**
   * Post something to an open game. Return false if the key isn't good.
   * @param {Row} row
   * @param {"entries" | "seal"} path
   * @param {{ key?: string, length: number }} body
   * @param {(row: Row, content: unknown) => void} done takes the answer in
   */
  async post({ id, table, branches }, path, body, done) {
    /** @type {Answer<{ entries: SentEntry[] }>} */
    const answer = await this.ask(table, `/open-games/${id}/${path}/`, body);
    const { ok, content } = answer;
    const isRefused = isKeyRefused(answer);
    if (id === this.shown) this.isRefused = isRefused;
    const kept = (branches ?? []).flatMap(({ entries }) => entries.map(({ key }) => key));
    const isKept = body.key !== undefined && kept.includes(body.key);
    if (content.code === "key_ended" && body.key && !isKept) {
      await this.change(id, (now) => keepBranch(now, now.entries.length, now.waiting));
    }
    if (isRefused) return false;
    await this.change(id, (now) => {
      if (now.waiting[0]?.key !== body.key) return; // another window was faster
      if (ok) done(now, content);
      else this.takeRefusal(now, content);
    });
    return true;
  }

  /**
   * @param {Row} row
   * @param {Problem & { entries?: SentEntry[] }} content
   */
  takeRefusal(row, { code = "", detail, entries = [] }) {
    row.sealing = false;
    if (code === "overtaken") {
      takeIn(row, this.rules, entries);
    } else if (code === "not_confirmed") {
      row.waits = row.entries.length;
    } else {
      row.trouble = { code, detail, place: 0 };
      if (code === "sealed") keepBranch(row, row.entries.length, row.waiting);
    }
  }
}

/** @returns {Pick<Row, "entries" | "waiting" | "trouble" | "sealing">} */
const newRow = () => ({ entries: [], waiting: [], trouble: null, sealing: false });

/**
 * Return what the service says of an open game that this phone has a key for, when it opens it.
 * @param {string} table
 * @param {OpenGame} content
 */
function seated(table, content) {
  const { number, games, game: kind, rules, seats } = content;
  const opened = new Date().toISOString();
  return { table, number, games, kind, rules, seats, opened, ...standing(content) };
}

/**
 * Return what the service says of an open game besides its entries.
 * @param {OpenGame} content
 */
function standing({ confirmation, handed_in: handed, comparison, sealed }) {
  return { confirmation, handed, compared: comparison?.rounds ?? null, sealed: idOf(sealed) };
}

/** @param {Row} row */
function standingOf({ confirmation, handed, compared, sealed }) {
  return { confirmation, handed, compared, sealed };
}

/**
 * Return the id at the end of an address; null without one.
 * @param {string | null | undefined} address
 */
export const idOf = (address) => address?.split("/").at(-2) ?? null;

/**
 * Return entries as the text of a code.
 * @param {string} game
 * @param {string} key that signs it
 * @param {number} after how many entries they were written
 * @param {Waiting[]} waiting
 */
async function codeOf(game, key, after, waiting) {
  const entries = waiting.map(({ key: name, act, value, at }) => {
    const short = name.replaceAll("-", "");
    return [short, act, value, at];
  });
  const content = JSON.stringify({ game, after, entries });
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const text = `CUPS2.${base64(await new Response(packed).arrayBuffer())}`;
  const [{ hmac }, { sha256 }] = await signing();
  const signature = hmac(sha256, bytes(key), bytes(text)).slice(0, 16);
  return `${text}.${base64(signature)}`;
}

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** @param {ArrayBuffer | Uint8Array} buffer */
function base64(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const byte = () => crypto.getRandomValues(new Uint8Array(1))[0];

/** Return a random UUID; `crypto.randomUUID` exists only on pages that are served by HTTPS. */
function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const pattern = "10000000-1000-4000-8000-100000000000";
  return pattern.replace(/[018]/g, (sign) => {
    const digit = Number(sign);
    return (digit ^ (byte() & (15 >> (digit / 4)))).toString(16);
  });
}
