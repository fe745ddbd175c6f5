/** Serves the documentation pages, their assets, and `/openapi.json`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Context, Middleware } from 'koa';
import { type Described, docsPage, homePage } from './pages.ts';

/** A resource at one path. */
interface Served {
  readonly type: string;
  load(): Promise<string | Buffer>;
}

/** Same origin only, and no inline scripts. Inline styles are allowed because Swagger UI computes some. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';

/** Candidate locations of the assets, relative to the bundled module and to this one. */
const FOLDERS = ['../assets/', '../../../assets/'];

/** Reads an asset of the package. Rejects if it is missing, as in a bundle built without assets. */
async function readAsset(name: string, [folder = '', ...others] = FOLDERS): Promise<Buffer> {
  const reading = readFile(new URL(`${folder}${name}`, import.meta.url));
  return others.length === 0 ? reading : reading.catch(() => readAsset(name, others));
}

function asset(name: string, type: string, load = () => readAsset(name)): readonly [path: string, served: Served] {
  return [`/docs/${name}`, { type, load }];
}

const ASSETS = [
  asset('home.css', CSS),
  asset('pages.js', JAVASCRIPT),
  asset('swagger-ui.css', CSS, () => readFile(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')))),
  asset('swagger-ui-bundle.js', JAVASCRIPT, () =>
    readFile(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  ),
];

interface Loaded {
  /** Bytes, which all responses share: the text of a large document would be encoded anew for each. */
  readonly body: Buffer;
  readonly etag: string;
}

/** Loads the resource on its first request and keeps it. A failed load is retried on the next request. */
function loadOnce({ load }: Served): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  const start = async (): Promise<Loaded> => {
    const loaded = await load();
    const body = typeof loaded === 'string' ? Buffer.from(loaded) : loaded;
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  return () => {
    loading ??= start().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

async function answer(ctx: Context, type: string, load: () => Promise<Loaded>): Promise<void> {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ctx.set('Allow', 'GET, HEAD');
    ctx.status = 405;
    return;
  }
  const { body, etag } = await load();
  ctx.set({ 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Cache-Control': 'no-cache', ETag: etag });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.body = body;
  ctx.set('Content-Type', type);
}

/** `describe` returns the OpenAPI document; `hasHome` enables the home page at `/`. */
export function serveDocs(
  described: Described,
  { describe, hasHome }: { describe(): Promise<string>; readonly hasHome: boolean },
): Middleware {
  const all: readonly (readonly [string, Served])[] = [
    ['/openapi.json', { type: 'application/json; charset=utf-8', load: describe }],
    ['/docs', { type: HTML, load: () => Promise.resolve(docsPage(described)) }],
    ...(hasHome ? ([['/', { type: HTML, load: () => Promise.resolve(homePage(described)) }]] as const) : []),
    ...ASSETS,
  ];
  const byPath = new Map(all.map(([path, served]) => [path, { type: served.type, load: loadOnce(served) }]));
  return (ctx, next) => {
    const found = byPath.get(ctx.path);
    return found ? answer(ctx, found.type, found.load) : next();
  };
}
