// The games that this phone writes down, and the outbox of what it wrote. Everything stands in the browser's own database
// before it is sent; entries are sent in their order, and one whose answer was lost is sent again under the same key.
//   row: { id, table, number, games, kind, rules, seats, confirmation, handed, compared, entries, waiting, trouble, told,
//     branches, sealing, waits, sealed, gains, opened, ahead, called, ruled }
// `table`: what this phone has a key for; of a game without a table it is the game's own id, and `number` is null.
// `games`: how many games the table plays. `ahead`: begun on this phone alone; the service hasn't opened it yet.
// `called`: the key of this phone's own last call for the arbiter. `ruled`: that of the last ruling that somebody has seen here.
// `gains`: what the sealed game changed in the rankings, and who plays where next.
// `told`: what others changed of the rounds that this phone knew, until somebody has seen it.
// `entries` are the server's, `own` those that this phone sent; `confirmation`: who confirms the game before it is sealed;
// `handed`: this sheet, of two that are written unseen, is handed in; `compared`: the rounds in which both differ, once they may be
// seen; `waits`: how many entries there were when the server wanted another's word than this phone's. `waiting` are this phone's, each with `seen`: what it was written after, so that one knows
// whether it still means the same once others' entries are in. `branches`: what this phone wrote while others wrote
// something else, or after its key had ended; the service keeps it, whatever is chosen here.

import { begin, turn } from "./sheet.js";

const PATIENCE = 15_000; // ms for an answer
const LOOK = 8000; // ms between two looks at what others wrote
const CODED = 30; // entries in one code: a whole game by rounds, and still easy to read
const [SOON, LATE] = [1500, 60_000]; // ms until something is sent again: twice as long each time, from … to …

const ASIDES = ["call", "call_off", "ruling"]; // entries beside the play: they change nothing of it
export const isPlayed = ({ act }) => !ASIDES.includes(act);
export const alike = (one, other) => {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => alike(one[key], other[key]))
  );
};

// What a row has come to: its sheet, the rounds as they were entered, the keys of what an undo could take back, and all keys.
export function fold(row, rules, entries = [...row.entries, ...row.waiting]) {
  const { kind: game, rules: settings, seats } = row;
  const table = {
    sheet: begin({ game, rules: settings, seats, opener: 0 }, rules),
    rounds: [],
    standing: [],
    known: new Set(),
  };
  for (const entry of entries)
    if (take(table, entry)) throw new Error(`entry ${entry.key} doesn't stand`);
  return table;
}
function take({ sheet, rounds, standing, known }, { act, value, key }) {
  const notes = sheet.notes.length;
  const fault = sheet.apply({ act, value });
  if (fault) return fault;
  known.add(key);
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
    sheet.notes.some((note) => alike(note, value)) ||
    Boolean(rounds[closed]?.moves?.includes(value.bid)),
  close: ({ rounds }, { value, seen }) => alike(rounds[seen], value),
  undo: ({ standing, known }, { seen }) => known.has(seen) && !standing.includes(seen),
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
  let after = from; // what waits was written after these: this phone's own, too, which came in
  for (const { number, act, value, key, at, device_at, by } of theirs) {
    if (number !== row.entries.length) continue;
    const own = row.waiting[0]?.key === key;
    row.entries.push({ act, value, key, at: device_at ?? at, own, by });
    if (own) {
      row.waiting.shift();
      if (after === number) after += 1;
    } else row.sealing = false; // who sealed hadn't seen it
  }
  const mine = [...row.waiting];
  const changes = changesOf(row, rules, from);
  if (changes.length) row.told = [...(row.told ?? []), ...changes];
  if (row.entries.length > from) review(row, rules, from);
  if (row.trouble?.code === "overtaken") keepBranch(row, after, mine);
}
// What others changed from an entry on of the rounds that this phone knew: it is told so.
function changesOf(row, rules, from) {
  const table = fold(row, rules, row.entries.slice(0, from));
  const known = table.rounds.length;
  const changes = [];
  for (const entry of row.entries.slice(from)) {
    const { own, act, value } = entry;
    const number = act === "amend" ? value.number : table.rounds.length;
    const isUndone = act === "undo" && !table.sheet.notes.length;
    if (!own && number <= known && act === "amend")
      changes.push({ ...value, before: table.rounds[number - 1] });
    if (!own && number <= known && isUndone) changes.push({ number });
    take(table, entry);
  }
  return changes;
}
function keepBranch(row, after, waiting) {
  const entries = waiting.map(({ key, act, value, at }) => ({ key, act, value, at }));
  const kept = new Set(
    (row.branches ?? []).flatMap((branch) => branch.entries.map(({ key }) => key)),
  );
  if (entries.length && !entries.some(({ key }) => kept.has(key)))
    row.branches = [...(row.branches ?? []), { key: newKey(), after, entries }];
}

// The browser's own database.
const asked = (request) =>
  new Promise((resolve, reject) =>
    Object.assign(request, {
      onsuccess: () => resolve(request.result),
      onerror: () => reject(request.error),
    }),
  );
const stored = (transaction) =>
  new Promise((resolve, reject) =>
    Object.assign(transaction, { oncomplete: resolve, onabort: reject }),
  );
function database() {
  const request = indexedDB.open("cups-up-score", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games", { keyPath: "id" });
    request.result.createObjectStore("keys", { keyPath: "table" });
  };
  return asked(request);
}

// What signs a code. `crypto.subtle` is there only where a page is served by HTTPS.
export const signing = () => Promise.all([import("./noble/hmac.js"), import("./noble/sha2.js")]);

export class Outbox {
  // changed: called with a row, or null where only `state` is another: "sent", "offline", "busy" or "refused" (no good key).
  constructor({ api, language, rules, changed }) {
    Object.assign(this, {
      api,
      language,
      rules,
      changed,
      state: "sent",
      wait: SOON,
      base: database(),
    });
    this.windows = new BroadcastChannel("cups-up-score");
    this.windows.onmessage = async ({ data: { id, instead } }) => {
      if (instead && instead === this.shown) this.shown = id;
      this.changed(await this.row(id));
    };
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
  }

  async read(name, by, ...ids) {
    return asked(
      (await this.base)
        .transaction(name)
        .objectStore(name)
        [by](...ids),
    );
  }
  row(id) {
    return this.read("games", "get", id);
  }
  rows() {
    return this.read("games", "getAll");
  }
  keepKey(table, key) {
    return this.write("keys", table, (row) => Object.assign(row, { table, key }));
  }
  // Change a row in one step, whatever other windows do; `step` gives what is to be answered.
  async write(name, id, step) {
    const transaction = (await this.base).transaction(name, "readwrite", { durability: "strict" }); // a battery may end
    const store = transaction.objectStore(name);
    const row = (await asked(store.get(id))) ?? { id };
    const answer = step(row);
    store.put(row);
    await stored(transaction);
    return { row, answer };
  }
  async change(id, step) {
    const { row, answer } = await this.write("games", id, step);
    this.windows.postMessage({ id });
    await this.changed(row);
    return answer;
  }

  // Let one more entry stand here, and send it when it can be; the fault of one that can't stand, else null. `count`: how
  // many entries the one who writes has seen; what others wrote since is held against it, as if it had come late.
  async add(id, count, act, value) {
    if (!(await this.row(id))) return { code: "stale" }; // it has just become the service's
    const fault = await this.change(id, (row) => {
      const all = [...row.entries, ...row.waiting];
      if (count > all.length || (count < all.length && row.waiting.length))
        return { code: "stale" };
      const table = fold(row, this.rules, all.slice(0, count));
      const seen = SEEN[act](table, value);
      const entry = {
        key: newKey(),
        act,
        value,
        at: new Date().toISOString(),
        table: row.table,
        game: id,
        seen,
      };
      const wrong = take(table, entry);
      if (wrong) return wrong;
      row.waiting.push(entry);
      if (count < all.length) review(row, this.rules, count); // others wrote while it was filled in
      if (row.trouble) keepBranch(row, count, [entry]);
      return null;
    });
    navigator.storage?.persist?.();
    this.wake();
    return fault;
  }
  // What waits to be sent of a game, as the texts of codes that another phone can send on, one after the other; signed by
  // this phone's key.
  async codes(id) {
    const { table, entries, waiting } = await this.row(id);
    const { key } = await this.read("keys", "get", table);
    const [{ hmac }, { sha256 }] = await signing();
    const codes = [];
    for (let first = 0; first < waiting.length; first += CODED) {
      const part = waiting
        .slice(first, first + CODED)
        .map(({ key: name, act, value, at }) => [name.replaceAll("-", ""), act, value, at]);
      const content = JSON.stringify({ game: id, after: entries.length + first, entries: part });
      const packed = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      const text = `CUPS2.${base64(await new Response(packed).arrayBuffer())}`;
      codes.push(`${text}.${base64(hmac(sha256, bytes(key), bytes(text)).slice(0, 16))}`);
    }
    return codes;
  }
  // Call the arbiter ("call"), or take the own call back ("call/end"); the answer's problem, or null. It throws without network.
  async call(id, path) {
    const key = newKey();
    const { table } = await this.row(id);
    if (path === "call")
      await this.change(id, (row) => {
        row.called = key;
      });
    const { ok, content } = await this.ask(table, `/open-games/${id}/${path}/`, { key });
    await this.look(await this.row(id));
    return ok ? null : content;
  }
  async seal(id) {
    await this.change(id, (row) => {
      row.sealing = true;
    });
    this.wake();
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
        Object.assign(row.waiting[place], {
          key: newKey(),
          act: "amend",
          value,
          seen: rounds[closed],
        });
      }
      review(row, this.rules, from ?? row.entries.length);
    });
    this.wake();
  }

  // Open the next game of a table, or find the one that is open, or the one game (`open_game`) that is of no table, with
  // all that is written of it. The answer's problem, or null; it throws without network.
  async open({ table: own, open_game: game }) {
    const table = own ?? game;
    if (!(await this.read("keys", "get", table))) return { status: 401 };
    const answer = await (own
      ? this.ask(own, `/tables/${own}/open-game/`, {})
      : this.ask(game, `/open-games/${game}/`));
    if (!answer.ok) return answer.content;
    const { id } = answer.content;
    await this.change(id, (row) =>
      Object.assign(row, { ...EMPTY, ...row }, seated(table, answer.content)),
    );
    await this.look(await this.row(id));
    return null;
  }
  // Begin the game after one of a table on this phone alone; its id until the service has opened it.
  async begin({ table, number, games, kind, rules, seats, confirmation }) {
    const id = `ahead-${table}-${number + 1}`;
    const opened = new Date().toISOString();
    const next = { table, number: number + 1, games, kind, rules, seats, confirmation, opened };
    await this.change(id, (row) => Object.assign(row, { ...EMPTY, ...next, ahead: true, ...row }));
    return id;
  }
  // Let the service open a game that was begun here, once the one before it is sealed.
  async openAhead({ id, table, number }) {
    const { ok, status, content } = await this.ask(table, `/tables/${table}/open-game/`, {});
    const isRefused = status === 401 || status === 403;
    if (id === this.shown) this.refused = isRefused;
    if (isRefused) return;
    if (!ok || content.number > number) {
      const trouble = { code: content.code ?? "begun_elsewhere", detail: content.detail, place: 0 };
      await this.change(id, (row) => {
        row.trouble = trouble;
      });
      return;
    }
    const before = content.number < number && (await this.row(content.id));
    if (before) await this.look(before);
    if (content.number === number) await this.adopt(id, table, content);
  }
  // What was written in a game that was begun here stands in the service's game from now on.
  async adopt(instead, table, content) {
    const { id } = content;
    const transaction = (await this.base).transaction("games", "readwrite", {
      durability: "strict",
    });
    const store = transaction.objectStore("games");
    const begun = await asked(store.get(instead));
    if (!begun) return; // another window was faster
    const row = { id, ...EMPTY, ...(await asked(store.get(id))), ...seated(table, content) };
    const waiting = begun.waiting.map((entry) => ({ ...entry, game: id }));
    store.put({ ...row, waiting: [...row.waiting, ...waiting], sealing: begun.sealing });
    store.delete(instead);
    await stored(transaction);
    if (this.shown === instead) this.shown = id;
    this.windows.postMessage({ id, instead });
    await this.changed(await this.row(id));
    await this.look(await this.row(id));
    this.again = true;
  }
  // Let go of a game that was begun here and can't be opened.
  async forget(id) {
    const transaction = (await this.base).transaction("games", "readwrite");
    transaction.objectStore("games").delete(id);
    await stored(transaction);
  }
  async look(row) {
    const path = `/open-games/${row.id}/`;
    const { ok, content } = await this.ask(row.table, path);
    if (!ok) return;
    const theirs =
      content.length > row.entries.length &&
      (await this.ask(row.table, `${path}entries/?after=${row.entries.length}`));
    const now = standing(content);
    if (!theirs && Object.keys(now).every((name) => alike(now[name], row[name]))) return;
    await this.change(row.id, (held) => {
      if (theirs) takeIn(held, this.rules, theirs.content.entries);
      Object.assign(held, now);
    });
  }

  // Learn what a sealed game changed in the rankings, and where one plays next.
  async askGains({ id, table, gains }) {
    const { ok, content } = await this.ask(table, `/open-games/${id}/gains/`);
    if (ok && !alike(gains, content))
      await this.change(id, (row) => {
        row.gains = content;
      });
  }

  async ask(table, path, body) {
    const headers = { Accept: "application/json", "Accept-Language": this.language };
    const { key } = (await this.read("keys", "get", table)) ?? {};
    if (key) headers.Authorization = `Device ${key}`;
    if (body) headers["Content-Type"] = "application/json";
    const options = {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      credentials: "omit",
    };
    const answer = await fetch(this.api + path, {
      ...options,
      signal: AbortSignal.timeout(PATIENCE),
    });
    const content = await answer.json(); // a page of the network's own, in a hotel, is none
    const isBusy = answer.status === 429 || answer.status >= 500 || content.code === "busy";
    if (isBusy) throw Object.assign(new Error("busy"), { seconds: content.retry_after });
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
        for (const { id, ahead } of await this.rows()) if (!ahead) await this.sendAll(id);
        for (const row of await this.rows())
          if (row.ahead && !row.trouble) await this.openAhead(row);
      } while (this.again);
      const row = this.shown && (await this.row(this.shown));
      if (row && !row.ahead && !document.hidden)
        await (row.sealed ? this.askGains(row) : this.look(row));
      this.tell(this.refused ? "refused" : "sent");
      this.wait = SOON;
      this.timer = setTimeout(() => this.run(), LOOK);
    } catch (error) {
      this.tell(error.message === "busy" ? "busy" : "offline");
      this.timer = setTimeout(() => this.run(), (error.seconds ?? 0) * 1000 || this.wait);
      this.wait = Math.min(2 * this.wait, LATE);
    }
    this.running = false;
    if (this.again) this.run();
  }
  tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.changed(null);
  }
  async sendAll(id) {
    let row = await this.row(id);
    while (row.branches?.some(({ sent }) => !sent) && (await this.sendBranch(row)))
      row = await this.row(id);
    while (row.waiting.length && !row.trouble && (await this.send(row))) row = await this.row(id);
    if (row.waiting.length || row.trouble || !row.sealing) return;
    await this.post(row, "seal", { length: row.entries.length }, (now, content) =>
      Object.assign(now, standing(content), { sealing: false }),
    );
  }
  // Let the service keep what couldn't stand; it isn't asked again, whatever it answers. False if the key isn't good.
  async sendBranch(row) {
    const { sent, ...branch } = row.branches.find((one) => !one.sent);
    const { status } = await this.ask(row.table, `/open-games/${row.id}/branches/`, branch);
    if (status === 401 || status === 403) return false;
    await this.change(row.id, (now) => {
      for (const one of now.branches) one.sent ||= one.key === branch.key;
    });
    return true;
  }
  // Send the entry that has waited longest: false if its key isn't good.
  async send(row) {
    const [entry] = row.waiting;
    const { key, act, value, at } = entry;
    const body = { key, act, value, at, length: row.entries.length };
    const isTaken = await this.post(row, "entries", body, (now, { number }) =>
      takeIn(now, this.rules, [{ ...entry, number }]),
    );
    const now = await this.row(row.id);
    if (isTaken && !now.trouble && now.waiting[0]?.key === key) await this.look(now); // the others' entries come first
    return isTaken;
  }
  // Post something to an open game; `done` takes in the answer. False if the key isn't good.
  async post({ id, table, branches }, path, body, done) {
    const { ok, status, content } = await this.ask(table, `/open-games/${id}/${path}/`, body);
    const isRefused = status === 401 || status === 403;
    if (id === this.shown) this.refused = isRefused;
    const isKept = branches?.some(({ entries }) => entries.some(({ key }) => key === body.key));
    if (content.code === "key_ended" && body.key && !isKept) {
      await this.change(id, (now) => keepBranch(now, now.entries.length, now.waiting));
    }
    if (isRefused) return false;
    await this.change(id, (now) => {
      if (now.waiting[0]?.key !== body.key) return; // another window was faster
      if (ok) return void done(now, content);
      now.sealing = false;
      if (content.code === "overtaken") takeIn(now, this.rules, content.entries);
      else if (content.code === "not_confirmed") now.waits = now.entries.length;
      else {
        now.trouble = { code: content.code, detail: content.detail, place: 0 };
        if (content.code === "sealed") keepBranch(now, now.entries.length, now.waiting);
      }
    });
    return true;
  }
}

const EMPTY = { entries: [], waiting: [], trouble: null, sealing: false };
// What the service says of an open game that this phone has a key for, when it opens it.
const seated = (table, { number, games, game: kind, rules, seats, ...content }) => ({
  table,
  number,
  games,
  kind,
  rules,
  seats,
  opened: new Date().toISOString(),
  ...standing(content),
});
// What the service says of an open game besides its entries.
const standing = ({ confirmation, handed_in: handed, comparison, sealed }) => ({
  confirmation,
  handed,
  compared: comparison?.rounds ?? null,
  sealed: idOf(sealed),
});
export const idOf = (address) => address && address.split("/").at(-2);
const bytes = (text) => new TextEncoder().encode(text);
const base64 = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
// A random UUID; `crypto.randomUUID` is there only where a page is served by HTTPS.
const byte = () => crypto.getRandomValues(new Uint8Array(1))[0];
const newKey = () =>
  crypto.randomUUID?.() ??
  "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (sign) =>
    (sign ^ (byte() & (15 >> (sign / 4)))).toString(16),
  );
