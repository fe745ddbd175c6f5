// The hand-written server: what a careful engineer would write for these five endpoints, without any generality. It
// sets security headers, validates input, and writes no log. With VERSIONS=true it also keeps versions of entries, and sends ETags.
import { createHash } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import helmet from 'koa-helmet';
import getRawBody from 'raw-body';
import * as z from 'zod';
import { BadRequest } from './columns.js';
import { isVersioned, PAGE_SIZE, VERSION } from './entry.js';

const BODY_LIMIT = 1024 * 1024;
const STORES = { sqlite: './sqlite.js', postgres: './postgres.js', mysql: './mariadb.js' };

const id = z.int().positive();
const link = z.union([
  id.transform((number) => ({ id: number })),
  z.strictObject({ id, position: z.strictObject({ before: id }).optional() }),
]);

const article = z.strictObject({
  title: z.string().min(1).max(120),
  slug: z.string().regex(/^[\w.~-]+$/),
  summary: z.string().max(500).nullish(),
  body: z.string().nullish(),
  status: z.enum(['idea', 'draft', 'ready']),
  rating: z.number().min(0).max(5).nullish(),
  publishedOn: z.iso.date().nullish(),
  featured: z.boolean().nullish(),
  views: z.int().min(0).nullish(),
  author: id,
  category: id,
  tags: z.strictObject({ connect: z.array(link) }),
});

const creation = z.strictObject({ data: article });
const change = z.strictObject({ data: article.omit({ author: true, category: true }).partial() });

const listQuery = z.strictObject({
  'pagination[page]': z.coerce.number().int().positive().default(1),
  'populate[0]': z.literal('author').optional(),
  'populate[1]': z.literal('category').optional(),
  'populate[2]': z.literal('tags').optional(),
  'filters[author][name][$eq]': z.string().optional(),
  'filters[slug][$eq]': z.string().optional(),
  'filters[status][$eq]': z.enum(['idea', 'draft', 'ready']).optional(),
  'sort[0]': z.literal('publishedOn:desc').optional(),
  'sort[1]': z.literal('title').optional(),
});

function listOptions(query) {
  const given = listQuery.parse(query);
  const [author, status] = [given['filters[author][name][$eq]'], given['filters[status][$eq]']];
  const slug = given['filters[slug][$eq]'];
  return {
    page: given['pagination[page]'],
    populate: given['populate[2]'] !== undefined,
    filter: author === undefined ? undefined : { author, status },
    slug,
  };
}

async function readJson(ctx) {
  if (!ctx.is('json')) ctx.throw(415);
  const text = await getRawBody(ctx.req, {
    length: ctx.request.length,
    limit: BODY_LIMIT,
    encoding: 'utf8',
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest('The body is not valid JSON');
  }
}

/** Sends an entry with its version as ETag, or 304 to a client that has it. */
function sendEntry(ctx, data, status = 200) {
  ctx.status = status;
  ctx.body = { data, meta: {} };
  if (!isVersioned) return;
  ctx.set('ETag', `"${data[VERSION]}-${Number(new Date(data.attributes.updatedAt))}"`);
  if (ctx.method === 'GET' && ctx.fresh) ctx.status = 304;
}

/** Sends a list with a hash of its bytes as ETag, or 304 to a client that has it. */
function sendList(ctx, answer) {
  ctx.body = answer;
  if (!isVersioned) return;
  const text = JSON.stringify(answer);
  ctx.status = 200;
  ctx.set('ETag', `"${createHash('sha256').update(text).digest('base64url')}"`);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = text;
  if (ctx.fresh) ctx.status = 304;
}

function articleRoutes(store) {
  const router = new Router({ prefix: '/api/articles' });
  const parameter = z.coerce.number().int().positive();
  // Everything is public, but permissions are checked.
  router.use((ctx, next) => (ctx.get('authorization') === '' ? next() : ctx.throw(401)));

  router.get('/', async (ctx) => {
    const { page, populate, filter, slug } = listOptions({ ...ctx.query });
    const { total, data } =
      slug === undefined
        ? await store.list({ start: (page - 1) * PAGE_SIZE, populate, filter })
        : await store.named(slug);
    const pageCount = Math.ceil(total / PAGE_SIZE);
    sendList(ctx, { data, meta: { pagination: { page, pageSize: PAGE_SIZE, pageCount, total } } });
  });
  router.get('/:id', async (ctx) => {
    const data = await store.get(parameter.parse(ctx.params.id));
    if (!data) ctx.throw(404);
    sendEntry(ctx, data);
  });
  router.post('/', async (ctx) => {
    const { data } = creation.parse(await readJson(ctx));
    sendEntry(ctx, await store.create(data), 201);
  });
  router.put('/:id', async (ctx) => {
    const { data } = change.parse(await readJson(ctx));
    const entry = await store.update(parameter.parse(ctx.params.id), data);
    if (!entry) ctx.throw(404);
    sendEntry(ctx, entry);
  });
  return router;
}

async function answerErrors(ctx, next) {
  try {
    await next();
  } catch (error) {
    const isBad = error instanceof z.ZodError || error instanceof BadRequest;
    ctx.status = isBad ? 400 : (error.status ?? 500);
    ctx.body = { data: null, error: { status: ctx.status, message: ctx.status === 500 ? 'Error' : error.message } };
    if (ctx.status === 500) console.error(error);
  }
}

const url = process.env.DATABASE_URL;
const { openStore } = await import(STORES[url.split(':')[0]]);
const store = await openStore(url);
const app = new Koa();
app.use(helmet());
app.use(answerErrors);
app.use(articleRoutes(store).routes());
const server = app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close(() => void store.close());
  server.closeIdleConnections();
});
