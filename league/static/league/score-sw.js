// Keeps the scorer without network: its pages as they were last, and the files that they need. The server puts
//   const PRECACHE = { version, files };
// before it. Everything else, above all the API, goes to the network as ever.

const NAME = `score-${PRECACHE.version}`;
const PATIENCE = 4000; // ms after which a page that is kept is shown, on a network that hardly works
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(PRECACHE.files)).then(() => self.skipWaiting()));
});

// Pages that were kept by an older version move to this one: a phone may be without network by now.
async function takeOver() {
  const cache = await caches.open(NAME);
  for (const name of await caches.keys()) {
    if (name === NAME || !name.startsWith("score-")) continue;
    const older = await caches.open(name);
    for (const request of await older.keys()) {
      const isPage = new URL(request.url).pathname.startsWith(new URL(self.registration.scope).pathname);
      if (isPage && !(await cache.match(request))) await cache.put(request, await older.match(request));
    }
    await caches.delete(name);
  }
  await self.clients.claim();
}
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function fresh(request, patience) {
  const answer = await fetch(request, patience ? { signal: AbortSignal.timeout(patience) } : undefined);
  if (answer.ok) await (await caches.open(NAME)).put(request, answer.clone());
  return answer;
}
async function page(request) {
  try {
    return await fresh(request, PATIENCE);
  } catch {
    return (await caches.match(request)) ?? fetch(request);
  }
}
async function file(request) {
  const kept = await caches.match(request);
  if (kept && HASHED.test(new URL(request.url).pathname)) return kept;
  return fresh(request).catch(() => kept ?? Response.error());
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (PRECACHE.files.includes(new URL(request.url).pathname)) event.respondWith(file(request));
});
