"use strict";

// Swagger UI on the page of the API. Signed-in readers can try requests without a key; CSRF
// protects them.
const place = document.getElementById("try");

// The head of an operation is a button: a link inside of it would be a control in a control.
const plainPaths = (/** @type {SwaggerSystem} */ system) => ({
  components: {
    DeepLink: (/** @type {{ text: string }} */ { text }) =>
      system.React.createElement("span", null, text),
  },
});

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  plugins: [plainPaths],
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    const isOurs = new URL(request.url, location.href).origin === location.origin;
    if (request.method !== "GET" && isOurs) request.headers["X-CSRFToken"] = place.dataset.csrf;
    return request;
  },
});

// Swagger UI's dark colours depend on a class; ours on the reader's choice, or else on the
// system's.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
function recolour() {
  const { theme } = root.dataset;
  root.classList.toggle("dark-mode", theme ? theme === "dark" : system.matches);
}
system.addEventListener("change", recolour);
new MutationObserver(recolour).observe(root, { attributeFilter: ["data-theme"] });
recolour();
