/** Section 3.7: what one request, or many, may cost. */
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBytes, statusesOf } from '../support/attacks/client.ts';
import { openFiles, residentMemory } from '../support/attacks/process.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
/** Clients that send a byte now and then, from the beginning. */
let slow: Promise<string>;
beforeAll(async () => {
  server = await startAttacked();
  slow = slowHeaders();
});
afterAll(() => server?.stop());

const LIMIT = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Far above what is needed, and far below what an attack would cost: the machine may be busy. */
const QUICK_MS = 10_000;

function get(query: string, path = '/api/articles') {
  return server.get('reader', `${path}?${query}`);
}

/** Answers what it was told when it was cut off. */
function slowHeaders(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.write('GET /api/articles HTTP/1.1\r\nHost: x\r\n');
    const timer = setInterval(() => socket.write('X'), 5000);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
  });
}

/** How long a request that needs nothing takes while `busy` goes on. */
async function healthDuring(busy: Promise<unknown>): Promise<number> {
  let running = true;
  const done = busy.finally(() => (running = false));
  let longest = 0;
  while (running) {
    longest = Math.max(longest, (await server.quick('public', 'GET', '/_health')).ms);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await done;
  return longest;
}

describe('queries', () => {
  test('B93: populate is bounded in depth and in number, and says so', async () => {
    const nested = (depth: number) => `${'[related][populate]'.repeat(depth - 1)}`;
    expect((await get(`populate${nested(5)}=related`)).status).toBe(200);
    for (const depth of [6, 14]) {
      const { status, body } = await get(`populate${nested(depth)}=related`);
      expect(status).toBe(400);
      expect(body.error.message).toContain('5');
    }
    for (const depth of [6, 50, 2000]) {
      const { status, body } = await get(`populate=${Array(depth).fill('related').join('.')}`);
      expect(status).toBe(400);
      expect(body.error.message).toContain('5');
    }
    const wide = Array.from(
      { length: 30 },
      (_, i) => `populate[related][populate][author][populate][articles][populate][${i}]=tags`,
    );
    expect([200, 400]).toContain((await get(wide.join('&'))).status);
    const names = ['author', 'tags', 'related', 'seo', 'blocks', 'hero', 'gallery', 'localizations'];
    const everything = names.flatMap((one) =>
      names.map(
        (two) =>
          `populate=related.${one}&populate=related.related.${two}&populate=tags.articles.${one}&populate=author.articles.related.${two}`,
      ),
    );
    const { status, body, ms } = await get(
      `${everything.join('&')}&${names.flatMap((a) => names.map((b) => `populate=related.related.related.${a}&populate=tags.articles.related.${a}&populate=tags.articles.tags.articles.${b}`)).join('&')}&populate=*&populate=related.*&populate=related.related.*&populate=related.related.related.*&populate=tags.articles.*&populate=author.articles.*&populate=author.articles.related.*&populate=author.articles.tags.articles.*&populate=related.author.articles.*&populate=related.tags.articles.*&populate=related.author.articles.related.*&populate=localizations.*&populate=localizations.related.*`,
    );
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/100|invalid/i);
    expect(ms).toBeLessThan(QUICK_MS);
  });

  test('B94: no number exceeds the maximum page size', async () => {
    for (const query of ['pageSize=-1', 'pageSize=0', 'pageSize=1000000000', 'pageSize=101']) {
      const { body } = await get(`pagination[${query.replace('=', ']=')}`);
      expect(body.meta.pagination.pageSize).toBeLessThanOrEqual(100);
      expect(body.meta.pagination.pageSize).toBeGreaterThanOrEqual(1);
    }
    for (const query of ['limit=-1', 'limit=-10', 'limit=0', 'limit=1000000000']) {
      const { body } = await get(`pagination[${query.replace('=', ']=')}`);
      expect(body.meta.pagination.limit).toBeLessThanOrEqual(100);
      expect(body.meta.pagination.limit).toBeGreaterThanOrEqual(1);
    }
    for (const query of [
      'page=1000000000000',
      'page=9007199254740991',
      'start=9007199254740991',
      'page=-5',
      'start=-5',
    ]) {
      const { status, ms } = await get(`pagination[${query.replace('=', ']=')}`);
      expect(status).toBe(200);
      expect(ms).toBeLessThan(QUICK_MS);
    }
    for (const query of [
      'pagination[page]=1&pagination[start]=0',
      'pagination[pageSize]=1&pagination[limit]=1',
      'pagination[page]=1&pagination[limit]=-1',
      'pagination=1',
      'pagination[page][]=1',
      'pagination[page]=1&pagination[page]=2',
      'pagination[size]=1',
    ]) {
      expect((await get(query)).status, query).toBe(400);
    }
    const rows = await get('populate[related][pagination][pageSize]=1000000');
    expect([200, 400]).toContain(rows.status);
  });

  test('B95, B96: a query string is bounded in length, parts, elements and brackets', async () => {
    expect((await get(`x=${'a'.repeat(8 * 1024)}`)).status).toBe(200);
    expect((await get(`x=${'a'.repeat(64 * 1024)}`)).status).toBe(200);
    expect((await get(`x=${'a'.repeat(140 * 1024)}`)).status).toBe(400);
    const huge = await sendBytes(server.port, `GET /api/articles?x=${'a'.repeat(LIMIT)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(statusesOf(huge)).toEqual([431]);
    for (const query of [
      Array.from({ length: 5001 }, (_, index) => `a${index}=1`).join('&'),
      Array.from({ length: 5001 }, () => 'a=1').join('&'),
      Array.from({ length: 1600 }, () => 'filters[id][$in][]=1').join('&'),
      Array.from({ length: 1600 }, (_, index) => `filters[id][$in][${index}]=1`).join('&'),
      'filters[id][$in][99999]=1&filters[id][$in][99998]=2&filters[x]=1',
      `a${'[b]'.repeat(1000)}=1`,
      `filters${'[$and][0]'.repeat(1000)}[id]=1`,
      `filters${'[$not]'.repeat(20)}[id]=1`,
      `filters[related]${'[related]'.repeat(20)}[id]=1`,
      'x=%00',
      '%00=1',
    ]) {
      const { status, ms } = await get(query);
      expect(status, query.slice(0, 80)).toBe(400);
      expect(ms).toBeLessThan(QUICK_MS);
    }
    // Not all routes have this limit: to others, 30,000 parameters fit into a request.
    const { status, ms } = await get('a=1&'.repeat(30_000), '/api/auth/email-confirmation');
    expect([status, ms < QUICK_MS]).toEqual([400, true]);
    for (const query of [
      'a[]=1,2',
      '[=1',
      ']=1',
      '[[[[=1',
      'a[=1',
      'a]=1',
      '=',
      '&&&&',
      '[]=1',
      '[0]=1',
      'a[]b=1',
      'filters',
      'sort=',
      `${'['.repeat(5000)}=1`,
      `a=${'%'.repeat(5000)}`,
    ]) {
      expect([200, 400], query.slice(0, 80)).toContain((await get(query)).status);
    }
  });

  test('B97: a filter is bounded in conditions and values', async () => {
    const leaves = (count: number) =>
      Array.from({ length: count }, (_, index) => `filters[$or][${index}][id]=${index}`).join('&');
    expect((await get(leaves(250))).status).toBe(200);
    const { status, body } = await get(leaves(251));
    expect(status).toBe(400);
    expect(body.error.message).toContain('250');
    expect((await get(leaves(4000))).status).toBe(400);
    const values = (list: number, count: number) =>
      Array.from({ length: count }, () => `filters[$or][${list}][id][$in][]=1`).join('&');
    expect((await get(values(0, 1500))).status).toBe(200);
    expect([200, 400]).toContain((await get([0, 1, 2].map((list) => values(list, 1100)).join('&'))).status);
    const many = await sendBytes(server.port, `GET /api/articles?${values(0, 100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    // What is refused before it has been read may be reset before its answer arrives.
    expect([[431], []]).toContainEqual(statusesOf(many));
    const sorts = Array.from({ length: 51 }, () => 'sort=title').join('&');
    expect((await get(sorts)).status).toBe(400);
    const folded = `filters[title][$containsi]=${'a'.repeat(5000)}`;
    expect((await get(folded)).status).toBe(400);
  });

  test('B102: a hundred of the most expensive queries at once do not block others', async () => {
    const dear =
      'populate[related][populate][author][populate][articles][populate]=tags&populate[tags][populate][articles][populate]=author&sort=author.name,tags.name:desc&filters[related][author][articles][title][$containsi]=s&_q=i';
    const all = Promise.all(
      Array.from({ length: 100 }, (_, index) => server.quick('reader', 'GET', `/api/articles?${dear}&x=${index}`)),
    );
    expect(await healthDuring(all)).toBeLessThan(QUICK_MS);
    for (const { status } of await all) expect(status).toBe(200);
  });

  test('B104: the total can be turned off', async () => {
    expect((await get('pagination[withCount]=false')).body.meta.pagination).toEqual({ page: 1, pageSize: 25 });
  });

  test('B105: rejected queries use no database connection', async () => {
    const before = openFiles(server.pid);
    for (let round = 0; round < 5; round++) {
      const refused = Array.from({ length: 100 }, (_, index) =>
        server.quick('public', 'GET', `/api/articles?filters[x${index}]=1`),
      );
      for (const { status } of await Promise.all(refused)) expect(status).toBe(400);
    }
    // The sockets of these clients stay open; no file of the database is opened for them.
    expect(openFiles(server.pid) - before).toBeLessThan(210);
  });
});

describe('bodies', () => {
  test('B98: are bounded to the byte, however they are sent', async () => {
    const frame = '{"data":{"title":"x","body":""}}';
    const body = (length: number) => frame.replace('""', `"${'a'.repeat(length - frame.length)}"`);
    const post = (text: string | Uint8Array, headers: Record<string, string> = {}) =>
      server.call('writer', 'POST', '/api/articles', { body: text, headers: { ...JSON_TYPE, ...headers } });
    expect((await post(body(LIMIT))).status).toBe(201);
    expect((await post(body(LIMIT + 1))).status).toBe(413);
    const chunk = `${(64 * 1024).toString(16)}\r\n${'a'.repeat(64 * 1024)}\r\n`;
    const head = `POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${server.seed.credentials.writer}\r\n`;
    const chunked = await sendBytes(server.port, [
      `${head}Transfer-Encoding: chunked\r\n\r\n`,
      ...Array(20).fill(chunk),
    ]);
    expect(statusesOf(chunked)[0]).toBe(413);
    const bomb = gzipSync(Buffer.alloc(20 * LIMIT, 'a'));
    for (const encoding of ['gzip', 'deflate', 'br', 'x', 'gzip, gzip', 'identity, gzip']) {
      expect((await post(bomb, { 'Content-Encoding': encoding })).status, encoding).toBe(415);
    }
    expect((await post(bomb)).status).toBe(400);
    expect((await post(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).status).toBe(400);
    expect((await post(Buffer.from('{"data":{"title":"\xE9"}}', 'latin1'))).status).toBe(400);
    expect((await post(Buffer.from('{"data":{"title":"x"}}', 'utf16le'))).status).toBe(400);
    expect((await post(`\uFEFF{"data":{"title":"mark"}}`)).status).toBe(201);
    for (const type of [
      'text/plain',
      'text/html',
      'application/x-www-form-urlencoded',
      'multipart/mixed',
      'application/xml',
      'application/jsonp',
      '',
    ]) {
      const { status } = await post('{"data":{"title":"x"}}', { 'Content-Type': type });
      expect([400, 415], type).toContain(status);
    }
  });

  test('B98: memory does not grow with rejected bodies', async () => {
    const before = residentMemory(server.pid);
    const large = 'a'.repeat(4 * LIMIT);
    for (let round = 0; round < 30; round++) {
      const { status } = await server.quick('writer', 'POST', '/api/articles', { body: large, headers: JSON_TYPE });
      expect(status).toBe(413);
    }
    expect(residentMemory(server.pid) - before).toBeLessThan(150);
  });
});

describe('connections', () => {
  test('B99: ambiguous requests (request smuggling) are refused', async () => {
    const post = 'POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    for (const request of [
      `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}  x`,
      `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
      `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      `${post}Content-Length: -1\r\n\r\n`,
      `${post}Content-Length: 1e1\r\n\r\n`,
      `${post}X-Folded: a\r\n b\r\n\r\n`,
      `${post}Content-Length : 2\r\n\r\n{}`,
      'GET /api/articles HTTP/1.1\r\n\r\n',
      'GET /api/articles HTTP/9.9\r\nHost: x\r\n\r\n',
      'GET api/articles HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET\r\n\r\n',
      '\u0000\u0001\u0002\r\n\r\n',
    ]) {
      const statuses = statusesOf(await sendBytes(server.port, request, 500));
      expect(statuses.length, request).toBeLessThanOrEqual(1);
      for (const status of statuses) expect([400, 403, 404, 431, 505], request).toContain(status);
    }
    const two = 'GET /_health HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await sendBytes(server.port, two))).toEqual([204, 404]);
    const expecting = `${post}Authorization: Bearer ${server.seed.credentials.writer}\r\nExpect: 100-continue\r\nContent-Length: 22\r\nConnection: close\r\n\r\n{"data":{"title":"x"}}`;
    expect(statusesOf(await sendBytes(server.port, expecting))).toEqual([100, 201]);
    const refused = `${post}Content-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n12345`;
    expect(statusesOf(await sendBytes(server.port, refused)).at(-1)).toBe(403);
  });

  test('B100: silent connections do not block others', async () => {
    const idle: Socket[] = [];
    for (let count = 0; count < 500; count++) {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      if (count % 2 === 0) socket.write('POST /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
      idle.push(socket);
    }
    const { status, ms } = await server.quick('public', 'GET', '/api/articles');
    expect(status).toBe(200);
    expect(ms).toBeLessThan(QUICK_MS);
    for (const socket of idle) socket.destroy();
    await expect.poll(() => openFiles(server.pid), { timeout: 20_000 }).toBeLessThan(400);
  });

  test('B103: no header is slow to parse', async () => {
    const fillers = [
      ','.repeat(50_000),
      ' '.repeat(50_000),
      ', '.repeat(25_000),
      ';q=0,'.repeat(10_000),
      '"'.repeat(50_000),
      'a=b; '.repeat(10_000),
    ];
    const names = [
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'Forwarded',
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
      'Range',
      'If-None-Match',
      'If-Modified-Since',
      'Cookie',
      'Origin',
      'Authorization',
      'Content-Type',
      'Host',
    ];
    const file = (await server.get('admin', `/api/upload/files/${server.seed.ids['file'] ?? 0}`)).body.url as string;
    for (const name of names) {
      for (const filler of fillers) {
        for (const path of ['/api/articles', file]) {
          const { ms, status } = await server.quick('public', 'GET', path, { headers: { [name]: `a${filler}b` } });
          expect(status).toBeLessThan(500);
          expect(ms, `${name} ${filler.slice(0, 5)}`).toBeLessThan(QUICK_MS);
        }
      }
    }
  });

  test('B100: endless headers are cut off', async () => {
    expect(statusesOf(await slow)).toEqual([408]);
  });
});
