// The script of both pages: the documentation shows /openapi.json, and the first page sends a request.

// Nested parameters are sent with brackets, as the server reads them: `filters[title][$containsi]=a`.

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

/** With more content types and groups than this, one is shown at a time: a browser takes seconds for all of them. */
const MOST_TAGS = 40;

/** The references in a value. */
function* refsIn(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') yield member;
    else yield* refsIn(member);
  }
}

/** The components that paths refer to, and those that these refer to. */
function componentsOf(paths, { securitySchemes, ...all }) {
  const used = new Set();
  const components = { securitySchemes };
  const open = [paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const ref of refsIn(value)) {
      const [, , section, name] = ref.split('/');
      const target = all[section]?.[name];
      if (used.has(ref) || target === undefined) continue;
      used.add(ref);
      (components[section] ??= {})[name] = target;
      open.push(target);
    }
  }
  return components;
}

/** The part of a document that has a tag. */
function partOf(whole, tag) {
  const hasTag = ([, operation]) => operation.tags?.includes(tag);
  const paths = Object.fromEntries(
    Object.entries(whole.paths)
      .map(([path, operations]) => [path, Object.fromEntries(Object.entries(operations).filter(hasTag))])
      .filter(([, operations]) => Object.keys(operations).length > 0),
  );
  const tags = whole.tags.filter(({ name }) => name === tag);
  return { ...whole, tags, paths, components: componentsOf(paths, whole.components) };
}

function show(spec, docExpansion) {
  window.SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    deepLinking: true,
    docExpansion,
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 2,
    filter: docExpansion === 'none',
    persistAuthorization: true,
    validatorUrl: 'none',
    requestInterceptor: withBrackets,
  });
}

/** Lets people choose what is shown; the address says it, so that it can be sent to others. */
function showParts(whole) {
  const address = new URL(location.href);
  const select = document.createElement('select');
  select.id = 'part';
  select.append(...whole.tags.map(({ name }) => new Option(name)));
  const asked = address.searchParams.get('of');
  if (whole.tags.some(({ name }) => name === asked)) select.value = asked;
  const label = document.createElement('label');
  label.style.cssText = 'display: block; padding: 1rem; font: 16px sans-serif';
  label.append('Show ', select);
  document.getElementById('docs').before(label);
  const choose = () => show(partOf(whole, select.value), 'list');
  select.addEventListener('change', () => {
    address.searchParams.set('of', select.value);
    address.hash = '';
    history.replaceState(null, '', address);
    choose();
  });
  choose();
}

async function showDocs() {
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`/openapi.json answers ${response.status}`);
    const whole = await response.json();
    if ((whole.tags ?? []).length > MOST_TAGS) showParts(whole);
    else show(whole, 'none');
  } catch (error) {
    document.getElementById('docs').textContent = String(error);
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Sends the request of the form, and shows its answer. */
function answerForm(form) {
  const output = document.getElementById('answer');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { path, token } = Object.fromEntries(new FormData(form));
    const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
    output.textContent = '…';
    try {
      const response = await fetch(new URL(path, location.origin), { headers });
      output.textContent = `${response.status} ${response.statusText}\n${pretty(await response.text())}`;
    } catch (error) {
      output.textContent = String(error);
    }
  });
}

const form = document.getElementById('request');
if (form) answerForm(form);
else await showDocs();
