"use strict";

// Swagger UI on the page of the API. Who is signed in may try things without a key; then CSRF protects.
const place = document.getElementById("try");

// The head of an operation is a button: a link inside of it would be a control in a control.
const plainPaths = (system) => ({
  components: { DeepLink: ({ text }) => system.React.createElement("span", null, text) },
});

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  plugins: [plainPaths],
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    if (request.method !== "GET" && new URL(request.url, location).origin === location.origin) {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});

// Its dark colours hang on a class; ours on the reader's choice, or else on the system's.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const recolour = () =>
  root.classList.toggle(
    "dark-mode",
    root.dataset.theme ? root.dataset.theme === "dark" : system.matches,
  );
system.addEventListener("change", recolour);
new MutationObserver(recolour).observe(root, { attributeFilter: ["data-theme"] });
recolour();
