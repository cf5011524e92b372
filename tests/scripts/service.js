// As much of the service as an outbox speaks to: one table and its open games.

import { setTimeout as pause } from "node:timers/promises";

import { Outbox } from "../../league/static/league/outbox.js";
import { RULES } from "./rules.js";

export const TABLE = "table-1";
const LONGEST = 10_000; // ms that an outbox may work
const SEATS = ["Ada", "Ben", "Cy"].map((name) => ({ name, handle: name.toLowerCase() }));

function problem(status, code, more = {}) {
  return { status, content: { status, code, detail: `${code} it is`, ...more } };
}

export class Service {
  games = new Map();
  branches = [];
  requests = [];
  isReached = true;
  /** What the next requests are answered instead. */
  instead = [];

  constructor() {
    this.beginGame();
    globalThis.fetch = (address, options) =>
      this.answer(new URL(address).pathname, address, options);
  }

  beginGame() {
    const number = this.games.size + 1;
    const game = { id: `game-${number}`, number, entries: [], sealed: null, confirmation: "seat" };
    this.games.set(game.id, game);
    return game;
  }

  get game() {
    return [...this.games.values()].at(-1);
  }

  /** Write an entry of somebody else. */
  write(act, value) {
    const { entries } = this.game;
    const number = entries.length;
    entries.push({ number, act, value, key: `theirs-${number}`, at: "2026-05-01T20:00:00Z" });
  }

  /** Lose the answer to the next entry: it is taken, but this phone doesn't hear of it. */
  loseAnswer() {
    this.isDeaf = true;
  }

  async answer(path, address, { method, headers, body }) {
    if (!this.isReached) throw new TypeError("no network");
    const sent = body ? JSON.parse(body) : null;
    this.requests.push({ method, path, headers, sent });
    const { status = 200, content } = this.instead.shift() ?? this.handle(path, address, sent);
    return new Response(JSON.stringify(content), { status });
  }

  handle(path, address, sent) {
    if (path === `/api/tables/${TABLE}/open-game/`) return { content: this.describe(this.game) };
    const [, , , id, action] = path.split("/");
    const game = this.games.get(id);
    if (action === "entries" && sent) return this.take(game, sent);
    if (action === "entries") {
      const after = Number(new URL(address).searchParams.get("after"));
      return { content: { entries: game.entries.slice(after) } };
    }
    if (action === "seal") {
      game.sealed = `/games/sealed-${game.number}/`;
      return { content: this.describe(game) };
    }
    if (action === "branches") {
      this.branches.push(sent);
      return { content: {} };
    }
    if (action === "gains") return { content: { rankings: [], following: [] } };
    return { content: this.describe(game) };
  }

  describe({ id, number, entries, sealed, confirmation }) {
    const settings = { games: 3, game: "bluff", rules: { dice: 2 }, seats: SEATS };
    return {
      id,
      number,
      ...settings,
      length: entries.length,
      sealed,
      confirmation,
      handed_in: false,
    };
  }

  take({ entries }, { key, act, value, at, length }) {
    const known = entries.find((entry) => entry.key === key);
    if (known) return { content: known };
    if (length < entries.length) {
      return problem(409, "overtaken", { entries: entries.slice(length) });
    }
    const entry = { number: entries.length, act, value, key, at };
    entries.push(entry);
    if (!this.isDeaf) return { content: entry };
    this.isDeaf = false;
    throw new TypeError("the answer is lost");
  }

  refuseNext(status, code, more) {
    this.instead.push(problem(status, code, more));
  }
}

const open = [];

/** Open the outbox of a phone that has a key for the table. */
export async function openOutbox() {
  const page = { api: "https://club.example/api", language: "en", rules: RULES };
  const outbox = new Outbox({ ...page, changed: () => {} });
  open.push(outbox);
  await outbox.keepKey(TABLE, "c2VjcmV0");
  return outbox;
}

/** Wait until an outbox has done what it can do for now. */
export async function settled(outbox) {
  const end = performance.now() + LONGEST;
  while (outbox.isRunning) {
    if (performance.now() > end) throw new Error("the outbox goes on and on");
    await pause(1);
  }
}

/** Close all outboxes, also one that goes on and on. */
export async function closeOutboxes() {
  for (const outbox of open.splice(0)) {
    outbox.rows = () => Promise.reject(new Error("closed"));
    await settled(outbox);
    clearTimeout(outbox.timer);
    outbox.windows.close();
  }
}
