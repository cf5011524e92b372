// The button that lets this device show notices. Without JavaScript, or in a browser that can't
// show them, it stays hidden.
//   <form data-push="<public key>" data-subscribe="/…" data-unsubscribe="/…" data-worker="/sw.js"
//     hidden>

/**
 * @param {string} key in Base64 for addresses
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesOf(key) {
  const text = atob(key.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
const isSame = (one, other) =>
  one.length === other.length && one.every((byte, place) => byte === other[place]);

/**
 * Send the form with some more fields. Throw an error if the service refuses it.
 * @param {HTMLFormElement} form
 * @param {string} url
 * @param {Record<string, string | undefined>} fields
 */
async function send(form, url, fields) {
  const body = new FormData(form);
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(await answer.text());
}

/**
 * @param {HTMLFormElement} form
 * @param {ServiceWorkerRegistration} registration
 * @param {Uint8Array<ArrayBuffer>} key
 */
async function switchOn(form, registration, key) {
  const known = await registration.pushManager.getSubscription();
  const knownKey = new Uint8Array(known?.options.applicationServerKey ?? new ArrayBuffer(0));
  if (known && !isSame(knownKey, key)) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await registration.pushManager.subscribe(options);
  const { endpoint, keys } = subscription.toJSON();
  const fields = { endpoint, p256dh: keys?.p256dh, auth: keys?.auth };
  await send(form, form.dataset.subscribe ?? "", fields);
}

/**
 * @param {HTMLFormElement} form
 * @param {ServiceWorkerRegistration} registration
 */
async function switchOff(form, registration) {
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription) return;
  await send(form, form.dataset.unsubscribe ?? "", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

/** @param {HTMLFormElement} form */
async function begin(form) {
  const { push = "", worker = "", denied = "", failed = "" } = form.dataset;
  const state = /** @type {HTMLElement} */ (form.querySelector("[data-push-state]"));
  const { on, off } = form.elements;
  const registration = await navigator.serviceWorker.register(worker);
  const show = async () => {
    const isSubscribed = Boolean(await registration.pushManager.getSubscription());
    on.hidden = isSubscribed;
    off.hidden = !isSubscribed;
  };
  const enable = (/** @type {boolean} */ isEnabled) => {
    on.disabled = !isEnabled;
    off.disabled = !isEnabled;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    enable(false);
    try {
      if (event.submitter === off) await switchOff(form, registration);
      else await switchOn(form, registration, bytesOf(push));
      location.reload();
    } catch {
      state.textContent = Notification.permission === "denied" ? denied : failed;
    } finally {
      enable(true);
    }
  });
  await show();
  form.hidden = false;
}

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-push]"));
if (form && "serviceWorker" in navigator && "PushManager" in window) begin(form);
