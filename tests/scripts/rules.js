// The rules of both games as browsers get them, and the games that tests play.

import { readFile } from "node:fs/promises";

const FILE = new URL("../../league/static/league/rules.json", import.meta.url);
export const RULES = JSON.parse(await readFile(FILE, "utf8"));

export const BLUFF = { game: "bluff", rules: { dice: 2 }, seats: ["a", "b", "c"], opener: 0 };
export const KNIFFEL = { game: "luegen-kniffel", rules: {}, seats: ["a", "b"], opener: 1 };

/** Seat 0 bids two fours, and only one counts: it loses a die. */
export const BET = { moves: ["2x4", "!"], count: 1 };
