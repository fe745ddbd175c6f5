/** HTML pages for developers: the home page and the documentation. Scripts and styles are separate files, for the CSP. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { ENTRY_ACTIONS } from '../../contract/policy/caller.ts';

/** The facts about the server that pages show. */
export interface Described {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  /** Permissions of the public role, such as `article.find`. */
  readonly open: ReadonlySet<string>;
  /** Whether the admin page is enabled. */
  readonly hasAdmin: boolean;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attribute values. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? '');
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** The documentation: Swagger UI for `/openapi.json`. */
export function docsPage({ name }: Described): string {
  const head = `<link rel="stylesheet" href="/docs/swagger-ui.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script type="module" src="/docs/pages.js"></script>`;
  return page(`${name}: documentation`, head, '<div id="docs"></div>');
}

interface Row {
  readonly path: string;
  readonly title: string;
  readonly open: readonly string[];
}

const BUILT_IN: ReadonlySet<string> = new Set(['file', 'user', 'user-role']);

function rowsOf({ contentTypes, open }: Described): readonly Row[] {
  return Object.values(contentTypes.types)
    .filter(({ uid }) => !BUILT_IN.has(uid))
    .map(({ uid, kind, displayName = uid, pluralName }) => ({
      path: `/api/${kind === 'singleType' ? uid : pluralName}`,
      title: displayName,
      open: ENTRY_ACTIONS.filter((action) => open.has(`${uid}.${action}`)),
    }));
}

function typeRow({ path, title, open }: Row): string {
  const link = `<a href="${escaped(path)}"><code>${escaped(path)}</code></a>`;
  return `<tr><td>${escaped(title)}</td><td>${link}</td><td>${open.join(', ') || '–'}</td></tr>`;
}

const LINKS: readonly (readonly [path: string, about: string])[] = [
  ['/docs', 'all requests and responses, to read and try out'],
  ['/openapi.json', 'the same in machine-readable form: OpenAPI 3.1'],
  ['/_health', 'whether the process is alive'],
  ['/_ready', 'whether the server can serve'],
];

const ADMIN_LINK = ['/admin/', 'the page for editors'] as const;

/** The home page: content types, links, and a form to try a request. */
export function homePage(described: Described): string {
  const { name, hasAdmin } = described;
  const rows = rowsOf(described);
  const readable = rows.find(({ open }) => open.includes('find')) ?? rows[0];
  const all = hasAdmin ? [ADMIN_LINK, ...LINKS] : LINKS;
  const links = all.map(([path, about]) => `<li><a href="${path}"><code>${path}</code></a>: ${about}</li>`).join('\n');
  const head = `<link rel="stylesheet" href="/docs/home.css">
<script type="module" src="/docs/pages.js"></script>`;
  const body = `<main>
<h1>${escaped(name)}</h1>
<p>This server runs in development. In production, this page does not exist.</p>
<h2>Try a request</h2>
<form id="request">
<label>GET <input name="path" value="${escaped(`${readable?.path ?? '/api/i18n/locales'}?pagination[pageSize]=5`)}" spellcheck="false"></label>
<label>Token <input name="token" placeholder="none (as a visitor)" autocomplete="off"></label>
<button>Send</button>
</form>
<pre id="answer" aria-live="polite"></pre>
<h2>Content types</h2>
<table>
<thead><tr><th>Type</th><th>Path</th><th>Visitors may</th></tr></thead>
<tbody>
${rows.map(typeRow).join('\n')}
</tbody>
</table>
<h2>More</h2>
<ul>
${links}
</ul>
<p>To create a token: <code>npm run server -- token create --name test --type full-access</code></p>
</main>`;
  return page(name, head, body);
}
