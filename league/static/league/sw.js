// Shows the notices that are pushed, and opens the page that one is about. It caches nothing and
// answers no request for a page.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("push", (event) => {
  const { title, body, url, lang, tag } = event.data?.json();
  const options = { body, lang, tag, data: url };
  event.waitUntil(worker.registration.showNotification(title, options));
});

/**
 * Go to the window that shows an address already, or open one.
 * @param {string} address
 */
async function open(address) {
  const windows = await worker.clients.matchAll({ type: "window" });
  const there = windows.find((client) => client.url === address);
  return there ? there.focus() : worker.clients.openWindow(address);
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data, worker.location.origin);
  if (url.origin === worker.location.origin) event.waitUntil(open(url.href));
});
