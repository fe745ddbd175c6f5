// Shows /openapi.json. Nested parameters are sent with brackets, as the server reads them: `filters[title][$containsi]=a`.

/** A value as parameters: `{ title: { $eq: 1 } }` of `filters` gives `filters[title][$eq]`. */
function* flatten(name, value) {
  if (typeof value !== 'object' || value === null) yield [name, String(value)];
  else for (const [key, member] of Object.entries(value)) yield* flatten(`${name}[${key}]`, member);
}

/** What a text says as JSON, if it is an object or a list. */
function parsed(text) {
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

function withBrackets(request) {
  const url = new URL(request.url, location.origin);
  const parameters = [...url.searchParams].flatMap(([name, text]) => [...flatten(name, parsed(text))]);
  url.search = new URLSearchParams(parameters).toString();
  request.url = url.href;
  return request;
}

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  // With hundreds of types, all schemas at once would take the browser seconds.
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  filter: true,
  persistAuthorization: true,
  validatorUrl: 'none',
  requestInterceptor: withBrackets,
});
