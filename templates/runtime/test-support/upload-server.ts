/** A server with files and articles that have them, on a SQLite file and a folder of its own. */
import { hookedTypes, placeOf } from '../src/entries/hooked-types.ts';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { readdir, readlink } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import type { ContentType, ContentTypes, MediaAttribute, ScalarType } from '../src/contract/content-type.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { raw } from '../src/database/sql.ts';
import { createEntryServices } from '../src/entries/create-services.ts';
import { readData } from '../src/http/body.ts';
import { dispatch, dispatchedMount, dispatchedRouter } from '../src/http/dispatch.ts';
import { bodyLimit, caller, formReader } from '../src/http/state.ts';
import { readEntryForm } from '../src/features/upload/entry-form.ts';
import { errorEnvelope } from '../src/http/error-envelope.ts';
import { createLogger } from '../src/http/log.ts';
import { requestOf } from '../src/http/request.ts';
import { idOf } from '../src/http/entry-id.ts';
import { type BodyLimits, endSlowBodies } from '../src/http/slow-bodies.ts';
import { createReader } from '../src/query/reader.ts';
import { withoutHooks } from '../src/entries/without-hooks.ts';
import { openUploads } from '../src/features/upload/context.ts';
import type { Sharp } from '../src/features/upload/image-formats.ts';
import { serveFiles } from '../src/features/upload/serve-files.ts';
import { uploadRequests } from '../src/features/upload/upload-requests.ts';
import { FILE_ROUTES } from '../src/contract/routes/files.ts';
import { fileHandlers } from '../src/features/upload/upload-routes.ts';
import { mountRoutes } from '../src/http/mount-routes.ts';
import type { UploadSettings } from '../src/features/upload/upload-settings.ts';
import { createValidators } from '../src/content/validators/entry.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FILE_ATTRIBUTES: Readonly<Record<string, [ScalarType, string?]>> = {
  name: ['string'],
  alternativeText: ['string', 'alternative_text'],
  caption: ['string'],
  width: ['integer'],
  height: ['integer'],
  formats: ['json'],
  hash: ['string'],
  ext: ['string'],
  mime: ['string'],
  size: ['decimal'],
  url: ['string'],
  previewUrl: ['string', 'preview_url'],
  provider: ['string'],
  provider_metadata: ['json'],
};

function collection(uid: string, attributes: ContentType['attributes'], more: Partial<ContentType> = {}): ContentType {
  return {
    uid,
    kind: 'collectionType',
    singularName: uid,
    pluralName: `${uid}s`,
    table: `${uid}s`,
    draftAndPublish: false,
    localized: false,
    attributes,
    ...more,
  };
}

const file = collection(
  'file',
  Object.fromEntries(
    Object.entries(FILE_ATTRIBUTES).map(([name, [type, column]]) => [name, { type, column: column ?? name }]),
  ),
);

function gallery(more: Partial<MediaAttribute> = {}): MediaAttribute {
  const table = 'articles_gallery_files';
  const storage = { kind: 'link', table, own: 'owner_id', other: 'target_id', position: 'position' } as const;
  return { type: 'media', many: true, storage, ...more };
}

const article = collection(
  'article',
  {
    title: { type: 'string', column: 'title', required: true },
    cover: {
      type: 'media',
      many: false,
      storage: { kind: 'foreignKey', column: 'cover_id' },
      allowedTypes: ['images'],
    },
    gallery: gallery(),
    seo: { type: 'component', column: 'seo', component: 'shared.seo', repeatable: false },
  },
  { componentLinks: { table: 'articles_component_links', targets: { file: 'file_id' } } },
);

const types: ContentTypes = {
  types: { article, file },
  components: {
    'shared.seo': {
      uid: 'shared.seo',
      attributes: {
        label: { type: 'string', column: 'label' },
        image: {
          type: 'media',
          many: false,
          allowedTypes: ['images', 'videos'],
          storage: { kind: 'link', table: '', own: 'owner_id', other: 'file_id', position: 'position' },
        },
      },
    },
  },
  locales: ['en'],
};

const api = {
  unknownAttributes: 'reject',
  defaultPageSize: 25,
  maxPageSize: 100,
  maxPopulateDepth: 5,
  maxPopulatedPaths: 100,
  bodyLimit: 10_000,
  maxAnswerEntries: 20_000,
  maxAnswerSize: 16 * 1024 * 1024,
} as const;

const ROW =
  'id INTEGER PRIMARY KEY AUTOINCREMENT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, _version INTEGER NOT NULL DEFAULT 1';
const TABLES = `
CREATE TABLE files (${ROW}, name TEXT NOT NULL, alternative_text TEXT, caption TEXT, width INTEGER, height INTEGER,
  formats TEXT, hash TEXT NOT NULL, ext TEXT, mime TEXT NOT NULL, size TEXT NOT NULL, url TEXT NOT NULL, preview_url TEXT,
  provider TEXT NOT NULL, provider_metadata TEXT);
CREATE TABLE articles (${ROW}, title TEXT NOT NULL, cover_id INTEGER REFERENCES files (id) ON DELETE SET NULL, seo TEXT);
CREATE TABLE articles_gallery_files (owner_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE, position INTEGER NOT NULL,
  PRIMARY KEY (owner_id, target_id));
CREATE TABLE articles_component_links (id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE, item_id INTEGER NOT NULL, attribute TEXT NOT NULL,
  position INTEGER NOT NULL, file_id INTEGER REFERENCES files (id) ON DELETE CASCADE);
CREATE TABLE pending_files (name TEXT NOT NULL PRIMARY KEY, provider TEXT NOT NULL, removing INTEGER NOT NULL, since INTEGER NOT NULL);
CREATE TABLE component_ids (id INTEGER PRIMARY KEY AUTOINCREMENT, taken INTEGER);
CREATE TRIGGER refused BEFORE INSERT ON files WHEN NEW.name = 'refused.txt' BEGIN SELECT RAISE(ABORT, 'refused'); END;
`;

/** What everybody may do unless a test says otherwise. */
const EVERYTHING = [
  ...['upload', 'find', 'findOne', 'destroy'].map((action) => `upload.${action}`),
  ...['find', 'findOne', 'create', 'update', 'delete'].map((action) => `article.${action}`),
];

function articleRoutes(entries: ReturnType<typeof createEntryServices>): Router {
  const router = new Router({ prefix: '/api/articles' });
  const articles = entries.collection('article');
  router.get('/:id', async (ctx) => {
    ctx.body = (await articles.findOne(idOf(ctx), requestOf(ctx))).body;
  });
  router.post('/', async (ctx) => {
    ctx.body = (await articles.create(await readData(ctx), requestOf(ctx))).body;
    ctx.status = 201;
  });
  router.put('/:id', async (ctx) => {
    ctx.body = (await articles.update(idOf(ctx), await readData(ctx), requestOf(ctx))).body;
  });
  router.delete('/:id', async (ctx) => {
    ctx.body = (await articles.delete(idOf(ctx), requestOf(ctx))).body;
  });
  return router;
}

export interface UploadServer {
  readonly origin: string;
  readonly port: number;
  readonly directory: string;
  readonly database: Database;
  /** What the caller may do; changed by a test that wants less. */
  permissions: ReadonlySet<string>;
  /** Names of the files in the folder of uploads, and of those that are only arriving. */
  stored(): Promise<string[]>;
  arriving(): Promise<string[]>;
  /** Number of rows of a table. */
  count(table: string): Promise<number>;
  close(): Promise<void>;
}

/** How many files this process has open below a folder. */
export async function openBelow(directory: string): Promise<number> {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(directory)).length;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Starts a server; `settings` are those that differ from the defaults of the tests. */
export async function startUploadServer(
  settings: Partial<UploadSettings> = {},
  sharp: Sharp | null = null,
  bodies: BodyLimits = { silence: 5000, total: 5000 },
): Promise<UploadServer> {
  const folder = await temporaryFolder();
  const database = await openDatabase(`sqlite:${join(folder.path, 'test.db')}`);
  await database.script(TABLES);
  const directory = join(folder.path, 'uploads');
  const logger = createLogger('silent');
  const reader = createReader({ database, types, api });
  const uploads = await openUploads({
    database,
    types,
    reader,
    hookedOf: withoutHooks(types, { database, reader }),
    logger,
    sharp,
    settings: {
      directory,
      urlLifetime: 300,
      maxSize: 1_000_000,
      maxFiles: 5,
      maxTotal: 3_000_000,
      maxUnfinished: 3_000_000,
      maxPixels: 100_000_000,
      maxSide: 65_535,
      maxTotalPixels: 1_000_000_000,
      allowedTypes: [],
      s3: undefined,
      ...settings,
    },
  });
  if (!uploads) throw new Error('no uploads');
  const validatorsOf = createValidators(types, 'reject');
  const entries = createEntryServices(
    types,
    hookedTypes({ types, validatorsOf, ...placeOf(database, reader), hooks: {} }),
  );

  const app = new Koa();
  app.use(errorEnvelope(logger));
  app.use(serveFiles(uploads.storage));
  app.use((ctx, next) => {
    bodyLimit.set(ctx, api.bodyLimit);
    formReader.set(ctx, readEntryForm);
    caller.set(ctx, { kind: 'public', role: 'public', permissions: server.permissions });
    ctx.type = 'application/json; charset=utf-8';
    return next();
  });
  app.use(uploadRequests(uploads));
  app.use(
    dispatch([
      dispatchedRouter('articles', ['/api/articles'], async () => articleRoutes(entries)),
      dispatchedMount(
        'files',
        mountRoutes(FILE_ROUTES, async () =>
          fileHandlers(uploads, () => Promise.reject(new Error('nothing is changed together here'))),
        ),
      ),
    ]),
  );
  app.on('error', () => {});
  const handle = app.callback();
  const http = createServer({ requestTimeout: 0 }, (request, response) => void handle(request, response));
  endSlowBodies(http, bodies);
  const port = await listen(http);
  const server: UploadServer = {
    origin: `http://127.0.0.1:${port}`,
    port,
    directory,
    database,
    permissions: new Set(EVERYTHING),
    stored: async () => (await readdir(directory)).filter((name) => name !== '.incoming').sort(),
    arriving: () => readdir(join(directory, '.incoming')),
    count: async (table) => Number((await database.get(raw(`SELECT count(*) AS n FROM ${table}`)))?.['n']),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await database.close();
      await folder.remove();
    },
  };
  return server;
}

/** One part of a form: `[name, text]` or `[name, content, filename, type]`. */
export type Part = readonly [string, string | Uint8Array<ArrayBuffer>, string?, string?];

/** A form of these parts. */
export function form(parts: readonly Part[]): FormData {
  const data = new FormData();
  for (const [name, content, filename, type] of parts) {
    if (filename === undefined) data.append(name, String(content));
    else data.append(name, new Blob([content], { type: type ?? 'application/octet-stream' }), filename);
  }
  return data;
}

/** Sends a form; answers status and parsed body. */
export async function send(
  { origin }: UploadServer,
  method: string,
  path: string,
  parts: readonly Part[] | undefined,
): Promise<{ status: number; body: any }> {
  const response = await fetch(`${origin}${path}`, { method, ...(parts && { body: form(parts) }) });
  return { status: response.status, body: await response.json() };
}

/** The head of a PNG of any size: enough to know it, and nothing to decode. */
export function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** Status, headers and text of a raw GET, whose path is sent as it is. */
export function get({ port }: UploadServer, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, any>; text: string }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: port, path, headers, method }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: body }));
    });
    request.on('error', reject).end();
  });
}
