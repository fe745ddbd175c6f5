/** GraphiQL at `/graphql` during development: for browsers, if its packages are installed. */
import { readFile } from 'node:fs/promises';
import type { Context } from 'koa';

/** Same origin only, and no inline scripts. Inline styles are allowed because its editor computes some. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/graphiql.css">
<script src="/graphql/react.js" defer></script>
<script src="/graphql/react-dom.js" defer></script>
<script src="/graphql/graphiql.js" defer></script>
<script src="/graphql/page.js" defer></script>
</head>
<body style="margin: 0">
<div id="graphiql" style="height: 100vh"></div>
</body>
</html>
`;

const SCRIPT = `const fetcher = GraphiQL.createFetcher({ url: '/graphql' });
const root = ReactDOM.createRoot(document.getElementById('graphiql'));
root.render(React.createElement(GraphiQL, { fetcher }));
`;

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** Path → type, package and file. The packages export no other file than their description. */
const FILES: ReadonlyMap<string, readonly [type: string, name: string, file: string]> = new Map([
  ['/graphql/graphiql.css', [CSS, 'graphiql', 'graphiql.min.css']],
  ['/graphql/graphiql.js', [JAVASCRIPT, 'graphiql', 'graphiql.min.js']],
  ['/graphql/react.js', [JAVASCRIPT, 'react', 'umd/react.production.min.js']],
  ['/graphql/react-dom.js', [JAVASCRIPT, 'react-dom', 'umd/react-dom.production.min.js']],
]);

/** Undefined if the package is not installed, or has no such file. */
async function readFrom(name: string, file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(new URL(file, import.meta.resolve(`${name}/package.json`)));
  } catch {
    return undefined;
  }
}

async function isInstalled(): Promise<boolean> {
  const files = await Promise.all([...FILES.values()].map(([, name, file]) => readFrom(name, file)));
  return files.every((bytes) => bytes !== undefined);
}

function send(ctx: Context, type: string, body: string | Buffer): void {
  ctx.set({ 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': 'no-cache' });
  ctx.body = body;
  ctx.set('Content-Type', type);
}

/** Answers requests for the page and its files. Resolves to false for other requests, and without the packages. */
export async function serveGraphiql(ctx: Context): Promise<boolean> {
  if (ctx.method !== 'GET') return false;
  const file = FILES.get(ctx.path);
  if (file) {
    const [type, name, path] = file;
    const bytes = await readFrom(name, path);
    if (bytes) send(ctx, type, bytes);
    return bytes !== undefined;
  }
  if (ctx.path === '/graphql/page.js') {
    send(ctx, JAVASCRIPT, SCRIPT);
    return true;
  }
  const isPage = ctx.querystring === '' && ctx.accepts('json', 'html') === 'html';
  if (!isPage || !(await isInstalled())) return false;
  send(ctx, 'text/html; charset=utf-8', PAGE);
  return true;
}
