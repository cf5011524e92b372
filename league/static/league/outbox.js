// The games that this phone writes down, and the outbox of what it wrote. Everything stands in the browser's own database
// before it is sent; entries are sent in their order, and one whose answer was lost is sent again under the same key.
//   row: { id, table, number, kind, rules, seats, entries, waiting, trouble, sealing, sealed, opened }
// `entries` are the server's; `waiting` are this phone's, each with `seen`: what it was written after, so that one knows
// whether it still means the same once others' entries are in.

import { begin, turn } from "./sheet.js";

const PATIENCE = 15_000; // ms for an answer
const LOOK = 8000; // ms between two looks at what others wrote
const [SOON, LATE] = [1500, 60_000]; // ms until something is sent again: twice as long each time, from … to …

export const alike = (one, other) => {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => alike(one[key], other[key]));
};

// What a row has come to: its sheet, the rounds as they were entered, and the keys of what an undo could take back.
export function fold(row, rules, entries = [...row.entries, ...row.waiting]) {
  const { kind: game, rules: settings, seats } = row;
  const table = { sheet: begin({ game, rules: settings, seats, opener: 0 }, rules), rounds: [], standing: [] };
  for (const entry of entries) if (take(table, entry)) throw new Error(`entry ${entry.key} doesn't stand`);
  return table;
}
function take({ sheet, rounds, standing }, { act, value, key }) {
  const notes = sheet.notes.length;
  const fault = sheet.apply({ act, value });
  if (fault) return fault;
  if (act === "note" || act === "close") standing.push(key);
  if (act === "close") rounds.push(value);
  if (act === "amend") rounds[value.number - 1] = value.round;
  if (act === "undo") standing.pop();
  if (act === "undo" && !notes) rounds.pop();
  return null;
}
const SEEN = {
  opener: ({ sheet }) => sheet.opener,
  note: ({ sheet }) => [sheet.closed, turn(sheet)],
  close: ({ sheet }) => sheet.closed,
  undo: ({ standing }) => standing.at(-1) ?? null,
  amend: ({ rounds }, { number }) => rounds[number - 1],
};
// Whether others have done by now what an entry would do.
const DONE = {
  opener: ({ sheet }, { value }) => sheet.opener === value.seat,
  note: ({ sheet, rounds }, { value, seen: [closed] }) =>
    sheet.notes.some((note) => alike(note, value)) || Boolean(rounds[closed]?.moves?.includes(value.bid)),
  close: ({ rounds }, { value, seen }) => alike(rounds[seen], value),
  undo: ({ standing }, { seen }) => !standing.includes(seen),
  amend: ({ rounds }, { value }) => alike(rounds[value.number - 1], value.round),
};

// After others' entries: what they wrote as well is dropped, and at what doesn't fit any more it stops.
function review(row, rules, from) {
  const table = fold(row, rules, row.entries);
  for (let place = 0; place < row.waiting.length; place += 1) {
    const entry = row.waiting[place];
    if (!alike(SEEN[entry.act](table, entry.value), entry.seen) && DONE[entry.act](table, entry)) {
      row.waiting.splice(place, 1);
      place -= 1;
      row.agreed = (row.agreed ?? 0) + 1;
    } else if (!alike(SEEN[entry.act](table, entry.value), entry.seen) || take(table, entry)) {
      row.trouble = { code: "overtaken", place, from: row.trouble?.from ?? from };
      return;
    }
  }
  row.trouble = null;
}
function takeIn(row, rules, theirs) {
  const from = row.entries.length;
  for (const { number, act, value, key } of theirs) {
    if (number !== row.entries.length) continue;
    row.entries.push({ act, value, key });
    if (row.waiting[0]?.key === key) row.waiting.shift();
    else row.sealing = false; // who sealed hadn't seen it
  }
  if (row.entries.length > from) review(row, rules, from);
}

// The browser's own database, or for as long as the page is open a map, where a private window has none.
const asked = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
function database() {
  const request = indexedDB.open("cups-up-score", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "id" });
    request.result.createObjectStore("keys", { keyPath: "table" });
  };
  return asked(request).catch(() => null);
}
const STRICT = { durability: "strict" }; // on the disk, before a battery is empty
const ended = (transaction) => new Promise((resolve, reject) => Object.assign(transaction, { oncomplete: resolve, onabort: reject }));

export class Outbox {
  // changed: called with a row, or null where only `state` is another: "sent", "offline", "busy" or "refused" (no good key).
  constructor({ api, language, rules, changed }) {
    Object.assign(this, { api, language, rules, changed, state: "sent", wait: SOON, lasting: true });
    this.base = database();
    this.memory = new Map();
    this.others = new BroadcastChannel("cups-up-score");
    this.others.onmessage = async ({ data }) => this.changed(await this.row(data));
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
  }

  async get(store, id) {
    const base = await this.base;
    return base ? asked(base.transaction(store).objectStore(store).get(id)) : this.memory.get(id);
  }
  row(id) {
    return this.get("games", id);
  }
  async keepKey(table, key) {
    const base = await this.base;
    this.memory.set(table, { table, key });
    const transaction = base?.transaction("keys", "readwrite", STRICT);
    transaction?.objectStore("keys").put({ table, key });
    if (transaction) await ended(transaction);
  }
  async rows() {
    const base = await this.base;
    this.lasting = Boolean(base);
    return base ? asked(base.transaction("games").objectStore("games").getAll()) : [...this.memory.values()].filter(({ id }) => id);
  }
  // Change a row in one step, whatever other windows do; `step` gives what is to be answered.
  async change(id, step) {
    const base = await this.base;
    const transaction = base?.transaction("games", "readwrite", STRICT);
    const games = transaction?.objectStore("games");
    const row = (games ? await asked(games.get(id)) : this.memory.get(id)) ?? { id };
    const answer = step(row);
    if (games) games.put(row);
    else this.memory.set(id, row);
    if (games) await ended(transaction);
    this.others.postMessage(id);
    await this.changed(row);
    return answer;
  }

  // Let one more entry stand here, and send it when it can be; the fault of one that can't stand, else null. `count`: how
  // many entries the one who writes has seen.
  async add(id, count, act, value) {
    const fault = await this.change(id, (row) => {
      const table = fold(row, this.rules);
      if (count !== row.entries.length + row.waiting.length) return { code: "stale" };
      const seen = SEEN[act](table, value);
      const entry = { key: newKey(), act, value, at: new Date().toISOString(), table: row.table, game: id, seen };
      const wrong = take(table, entry);
      if (!wrong) row.waiting.push(entry);
      return wrong;
    });
    navigator.storage?.persist?.();
    this.wake();
    return fault;
  }
  seal(id) {
    return this.change(id, (row) => { row.sealing = true; }).then(() => this.wake());
  }
  // Settle what doesn't fit: drop the entry of this phone, or let it amend what the others wrote; or ask once more.
  async settle(id, choice, reason) {
    await this.change(id, (row) => {
      const { place = 0, from, code } = row.trouble;
      const { rounds } = fold(row, this.rules, row.entries);
      if (choice === "drop") row.waiting.splice(place, code === "sealed" ? Infinity : 1);
      if (choice === "amend") {
        const { value: round, seen: closed } = row.waiting[place];
        const value = { number: closed + 1, reason, round };
        Object.assign(row.waiting[place], { key: newKey(), act: "amend", value, seen: rounds[closed] });
      }
      review(row, this.rules, from ?? row.entries.length);
    });
    this.wake();
  }

  // Open the next game of a table, or find the one that is open, with all that is written of it. The answer's problem, or
  // null; it throws without network.
  async open(table) {
    const answer = await this.ask(table, `/tables/${table}/open-game/`, {});
    if (!answer.ok) return answer.content;
    const { id, number, game: kind, rules, seats, sealed } = answer.content;
    const opened = new Date().toISOString();
    await this.change(id, (row) => {
      Object.assign(row, { entries: [], waiting: [], trouble: null, sealing: false, ...row });
      Object.assign(row, { table, number, kind, rules, seats, sealed: idOf(sealed), opened });
    });
    await this.look(await this.row(id));
    return null;
  }
  async look(row) {
    const path = `/open-games/${row.id}/`;
    const { ok, content } = await this.ask(row.table, path);
    if (!ok) return;
    const theirs = content.length > row.entries.length && (await this.ask(row.table, `${path}entries/?after=${row.entries.length}`));
    if (!theirs && idOf(content.sealed) === row.sealed) return;
    await this.change(row.id, (now) => {
      if (theirs) takeIn(now, this.rules, theirs.content.entries);
      now.sealed = idOf(content.sealed);
    });
  }

  async ask(table, path, body) {
    const headers = { Accept: "application/json", "Accept-Language": this.language };
    const { key } = (await this.get("keys", table)) ?? {};
    if (key) headers.Authorization = `Device ${key}`;
    if (body) headers["Content-Type"] = "application/json";
    const options = { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), credentials: "omit" };
    const answer = await fetch(this.api + path, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    const content = await answer.json(); // a page of the network's own, in a hotel, is none
    if (answer.status === 429 || answer.status >= 500 || content.code === "busy") throw new Busy(content.retry_after);
    return { ok: answer.ok, status: answer.status, content };
  }

  // Send what waits, look at what others wrote, and come back in a while.
  wake() {
    this.wait = SOON;
    this.again = this.running;
    if (!this.running) this.run();
  }
  async run() {
    clearTimeout(this.timer);
    this.running = true;
    this.refused = false;
    try {
      do {
        this.again = false;
        for (const { id } of await this.rows()) await this.sendAll(id);
      } while (this.again);
      const row = this.shown && (await this.row(this.shown));
      if (row && !row.sealed) await this.look(row);
      this.tell(this.refused ? "refused" : "sent");
      this.wait = SOON;
      this.timer = setTimeout(() => this.tick(), LOOK);
    } catch (error) {
      this.tell(error instanceof Busy ? "busy" : "offline");
      this.timer = setTimeout(() => this.tick(), (error.seconds ?? 0) * 1000 || this.wait);
      this.wait = Math.min(2 * this.wait, LATE);
    }
    this.running = false;
  }
  tick() {
    if (!this.running) this.run();
  }
  tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.changed(null);
  }
  async sendAll(id) {
    let row = await this.row(id);
    while (row.waiting.length && !row.trouble && (await this.send(row))) row = await this.row(id);
    if (row.sealing && !row.waiting.length && !row.trouble) await this.sendSeal(row);
  }
  isRefused(id, { status }) {
    const isRefused = status === 401 || status === 403;
    if (id === this.shown) this.refused = isRefused;
    return isRefused;
  }
  // Send the entry that has waited longest: false if its key isn't good.
  async send({ id, table, entries, waiting: [entry] }) {
    const { key, act, value, at } = entry;
    const body = { key, act, value, at, length: entries.length };
    const answer = await this.ask(table, `/open-games/${id}/entries/`, body);
    if (this.isRefused(id, answer)) return false;
    const { ok, content } = answer;
    await this.change(id, (row) => {
      if (row.waiting[0]?.key !== key) return;
      if (ok) takeIn(row, this.rules, [{ ...entry, number: content.number }]);
      else if (content.code === "overtaken") takeIn(row, this.rules, content.entries);
      else row.trouble = { code: content.code, detail: content.detail, place: 0 };
    });
    const now = await this.row(id);
    if (ok && now.waiting[0]?.key === key) await this.look(now); // others wrote before the lost answer came
    return true;
  }
  async sendSeal({ id, table, entries }) {
    const answer = await this.ask(table, `/open-games/${id}/seal/`, { length: entries.length });
    if (this.isRefused(id, answer)) return;
    const { ok, content } = answer;
    await this.change(id, (row) => {
      row.sealing = false;
      if (ok) row.sealed = idOf(content.sealed);
      else if (content.code === "overtaken") takeIn(row, this.rules, content.entries);
      else row.trouble = { code: content.code, detail: content.detail };
    });
  }
}

class Busy extends Error {
  constructor(seconds) {
    super("busy");
    this.seconds = seconds;
  }
}
const idOf = (address) => address && address.split("/").at(-2);
// A random UUID; `crypto.randomUUID` is there only where a page is served by HTTPS.
function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const [...bytes] = crypto.getRandomValues(new Uint8Array(16));
  [bytes[6], bytes[8]] = [(bytes[6] & 0x0f) | 0x40, (bytes[8] & 0x3f) | 0x80];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
