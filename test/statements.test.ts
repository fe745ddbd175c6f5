/** However long a list is and whatever it populates, it is answered by the same few statements. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import qs from 'qs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../templates/runtime/src/database/database.ts';
import type { Executor } from '../templates/runtime/src/database/executor.ts';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import type { Sql } from '../templates/runtime/src/database/sql.ts';
import { createValidators } from '../templates/runtime/src/content/validators/entry.ts';
import { hookedTypes, placeOf } from '../templates/runtime/src/entries/hooked-types.ts';
import { createEntryServices, type EntryServices } from '../templates/runtime/src/entries/create-services.ts';
import type { EntryAnswer } from '../templates/runtime/src/query/answer.ts';
import { EMPTY_QUERY } from '../templates/runtime/src/query/entry-query.ts';
import { parseQuery } from '../templates/runtime/src/query/parse-query-string.ts';
import { createReader } from '../templates/runtime/src/query/reader.ts';
import { migrateUp } from '../templates/runtime/src/migrator/migrate.ts';
import type { Caller } from '../templates/runtime/src/contract/policy/caller.ts';
import { knownPermissions } from '../templates/runtime/src/contract/policy/permissions.ts';
import { generateProject } from './support/served-project.ts';

const BLOCKS = Array.from({ length: 30 }, (_, index) => `blocks.block${index}`);

const SCHEMA = `
name: statements
api: { maxPopulatedPaths: 200 }
databases: [sqlite]
contentTypes:
  author: { attributes: { name: { type: string }, books: { type: relation, relation: oneToMany, target: book, mappedBy: author } } }
  tag: { attributes: { name: { type: string }, books: { type: relation, relation: manyToMany, target: book, mappedBy: tags } } }
  book:
    attributes:
      title: { type: string }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: books }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: books }
      similar: { type: relation, relation: manyWay, target: book }
      cover: { type: media }
      links: { type: component, component: shared.link, repeatable: true }
      zone: { type: dynamiczone, components: [${BLOCKS.join(', ')}] }
components:
  shared.link: { attributes: { label: { type: string }, tag: { type: relation, relation: oneWay, target: tag } } }
${BLOCKS.map(
  (uid) => `  ${uid}:
    attributes:
      text: { type: string }
      tags: { type: relation, relation: manyWay, target: tag }
      link: { type: component, component: shared.link }
      picture: { type: media }`,
).join('\n')}
`;

let project: Awaited<ReturnType<typeof generateProject>>;
let database: Database;
let entries: EntryServices;
let caller: Caller;
const statements: string[] = [];

function noting<T>(run: (statement: Sql) => Promise<T>) {
  return (statement: Sql) => {
    statements.push(statement.text);
    return run(statement);
  };
}

/** Everything that reaches the database is noted. */
function counted(inner: Database): Database {
  const notingAll = <T extends Executor>(executor: T): T => ({
    ...executor,
    all: noting(executor.all),
    get: noting(executor.get),
    run: noting(executor.run),
  });
  return {
    ...notingAll(inner),
    readTransaction: (options, work) => inner.readTransaction(options, (reader) => work(notingAll(reader))),
  };
}

function idOf(answer: EntryAnswer): number {
  return (answer.entry() as { id: number }).id;
}

async function create(uid: string, data: object): Promise<number> {
  return idOf(await entries.collection(uid).create(data, { caller, query: EMPTY_QUERY }));
}

/** The block of a type that is used: most are not. */
function blockOf(uid: string, tags: readonly number[]) {
  return { __component: uid, text: uid, tags, link: { label: uid, tag: tags[0] } };
}

beforeAll(async () => {
  project = await generateProject(SCHEMA);
  const { definition, folder } = project;
  const types = definition.contentTypes;
  caller = { kind: 'user', role: 'tests', permissions: new Set(knownPermissions(types)) };
  database = await openDatabase(`sqlite:${join(folder, 'test.db')}`);
  await migrateUp(database, fileURLToPath(definition.migrations));
  const reader = createReader({ database: counted(database), types, api: definition.api });
  const place = placeOf(counted(database), reader);
  const validatorsOf = createValidators(types, definition.api.unknownAttributes);
  entries = createEntryServices(types, hookedTypes({ types, validatorsOf, ...place, hooks: {} }));
  const authors = [await create('author', { name: 'a' }), await create('author', { name: 'b' })];
  const tags: number[] = [];
  for (const name of ['x', 'y', 'z']) tags.push(await create('tag', { name }));
  let previous: number[] = [];
  for (let index = 0; index < 120; index += 1) {
    const zone = [blockOf('blocks.block3', tags), blockOf('blocks.block17', tags.slice(1))];
    const links = [{ label: 'a', tag: tags[0] }, { label: 'b' }];
    const data = { title: `t${index}`, author: authors[index % 2], tags, similar: previous, links, zone };
    previous = [await create('book', data), ...previous.slice(0, 2)];
  }
});
afterAll(async () => {
  await database?.close();
  await project?.remove();
});

const WITHIN_BLOCKS = { populate: { tags: { sort: 'name:desc' }, link: { populate: ['tag'] }, picture: true } };

const QUERIES = {
  plain: {},
  'three relations': {
    populate: { author: { populate: { books: { limit: 3 } } }, tags: true, similar: { populate: ['author'] } },
  },
  'media, components and a zone of 30 types': {
    populate: {
      cover: true,
      links: { populate: ['tag'] },
      zone: { on: Object.fromEntries(BLOCKS.map((uid) => [uid, WITHIN_BLOCKS])) },
    },
  },
  'filters and sorts through relations': {
    populate: { tags: { filters: { name: 'x' } } },
    filters: { tags: { name: { $in: ['x', 'y'] } }, links: { tag: { name: 'x' } } },
    sort: ['author.name', 'tags.name:desc'],
  },
};

it.each(Object.entries(QUERIES))('lists of 1, 25 and 100 entries with %s cost the same', async (_, query) => {
  for (const [pageSize, page, withCount] of [
    [1, 2, true],
    [25, 2, true],
    [100, 1, true],
    [100, 1, false],
  ] as const) {
    const text = qs.stringify({ ...query, pagination: { page, pageSize, withCount } });
    statements.length = 0;
    const answer = await entries.collection('book').find({ caller, query: parseQuery(text) });
    const [first, ...others] = answer.entries() as readonly { id: number }[];
    expect([first, ...others]).toHaveLength(pageSize);
    // The page, with the total; where that is of what a filter finds, it is asked for when the page does not tell.
    expect(statements).toHaveLength(withCount && 'filters' in query ? 2 : 1);
    statements.length = 0;
    await entries.collection('book').findOne(first?.id ?? 0, { caller, query: parseQuery(qs.stringify(query)) });
    expect(statements).toHaveLength(1);
  }
});

it('lists within lists take two statements for each, and some more where there are many, as they are read by parts', async () => {
  const populate = {
    author: { populate: { books: { limit: 3, populate: ['tags'] } } },
    similar: { populate: ['tags'] },
  };
  for (const [pageSize, most] of [
    [1, 1 + 2 * 4],
    [100, 1 + 3 * 4 + 4],
  ] as const) {
    statements.length = 0;
    const text = qs.stringify({ fields: 'title', populate, pagination: { pageSize } });
    await entries.collection('book').find({ caller, query: parseQuery(text) });
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.length).toBeLessThanOrEqual(most);
  }
});

it('reads the used components of a zone, and nothing else', async () => {
  const query = qs.stringify({ populate: QUERIES['media, components and a zone of 30 types'].populate, sort: 'id' });
  const answer = await entries.collection('book').find({ caller, query: parseQuery(query) });
  const data = answer.entries() as readonly any[];
  expect(
    data[0].attributes.zone.map((item: any) => [item.__component, item.tags.data.length, item.link.label]),
  ).toEqual([
    ['blocks.block3', 3, 'blocks.block3'],
    ['blocks.block17', 2, 'blocks.block17'],
  ]);
  // Block types that no item has are as good as not there: an answer takes no longer by them.
  const time = async (zone: object) => {
    const text = qs.stringify({ populate: { zone }, pagination: { pageSize: 100 } });
    const times = [];
    for (let run = 0; run < 9; run += 1) {
      const start = performance.now();
      await entries.collection('book').find({ caller, query: parseQuery(text) });
      times.push(performance.now() - start);
    }
    return Math.min(...times.slice(1));
  };
  const used = await time({ on: { 'blocks.block3': WITHIN_BLOCKS, 'blocks.block17': WITHIN_BLOCKS } });
  const all = await time({ on: Object.fromEntries(BLOCKS.map((uid) => [uid, WITHIN_BLOCKS])) });
  expect(all).toBeLessThan(used * 3);
});
