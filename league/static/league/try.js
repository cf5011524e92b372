"use strict";

// Swagger UI on the page of the API. Who is signed in may try things without a token; then CSRF protects.
const place = document.getElementById("try");

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  requestInterceptor(request) {
    if (request.method !== "GET" && new URL(request.url, location).origin === location.origin) {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});
