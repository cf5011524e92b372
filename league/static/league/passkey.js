// Passkeys, by allauth's scripts. What needs them is hidden until this browser can do them: over HTTPS, or on localhost.
//   <button data-passkey="add | authenticate | login" data-credential="<id of the field>" data-options="<id>" hidden>
//   data-passwordless="<id of the box>" is for `add` alone; `data-passkey-only` is shown with the buttons,
//   `data-passkey-none` without them, and `data-passkey-failed` once the browser or its owner has refused.

const named = !/^[\d.]+$|:/.test(location.hostname); // a passkey belongs to a name, never to a number
const able = named && window.isSecureContext && "PublicKeyCredential" in window;
const FORMS = { add: "addForm", authenticate: "authenticateForm", login: "loginForm" };

function show(selector, shown) {
  for (const part of document.querySelectorAll(selector)) part.hidden = !shown;
}

function begin(button) {
  const { passkey, credential, options, passwordless } = button.dataset;
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

if (able) {
  document.querySelectorAll("[data-passkey]").forEach(begin);
  show("[data-passkey-only]", true);
  show("[data-passkey-none]", false);
}
