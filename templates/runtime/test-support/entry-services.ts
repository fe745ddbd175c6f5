/** The services of `entry-types.ts` on a real database. */
import { hookedTypes, placeOf } from '../src/entries/hooked-types.ts';
import type { Database } from '../src/database/database.ts';
import { raw, sql } from '../src/database/sql.ts';
import { createValidators } from '../src/content/validators/entry.ts';
import { createEntryServices, type EntryServices } from '../src/entries/create-services.ts';
import type { EntryAnswer, ListAnswer } from '../src/query/answer.ts';
import { parseQuery } from '../src/query/parse-query-string.ts';
import { createReader } from '../src/query/reader.ts';
import type { TypeHooks } from '../src/entries/hooks.ts';
import type { Caller } from '../src/contract/policy/caller.ts';
import { knownPermissions } from '../src/contract/policy/permissions.ts';
import type { DialectName } from '../src/database/dialect.ts';
import { ENTRY_TABLES, entryTypes, TABLE_NAMES } from './entry-types.ts';
import { engineSql, openEngine } from './runtime-database.ts';
import { watchReads, watchTransactions } from './watched-database.ts';

/** May do everything. */
export const editor: Caller = {
  kind: 'user',
  role: 'editor',
  permissions: new Set(knownPermissions(entryTypes)),
};

export type Json = any;

export interface Site {
  readonly database: Database;
  readonly services: EntryServices;
  /** Statements outside of transactions, and inside of them, since the last `forget`. */
  readonly statements: { outside: string[]; inside: string[] };
  forget(): void;
  /** Everything that is stored, table by table. */
  dump(): Promise<Record<string, unknown>>;
  /** Removes all entries; leaves and files get the ids from 1 on. */
  reset(leaves: number, files: number): Promise<void>;
  list(uid: string, query?: string): Promise<Json>;
  get(uid: string, id: number, query?: string): Promise<Json>;
  create(uid: string, data: unknown, query?: string): Promise<Json>;
  update(uid: string, id: number, data: unknown, query?: string): Promise<Json>;
  remove(uid: string, id: number, query?: string): Promise<Json>;
  localize(uid: string, id: number, body: unknown): Promise<Json>;
  save(uid: string, data: unknown, query?: string): Promise<{ created: boolean; data: Json }>;
  close(): Promise<void>;
}

function watched(database: Database, { inside, outside }: Site['statements']): Database {
  const reads = watchReads(database, ({ text }) => void outside.push(text));
  return watchTransactions(reads, ({ text }) => void inside.push(text));
}

function request(query = '') {
  return { caller: editor, query: parseQuery(query) };
}

async function bodyOf(answer: Promise<EntryAnswer | ListAnswer>): Promise<Json> {
  return JSON.parse(String((await answer).body));
}

async function dataOf(answer: Promise<EntryAnswer>): Promise<Json> {
  return (await bodyOf(answer)).data;
}

const THEN = '2020-01-01T00:00:00.000Z';

/** Rows with the ids from 1 on. */
function numbered(table: string, count: number): string {
  const row = (index: number) =>
    `INSERT INTO ${table} (name, created_at, updated_at) VALUES ('${index + 1}', '${THEN}', '${THEN}');`;
  return Array.from({ length: count }, (_, index) => row(index)).join(' ');
}

/** Tables without ids of their own. */
const PAIRS = /^[a-z]+s(?:_(?:see|near|leaves|similar|related|pictures)(?:_published)?|_published)$/u;

/** SQL that leaves all tables empty; the generated ids of leaves and files begin with 1 again. */
function emptying(engine: DialectName): string {
  switch (engine) {
    case 'sqlite':
      return `${TABLE_NAMES.map((table) => `DELETE FROM ${table};`).join('\n')} DELETE FROM sqlite_sequence;`;
    case 'postgres':
      return TABLE_NAMES.map(
        (table) => `DELETE FROM ${table}; ${PAIRS.test(table) ? '' : `ALTER SEQUENCE ${table}_id_seq RESTART WITH 1;`}`,
      ).join('\n');
    case 'mysql': {
      // Most tables only lose their rows, which is faster.
      const all = TABLE_NAMES.map((table) =>
        table === 'leafs' || table === 'files' ? `TRUNCATE TABLE ${table};` : `DELETE FROM ${table};`,
      ).join('\n');
      return `SET FOREIGN_KEY_CHECKS = 0; ${all} SET FOREIGN_KEY_CHECKS = 1;`;
    }
  }
}

/** What the schema says of the API, of these types. */
export const entryApi = {
  unknownAttributes: 'reject',
  defaultPageSize: 25,
  maxPageSize: 100,
  maxPopulateDepth: 5,
  maxPopulatedPaths: 100,
  bodyLimit: 1_000_000,
  maxAnswerEntries: 20_000,
  maxAnswerSize: 16 * 1024 * 1024,
} as const;

/** The services of the types of `entry-types.ts`, whose tables a database has. */
export function entryServices(database: Database, hooks: Record<string, TypeHooks> = {}): EntryServices {
  const reader = createReader({ database, types: entryTypes, api: entryApi });
  const place = placeOf(database, reader);
  const validatorsOf = createValidators(entryTypes, entryApi.unknownAttributes);
  return createEntryServices(entryTypes, hookedTypes({ types: entryTypes, validatorsOf, ...place, hooks }));
}

let sites = 0;

export async function openSite(hooks: Record<string, TypeHooks> = {}, engine: DialectName = 'sqlite'): Promise<Site> {
  sites += 1;
  const { database: plain, drop } = await openEngine(engine, `site_${sites}`, ENTRY_TABLES);
  const statements = { outside: [] as string[], inside: [] as string[] };
  const database = watched(plain, statements);
  const services = entryServices(database, hooks);
  return {
    database: plain,
    services,
    statements,
    forget: () => {
      statements.outside.length = 0;
      statements.inside.length = 0;
    },
    dump: async () =>
      Object.fromEntries(
        await Promise.all(
          // What was counted is undone with the rest on SQLite only.
          [...TABLE_NAMES, ...(engine === 'sqlite' ? ['sqlite_sequence'] : [])].map(async (table) => [
            table,
            await plain.all(raw(`SELECT * FROM ${table} ORDER BY ${PAIRS.test(table) ? '1, 2' : '1'}`)),
          ]),
        ),
      ) as Record<string, unknown>,
    reset: async (leaves, files) => {
      const rows = `${numbered('leafs', leaves)} ${numbered('files', files)}`;
      await plain.script(engineSql(engine, `${emptying(engine)} ${rows}`));
    },
    list: (uid, query) => bodyOf(services.collection(uid).find(request(query))),
    get: (uid, id, query) => dataOf(services.collection(uid).findOne(id, request(query))),
    create: (uid, given, query) => dataOf(services.collection(uid).create(given, request(query))),
    update: (uid, id, given, query) => dataOf(services.collection(uid).update(id, given, request(query))),
    remove: (uid, id, query) => dataOf(services.collection(uid).delete(id, request(query))),
    localize: (uid, id, body) => bodyOf(services.collection(uid).createLocalization(id, body, request())),
    save: async (uid, given, query) => {
      const { answer, created } = await services.single(uid).save(given, request(query));
      return { created, data: JSON.parse(String(answer.body)).data };
    },
    close: drop,
  };
}

/** The failing paths of a request that must be refused with 400 and leave everything as it was. */
export async function refusedPaths(site: Site, act: () => Promise<unknown>): Promise<string[]> {
  return (await refused(site, act)).issues.map(({ path }: { path: string[] }) => path.join('.'));
}

/** The error of a request that must leave everything as it was. */
export async function refused(site: Site, act: () => Promise<unknown>): Promise<Json> {
  const before = JSON.stringify(await site.dump());
  const error: unknown = await act().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) throw new Error('the request was not refused');
  if (JSON.stringify(await site.dump()) !== before) throw new Error('a refused request changed the database');
  return error;
}

/** The relations that a product shares with its other locales. */
export async function relationsOf(site: Site, id: number): Promise<Json> {
  const lists: Record<string, number[]> = {};
  for (const [name, query] of Object.entries({
    leaves: 'SELECT b AS id FROM products_leaves WHERE a = ? ORDER BY a_pos',
    related: 'SELECT b AS id FROM products_related WHERE a = ? ORDER BY a_pos',
    pictures: 'SELECT b AS id FROM products_pictures WHERE a = ? ORDER BY a_pos',
    links: 'SELECT leaf_id AS id FROM products_component_links WHERE owner_id = ? ORDER BY item_id, position',
  })) {
    const rows = await site.database.all({ text: query, params: [id] });
    lists[name] = rows.map((row) => Number(row['id']));
  }
  const row = await site.database.get(sql`SELECT home_id, partner_id, cover_id FROM products WHERE id = ${id}`);
  return { ...lists, home: row?.['home_id'], partner: row?.['partner_id'], cover: row?.['cover_id'] };
}
