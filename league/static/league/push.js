// The button that lets this device show notices. Without JavaScript, or in a browser that can't, it stays hidden.
//   <form data-push="<public key>" data-subscribe="/…" data-unsubscribe="/…" data-worker="/sw.js" hidden>

const bytes = (key) =>
  Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const same = (one, other) =>
  one && one.length === other.length && one.every((byte, place) => byte === other[place]);

async function send(form, url, fields) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
}

async function switchOn(form, registration, key) {
  const known = await registration.pushManager.getSubscription();
  if (known && !same(new Uint8Array(known.options.applicationServerKey), key))
    await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await registration.pushManager.subscribe(options);
  const { endpoint, keys } = subscription.toJSON();
  await send(form, form.dataset.subscribe, { endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

async function switchOff(form, registration) {
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription) return;
  await send(form, form.dataset.unsubscribe, { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

async function begin(form) {
  const { push, worker, denied, failed } = form.dataset;
  const state = form.querySelector("[data-push-state]");
  const [on, off] = [form.elements.on, form.elements.off];
  const registration = await navigator.serviceWorker.register(worker);
  const show = async () => {
    const subscribed = Boolean(await registration.pushManager.getSubscription());
    on.hidden = subscribed;
    off.hidden = !subscribed;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    on.disabled = off.disabled = true;
    try {
      await (event.submitter === off
        ? switchOff(form, registration)
        : switchOn(form, registration, bytes(push)));
      location.reload();
    } catch {
      state.textContent = Notification.permission === "denied" ? denied : failed;
    } finally {
      on.disabled = off.disabled = false;
    }
  });
  await show();
  form.hidden = false;
}

const form = document.querySelector("form[data-push]");
if (form && "serviceWorker" in navigator && "PushManager" in window) begin(form);
