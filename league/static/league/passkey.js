// Passkeys, by allauth's scripts. Buttons are hidden until this browser can use passkeys: over
// HTTPS, or on localhost.
//   <button data-passkey="add | authenticate | login" data-credential="<id of the field>"
//     data-options="<id>" hidden>
//   data-passwordless="<id of the box>" is for `add` alone. data-passkey-only is shown with the
//   buttons, data-passkey-none without them, and data-passkey-failed once the browser or its owner
//   has refused.

/** @type {Record<string, string>} */
const FORMS = { add: "addForm", authenticate: "authenticateForm", login: "loginForm" };
// A passkey belongs to a name, not to a number.
const isNamed = !/^[\d.]+$|:/.test(location.hostname);
const isAble = isNamed && window.isSecureContext && "PublicKeyCredential" in window;

/**
 * @param {string} selector
 * @param {boolean} isShown
 */
function show(selector, isShown) {
  for (const part of document.querySelectorAll(selector)) part.hidden = !isShown;
}

/** @param {HTMLElement} button */
function begin(button) {
  const { passkey = "", credential = "", options, passwordless } = button.dataset;
  /** @type {Record<string, string>} */
  const ids = { [passkey]: button.id, credential };
  if (options) ids.data = options;
  if (passwordless) ids.passwordless = passwordless;
  window.allauth.webauthn.forms[FORMS[passkey]]({ ids });
  button.hidden = false;
  button.addEventListener("click", () => show("[data-passkey-failed]", false));
}

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  show("[data-passkey-failed]", true);
});

if (isAble) {
  document.querySelectorAll("[data-passkey]").forEach(begin);
  show("[data-passkey-only]", true);
  show("[data-passkey-none]", false);
}
