/** Conditional reads say “unchanged” only of what is unchanged, whoever wrote, and then read nothing but the state of the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachedContent, randomOf, requestOf } from '../../test-support/cached-content.ts';
import { definition } from '../../test-support/projects/cached/src/generated/app.ts';
import { asked, type Library, openLibrary } from '../../test-support/query-library.ts';
import { openEngine, testedEngines } from '../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import type { Database } from '../database/database.ts';
import type { EntryRequest } from './entry-request.ts';

const SEED = Number(process.env['CACHE_SEED'] ?? 5);
const ROUNDS = 25;
const READS = 15;

const engines = await testedEngines();

describe.each(engines)('on %s', (engine) => {
  let project: TestProject;
  let servers: readonly TestServer[];
  let database: Database;
  let admin: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    project = await openProject({ ...definition, webhooks: [] });
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'known_answers');
    const settings = { DATABASE_URL: opened?.url ?? project.urlOf('test') };
    servers = [await project.start(settings), await project.start(settings)];
    database = opened?.database ?? (await project.open());
    admin = await createToken(database, { kind: 'full-access' });
    close = async () => {
      await Promise.all(servers.map((server) => server.close()));
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  it('says of random reads between random writes through two servers only what is true', async () => {
    const random = randomOf(SEED);
    const either = () => servers[random(2)]!;
    const content = cachedContent(async (method, path, data) => {
      const body = data === undefined ? undefined : { data };
      const answer = await either().send(method, `/api/${path}`, { token: admin, body });
      if (answer.status >= 300) throw new Error(answer.text);
      return answer.body?.data ?? answer.body;
    }, random);
    await content.fill();
    const kept = new Map<string, { readonly etag: string; readonly text: string }>();
    let unchanged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const paths = content.paths();
      const written = round % 3 === 0 ? await content.write() : 'nothing';
      for (let count = 0; count < READS; count += 1) {
        const path = paths[random(paths.length)]!;
        // With and without rights: each has answers of its own.
        const token = random(2) === 0 ? admin : undefined;
        const { url, headers } = requestOf(path);
        const server = either();
        const plain = await server.send('GET', url, { headers, token });
        const own = `${path} ${token}`;
        const before = kept.get(own);
        if (before) {
          const again = { ...headers, 'if-none-match': before.etag };
          const asks = () => server.send('GET', url, { headers: again, token });
          // The first makes known what the second may answer from.
          for (const answer of [await asks(), await asks()]) {
            const shown = answer.status === 304 ? before.text : answer.text;
            expect(shown, `${path} after ${written}; seed ${SEED}`).toBe(plain.text);
            if (answer.status === 304) unchanged += 1;
          }
        }
        const etag = plain.headers.get('etag');
        if (plain.status === 200 && etag !== null) kept.set(own, { etag, text: plain.text });
      }
    }
    // Otherwise nothing would be tested.
    expect(unchanged).toBeGreaterThan(ROUNDS);
  });
});

describe.each(engines)('what stays, on %s', (engine) => {
  let library: Library;

  beforeAll(async () => {
    library = await openLibrary({}, engine);
  });
  afterAll(() => library?.close());

  const asks: Readonly<Record<string, (request: EntryRequest) => Promise<string>>> = {
    list: async (request) => String((await library.reader.list(library.type('book'), request)).body),
    entry: async (request) => String((await library.reader.one(library.type('book'), request, 1))?.body),
  };

  it.each(Object.entries(asks))('is not read again: %s', async (_, ask) => {
    const request = asked('populate=author');
    const body = await ask(request);
    const again = { ...request, isKnown: () => true };
    if (!library.database.state) {
      expect(await ask(again)).toBe(body);
      return;
    }
    // Other tests may write to other databases of the server, which changes its state.
    await expect
      .poll(async () => {
        library.statements.length = 0;
        return [await ask(again), ...library.statements];
      })
      .toEqual(['']);
  });
});
