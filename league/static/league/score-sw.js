// Keeps the scorer without network: its pages as they were last, and the files that they need. The
// server puts
//   const PRECACHE = { version, files };
// before it. Everything else, above all the API, goes to the network as ever.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const NAME = `score-${PRECACHE.version}`;
const PATIENCE = 4000; // ms after which the kept page is shown, on a network that hardly works
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

// A kept page is the same for all languages: a worker asks for it with other headers than a reader
// does.
const ANY = { ignoreVary: true };

/**
 * Return what is kept of an address: of this version, or else of an older one.
 * @param {RequestInfo} request
 */
async function kept(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request, ANY)) ?? caches.match(request, ANY);
}

/**
 * Fetch an address, and keep the answer if it is good.
 * @param {RequestInfo} request
 * @param {RequestInit} [options]
 */
async function fresh(request, options) {
  const answer = await fetch(request, options);
  if (answer.status >= 500) throw new Error(answer.statusText);
  const { url } = new Request(request); // one copy for all readers
  if (answer.ok) {
    const cache = await caches.open(NAME);
    await cache.put(url, answer.clone());
  }
  return answer;
}

async function install() {
  const cache = await caches.open(NAME);
  await cache.addAll(PRECACHE.files);
  await worker.skipWaiting();
}

/**
 * Fetch the pages of an older version anew, and drop the version. If that fails, it stays with its
 * files.
 * @param {string} name
 */
async function renew(name) {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    if (request.url.startsWith(worker.registration.scope)) await fresh(request.url);
  }
  await caches.delete(name);
}

async function activate() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith("score-") && name !== NAME);
  await Promise.allSettled(older.map(renew));
  await worker.clients.claim();
}

/**
 * Keep a page that asks for it: its first visit came before this worker did. Tell it once it opens
 * without network.
 * @param {ExtendableMessageEvent} event
 */
async function keep({ source, data }) {
  const address = new URL(data.keep, worker.location.href).href;
  if (!address.startsWith(worker.registration.scope)) return;
  const copy = (await kept(address)) ?? (await fresh(address));
  source?.postMessage({ kept: copy.ok });
}

/**
 * Return a page from the network, or else the kept one.
 * @param {Request} request
 */
async function page(request) {
  try {
    return await fresh(request, { signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    return (await kept(request)) ?? fetch(request);
  }
}

/**
 * Return a file: the kept one if its name says that it never changes, or else one from the network.
 * @param {Request} request
 */
async function file(request) {
  const copy = await kept(request);
  if (copy && HASHED.test(request.url)) return copy;
  return fresh(request).catch(() => copy ?? Response.error());
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => {
  event.waitUntil(keep(event).catch(() => {})); // the page asks again
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (PRECACHE.files.includes(pathname)) event.respondWith(file(request));
});
