// Shows what is pushed, and opens the page that it is about. It keeps nothing and answers no request for a page.

self.addEventListener("push", (event) => {
  const { title, body, url, lang, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, lang, tag, data: url }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data, self.location.origin);
  if (url.origin !== self.location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((open) => {
      const there = open.find((client) => client.url === url.href);
      return there ? there.focus() : self.clients.openWindow(url.href);
    }),
  );
});
