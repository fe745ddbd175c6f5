/** A site of a few lines whose pages show drafts of the API, and another host, whose pages listen to everything. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Format = 'v4' | 'v5';

export interface Site {
  readonly origin: string;
  /** Where the panel and the API are, and how the site reads drafts. Set once they are there. */
  from(panel: string, token: string, format: Format): void;
  /** Whether pages are rendered in the browser, by code that keeps the entry, or on the server. */
  rendersInBrowser: boolean;
  /** Whether pages have the script of the panel. */
  hasScript: boolean;
  /** Who may frame its pages; by default the panel. */
  framedBy: string | undefined;
  close(): Promise<void>;
}

type Values = Readonly<Record<string, any>>;

const STYLE = `body { font: 16px/1.5 Georgia, serif; margin: 0; color: #222 }
header { background: #24425c; color: #fff; padding: 12px 24px; font-family: sans-serif }
main { max-width: 720px; margin: 0 auto; padding: 24px }
h1 { font-size: 40px; line-height: 1.15; margin: 0 0 12px } .teaser { font-size: 20px; color: #555 }
section { border-left: 4px solid #24425c; padding-left: 16px; margin: 24px 0 } footer { color: #777 }`;

/** Draws the page of an entry. It runs in the browser, too. */
function draw(entry: Values): string {
  const escape = (text: unknown) => String(text ?? '').replace(/[&<>"]/gu, (one) => `&#${one.charCodeAt(0)};`);
  const flat = (one: Values | null | undefined): Values => ({ id: one?.['id'], ...(one?.['attributes'] ?? one) });
  const inside = (one: any) => (one && 'data' in one ? one.data : one);
  const text = (tag: string, of: Values, name: string, more = '') => {
    const mark = of['__source'] ? ` data-content-source="${of['__source']}/${name}"` : '';
    return `<${tag}${mark}${more}>${escape(of[name])}</${tag}>`;
  };
  const values = flat(entry);
  const sections = (values['sections'] ?? []).map(
    (one: Values) => `<section>${text('h2', one, 'heading')}${text('p', one, 'text')}</section>`,
  );
  return [
    '<header>The Example Times</header><main>',
    text('h1', values, 'title'),
    text('p', values, 'teaser', ' class="teaser"'),
    `<a href="/away">${text('span', flat(inside(values['author'])), 'name')}</a>`,
    ...sections,
    `<footer>${text('small', flat(values['seo']), 'metaTitle')}</footer>`,
    `<p id="shouted" data-content-source="${values['__source']}/title">${escape(values['title']).toUpperCase()}</p>`,
    '</main>',
  ].join('');
}

/** What a site with a framework does: it keeps what it has read, and draws it anew. */
const APP = `${draw.toString()}
let page;
const show = () => { document.body.innerHTML = draw(page); };
const load = async () => { page = await (await fetch('/data' + location.pathname + location.search)).json(); show(); };
load().then(() => {
  globalThis.changes = [];
  contentPreview.onChange((entry, about) => {
    changes.push({ entry, about });
    page = contentPreview.merge(page, entry);
    show();
  });
  contentPreview.onSave(load);
});`;

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function query(format: Format, locale: string | null): string {
  const drafts = format === 'v5' ? `status=draft&locale=${locale}` : 'publicationState=preview';
  return `marks=true&populate[author]=true&populate[tags]=true&populate[sections][populate]=*&populate[seo]=true&${drafts}`;
}

/** Serves entries at `/article/{key}?locale=en`, as the preview URL of the schema has it. */
export async function openSite(): Promise<Site> {
  let panel = '';
  let token = '';
  let format: Format = 'v4';

  async function read({ pathname, searchParams }: URL): Promise<Values> {
    const key = pathname.split('/').at(-1);
    const answer = await fetch(`${panel}/api/articles/${key}?${query(format, searchParams.get('locale'))}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { readonly data: Values }).data;
  }

  const { origin, close } = await serve(async ({ url = '' }, response) => {
    const asked = new URL(url, 'http://site');
    const csp = `default-src 'none'; connect-src 'self'; img-src data:; style-src 'self'; script-src 'self' ${panel}; frame-ancestors ${site.framedBy ?? panel}`;
    response.setHeader('Content-Security-Policy', csp);
    const script = site.hasScript ? `<script src="${panel}/admin/preview.js"></script>` : '';
    const app = site.rendersInBrowser ? '<script src="/app.js" defer></script>' : '';
    const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Site</title>
      <link rel="stylesheet" href="/site.css"><link rel="icon" href="data:,">${script}${app}`;
    if (asked.pathname === '/site.css') {
      response.setHeader('Content-Type', 'text/css');
      response.end(STYLE);
    } else if (asked.pathname === '/app.js') {
      response.setHeader('Content-Type', 'text/javascript');
      response.end(APP);
    } else if (asked.pathname.startsWith('/data/')) {
      response.end(JSON.stringify(await read(asked)));
    } else {
      const body = site.rendersInBrowser ? '' : draw(await read(asked));
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`);
    }
  });
  const site: Site = {
    origin,
    rendersInBrowser: false,
    hasScript: true,
    framedBy: undefined,
    from(at, by, as) {
      [panel, token, format] = [at, by, as];
    },
    close,
  };
  return site;
}

export interface Stranger {
  readonly origin: string;
  /** The messages that its pages have got. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

/** Pages of another host, which frame the URL in `?frame=…`, say all that the panel would say, and listen. */
export async function openStranger(): Promise<Stranger> {
  const heard: string[] = [];
  const { origin, close } = await serve(async (request, response) => {
    if (request.method === 'POST') {
      let text = '';
      for await (const part of request) text += String(part);
      heard.push(text);
      response.end();
      return;
    }
    const frame = new URL(request.url ?? '', 'http://stranger').searchParams.get('frame');
    const say = (entry: string) => `frames[0]?.postMessage(${entry}, '*'); parent.postMessage(${entry}, '*');`;
    const forged = `{ contentPreview: 1, kind: 'values', isSaved: false, entry: { attributes: { __source: 'article/1', title: 'Forged' } } }`;
    const stolen = `{ contentPreview: 1, kind: 'ready' }`;
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Stranger</title><body>${frame === null ? '' : `<iframe src="${frame}"></iframe>`}
      <script>addEventListener('message', ({ data, source }) => {
        if (source !== window) fetch('/', { method: 'POST', body: JSON.stringify(data) });
      });
      setInterval(() => { ${say(forged)} ${say(stolen)} }, 50);</script>`);
  });
  return { origin, heard, close };
}
