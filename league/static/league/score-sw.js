// Keeps the scorer without network: its pages as they were last, and the files that they need. The server puts
//   const PRECACHE = { version, files };
// before it. Everything else, above all the API, goes to the network as ever.

const NAME = `score-${PRECACHE.version}`;
const PATIENCE = 4000; // ms after which a page that is kept is shown, on a network that hardly works
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

// What is kept of an address, in whatever language: a worker asks for a page with other headers than a reader does.
const ANY = { ignoreVary: true };
const kept = async (request) =>
  (await (await caches.open(NAME)).match(request, ANY)) ?? caches.match(request, ANY);
async function fresh(request, options) {
  const answer = await fetch(request, options);
  if (answer.status >= 500) throw new Error(answer.statusText);
  const { url } = new Request(request); // one copy, whoever asks
  if (answer.ok) await (await caches.open(NAME)).put(url, answer.clone());
  return answer;
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(PRECACHE.files))
      .then(() => self.skipWaiting()),
  );
});

// Pages of an older version are fetched anew; where that fails, it stays with its files.
async function renew(name) {
  const requests = await (await caches.open(name)).keys();
  for (const request of requests)
    if (request.url.startsWith(self.registration.scope)) await fresh(request.url);
  await caches.delete(name);
}
self.addEventListener("activate", (event) => {
  const isOlder = (name) => name.startsWith("score-") && name !== NAME;
  const renewed = caches
    .keys()
    .then((names) => Promise.allSettled(names.filter(isOlder).map(renew)));
  event.waitUntil(renewed.then(() => self.clients.claim()));
});

// A page asks to be kept: its first visit came before this worker did. It is told once it opens without network.
async function keep({ source, data }) {
  const address = new URL(data.keep, self.location).href;
  if (!address.startsWith(self.registration.scope)) return;
  const copy = (await kept(address)) ?? (await fresh(address));
  source.postMessage({ kept: copy.ok });
}
self.addEventListener("message", (event) => event.waitUntil(keep(event).catch(() => {}))); // it asks again

const page = (request) =>
  fresh(request, { signal: AbortSignal.timeout(PATIENCE) }).catch(
    async () => (await kept(request)) ?? fetch(request),
  );
async function file(request) {
  const copy = await kept(request);
  return copy && HASHED.test(request.url)
    ? copy
    : fresh(request).catch(() => copy ?? Response.error());
}
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (PRECACHE.files.includes(new URL(request.url).pathname)) event.respondWith(file(request));
});
