// Builds what the browser gets from league/static_src and node_modules into league/static/league.
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";

const out = "league/static/league";
const files = "node_modules/@fontsource-variable";

// Basic Latin, Latin-1, the letters of French and Hungarian names, dashes, quotes, signs of bids and figures.
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x152, 0x153],
  [0x150, 0x151],
  [0x170, 0x171],
  [0x160, 0x161],
  [0x17d, 0x17e],
];
const signs = "–—‘’‚“”„…•‰€−×≤≥±→←↑↓\u202f";
const text =
  ranges
    .map(([a, b]) => String.fromCharCode(...Array.from({ length: b - a + 1 }, (_, i) => a + i)))
    .join("") + signs;

// Of the other Latin letters, for the cards that the server draws: no page loads them.
const others = Array.from({ length: 0x21f - 0x100 + 1 }, (_, i) =>
  String.fromCharCode(0x100 + i),
).join("");

async function font(source, target, variationAxes, letters = text) {
  const woff2 = await subsetFont(await readFile(`${files}/${source}`), letters, {
    targetFormat: "woff2",
    variationAxes,
  });
  await writeFile(`${out}/fonts/${target}`, woff2);
  return woff2.length;
}

await mkdir(`${out}/fonts`, { recursive: true });
const weight =
  (await font("fraunces/files/fraunces-latin-full-normal.woff2", "fraunces.woff2", {
    SOFT: 60,
    WONK: 0,
    opsz: 72,
    wght: { min: 500, max: 800 },
  })) +
  (await font("inter/files/inter-latin-wght-normal.woff2", "inter.woff2", {
    wght: { min: 400, max: 700 },
  }));
console.log(`fonts: ${weight} bytes`);
if (weight > 80_000) throw new Error("The fonts are heavier than 80 kB");
await font(
  "fraunces/files/fraunces-latin-ext-full-normal.woff2",
  "fraunces-others.woff2",
  {
    SOFT: 60,
    WONK: 0,
    opsz: 72,
    wght: { min: 500, max: 800 },
  },
  others,
);

for (const name of ["fraunces", "inter"])
  await copyFile(`${files}/${name}/LICENSE`, `${out}/fonts/${name}-license.txt`);
await copyFile("node_modules/htmx.org/dist/htmx.min.js", `${out}/htmx.min.js`);
// Scripts of others: tsc takes their types from their packages, and doesn't check them again.
async function vendor(source, target, scripts, license) {
  await mkdir(`${out}/${target}`, { recursive: true });
  await copyFile(`${source}/${license}`, `${out}/${target}/${license}`);
  for (const name of scripts) {
    const script = await readFile(`${source}/${name}`, "utf8");
    await writeFile(`${out}/${target}/${name}`, `// @ts-nocheck\n${script}`);
  }
}

await vendor("node_modules/qr", "qr", ["index.js", "decode.js"], "LICENSE-MIT");
const hashes = ["hmac.js", "sha2.js", "_md.js", "_u64.js", "utils.js"];
await vendor("node_modules/@noble/hashes", "noble", hashes, "LICENSE");
execFileSync(
  "node_modules/.bin/tailwindcss",
  ["-i", "league/static_src/app.css", "-o", `${out}/app.css`, "--minify"],
  { stdio: "inherit" },
);
