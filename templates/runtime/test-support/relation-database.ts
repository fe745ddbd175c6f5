/** Two content types with relations of every kind, between them and each to itself, in a real database. */
import { NO_REACH } from '../src/content/relations/reach.ts';
import { threadId } from 'node:worker_threads';
import { expect } from 'vitest';
import type { Attribute, ContentType, ContentTypes } from '../src/contract/content-type.ts';
import type { Database } from '../src/database/database.ts';
import { createOutcome, type Statement, type Step, type Transaction } from '../src/database/write-plan.ts';
import { NewId } from '../src/database/new-id.ts';
import { join, raw, sql, type Sql } from '../src/database/sql.ts';
import { ValidationError } from '../src/contract/errors.ts';
import { parseMediaValue } from '../src/content/relations/media-value.ts';
import type { RelationChange } from '../src/content/relations/relation-change.ts';
import { parseRelationValue } from '../src/content/relations/relation-value.ts';
import { planRelations, relationSteps } from '../src/content/relations/write-relations.ts';
import type { Dialect, DialectName } from '../src/database/dialect.ts';
import { type Columns, updateWhere } from '../src/write/columns.ts';
import { openEngine, type RuntimeDatabase } from './runtime-database.ts';

const relation = (many: boolean, target: string | undefined, storage: object): Attribute =>
  ({ type: 'relation', relation: 'manyWay', many, ...(target && { target }), storage }) as Attribute;
const key = (column: string, more: object = {}) => ({ kind: 'foreignKey', column, ...more });
const inverseKey = (column: string, position?: string) => ({
  kind: 'inverseForeignKey',
  column,
  ...(position && { position }),
});
const link = (table: string, turned = false, both = true) => {
  const [own, other, position, otherPosition] = turned ? ['b', 'a', 'b_pos', 'a_pos'] : ['a', 'b', 'a_pos', 'b_pos'];
  return { kind: 'link', table, own, other, position, ...(both && { otherPosition }) };
};
const morph = (table: string) => ({
  kind: 'morph',
  table,
  own: 'own',
  position: 'pos',
  targets: { hub: 'hub_id', leaf: 'leaf_id' },
});

const contentType = (uid: string, table: string, attributes: Record<string, Attribute>): ContentType => ({
  uid,
  kind: 'collectionType',
  singularName: uid,
  pluralName: table,
  table,
  draftAndPublish: false,
  localized: false,
  attributes,
});

const hub = contentType('hub', 'hubs', {
  oneWay: relation(false, 'leaf', key('one_way')),
  oneOne: relation(false, 'leaf', key('one_one', { unique: true })),
  manyOne: relation(false, 'leaf', key('many_one', { position: 'many_one_pos' })),
  oneMany: relation(true, 'leaf', inverseKey('hub_of_many', 'hub_of_many_pos')),
  manyMany: relation(true, 'leaf', link('many_many')),
  manyWay: relation(true, 'leaf', link('many_way', false, false)),
  parent: relation(false, 'hub', key('parent', { position: 'parent_pos' })),
  children: relation(true, 'hub', inverseKey('parent', 'parent_pos')),
  next: relation(false, 'hub', key('next', { unique: true })),
  previous: relation(false, 'hub', inverseKey('next')),
  follows: relation(true, 'hub', link('follows')),
  followers: relation(true, 'hub', link('follows', true)),
  friends: relation(true, 'hub', link('friends', false, false)),
  morphOne: relation(false, undefined, morph('morph_one')),
  morphMany: relation(true, undefined, morph('morph_many')),
  pic: { type: 'media', many: false, storage: { kind: 'foreignKey', column: 'pic' } },
  pics: { type: 'media', many: true, storage: link('pics', false, false) } as Attribute,
});
const leaf = contentType('leaf', 'leaves', {
  hubOne: relation(false, 'hub', inverseKey('one_one')),
  hubsOfOne: relation(true, 'hub', inverseKey('many_one', 'many_one_pos')),
  hubOfMany: relation(false, 'hub', key('hub_of_many', { position: 'hub_of_many_pos' })),
  hubsMany: relation(true, 'hub', link('many_many', true)),
});
export const types: ContentTypes = {
  types: { hub, leaf, file: contentType('file', 'files', {}) },
  components: {},
  locales: ['en'],
};

const LINKS: [string, string, boolean][] = [
  ['many_many', 'leaves', true],
  ['many_way', 'leaves', false],
  ['follows', 'hubs', true],
  ['friends', 'hubs', false],
  ['pics', 'files', false],
];
/** A column with a foreign key. */
interface Reference {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  readonly onDelete: 'SET NULL' | 'CASCADE';
}
const REFERENCES: Reference[] = [
  ...['one_way', 'one_one', 'many_one'].map((column) => ({ table: 'hubs', column, target: 'leaves' })),
  ...['parent', 'next'].map((column) => ({ table: 'hubs', column, target: 'hubs' })),
  { table: 'hubs', column: 'pic', target: 'files' },
  { table: 'leaves', column: 'hub_of_many', target: 'hubs' },
].map((reference) => ({ ...reference, onDelete: 'SET NULL' }));
for (const [table, target] of LINKS) {
  REFERENCES.push({ table, column: 'a', target: 'hubs', onDelete: 'CASCADE' });
  REFERENCES.push({ table, column: 'b', target, onDelete: 'CASCADE' });
}
for (const table of ['morph_one', 'morph_many']) {
  for (const column of ['own', 'hub_id']) REFERENCES.push({ table, column, target: 'hubs', onDelete: 'CASCADE' });
  REFERENCES.push({ table, column: 'leaf_id', target: 'leaves', onDelete: 'CASCADE' });
}

function schemaOf(dialect: DialectName): string {
  // SQLite takes foreign keys only with their tables, the others only when all tables are there.
  const refs = (table: string): string =>
    REFERENCES.filter((reference) => reference.table === table)
      .map(({ column, target, onDelete }) => {
        return `${column} {key}${dialect === 'sqlite' ? ` REFERENCES ${target} (id) ON DELETE ${onDelete}` : ''}`;
      })
      .join(', ');
  const later = REFERENCES.map(
    ({ table, column, target, onDelete }) =>
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_${column}_key FOREIGN KEY (${column}) REFERENCES ${target} (id) ON DELETE ${onDelete};`,
  );
  return `
  CREATE TABLE files (id {id}, _version {integer} NOT NULL DEFAULT 1);
  CREATE TABLE leaves (id {id}, ${refs('leaves')}, hub_of_many_pos {key}, _version {integer} NOT NULL DEFAULT 1);
  CREATE TABLE hubs (id {id}, ${refs('hubs')}, many_one_pos {key}, parent_pos {key}, _version {integer} NOT NULL DEFAULT 1);
  CREATE UNIQUE INDEX hubs_one_one ON hubs (one_one);
  CREATE UNIQUE INDEX hubs_next ON hubs (next);
  CREATE INDEX leaves_hub ON leaves (hub_of_many, hub_of_many_pos);
  CREATE INDEX hubs_many_one ON hubs (many_one, many_one_pos);
  CREATE INDEX hubs_parent ON hubs (parent, parent_pos);
  ${LINKS.map(
    ([table, , both]) => `CREATE TABLE ${table} (${refs(table)}, a_pos {key} NOT NULL,
      ${both ? 'b_pos {key} NOT NULL,' : ''} PRIMARY KEY (a, b));
    CREATE INDEX ${table}_a ON ${table} (a, a_pos); CREATE INDEX ${table}_b ON ${table} (b${both ? ', b_pos' : ''});`,
  ).join('\n')}
  ${['morph_one', 'morph_many']
    .map(
      (table) =>
        `CREATE TABLE ${table} (id {id}, ${refs(table)}, pos {key} NOT NULL);
         CREATE ${table === 'morph_one' ? 'UNIQUE INDEX morph_one_own ON morph_one (own)' : 'INDEX morph_many_own ON morph_many (own, pos)'};
         CREATE UNIQUE INDEX ${table}_own_hub ON ${table} (own, hub_id); CREATE UNIQUE INDEX ${table}_own_leaf ON ${table} (own, leaf_id);
         CREATE INDEX ${table}_hub ON ${table} (hub_id); CREATE INDEX ${table}_leaf ON ${table} (leaf_id);`,
    )
    .join('\n')}
  ${dialect === 'sqlite' ? '' : later.join('\n')}
`;
}

/** May see everything. */
const caller = {
  kind: 'public' as const,
  role: 'public',
  permissions: new Set(['hub.find', 'hub.update', 'leaf.find', 'leaf.update', 'upload.find']),
};

let opened = 0;

/** An empty database with the tables. */
export function openRelations(dialect: DialectName = 'sqlite'): Promise<RuntimeDatabase> {
  opened += 1;
  return openEngine(dialect, `relations_${threadId}_${opened}`, schemaOf(dialect));
}

/** Has the next generated id of a table follow those that there are. */
function countFrom(dialect: DialectName, table: string, count: number): Sql | undefined {
  switch (dialect) {
    case 'sqlite':
      return raw(`DELETE FROM sqlite_sequence WHERE name = '${table}'`);
    case 'postgres':
      return raw(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${count + 1}, false)`);
    case 'mysql':
      return undefined;
  }
}

/** Leaves nothing but entries with the ids from 1 on. */
export async function resetRelations(database: Database, hubs: number, leaves: number, files: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [table, count] of [
      ['hubs', hubs],
      ['leaves', leaves],
      ['files', files],
    ] as const) {
      await tx.run(raw(`DELETE FROM ${table}`));
      const counting = countFrom(database.dialect.name, table, count);
      if (counting) await tx.run(counting);
      for (let id = 1; id <= count; id += 1) await tx.run(sql`INSERT INTO ${raw(table)} (id) VALUES (${id})`);
    }
  });
}

/** The changes that a body asks for; throws ValidationError. */
export function parseChanges(type: ContentType, data: Record<string, unknown>): Map<string, RelationChange> {
  const changes = new Map<string, RelationChange>();
  for (const [name, value] of Object.entries(data)) {
    const attribute = type.attributes[name];
    if (attribute?.type !== 'relation' && attribute?.type !== 'media') throw new Error(name);
    const base = { value, path: [name], unknownKeys: 'reject' } as const;
    const targets =
      attribute.type === 'relation' && attribute.target !== undefined ? [attribute.target] : ['hub', 'leaf'];
    const { change, issues } =
      attribute.type === 'media'
        ? parseMediaValue({ ...base, attribute })
        : parseRelationValue({ ...base, attribute: { many: attribute.many, targets, morph: targets.length > 1 } });
    if (issues.length > 0) throw new ValidationError(issues);
    if (change) changes.set(name, change);
  }
  return changes;
}

/** Runs steps one by one. An id that one makes is among its rows. */
export async function runSteps(tx: Transaction, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'function') await runSteps(tx, await step(tx, createOutcome()));
    else if (step.generatedId) step.generatedId.set(Number((await tx.get(step.sql))?.['id']));
    else await tx.run(step.sql);
  }
}

/** The statement that inserts a row of these columns, of which there may be none. */
function insertRow({ id, name, insertReturns }: Dialect, generatedId: NewId, columns: Columns): Statement {
  const names = [...columns.keys()].map(id);
  const values = [...columns.values()].map((value) => sql`${value}`);
  const nothing = raw(name === 'mysql' ? '() VALUES ()' : 'DEFAULT VALUES');
  const given = columns.size === 0 ? nothing : sql`(${join(names, ', ')}) VALUES (${join(values, ', ')})`;
  const insert = sql`INSERT INTO ${id(generatedId.table)} ${given}`;
  return insertReturns
    ? { sql: sql`${insert} RETURNING id`, returns: 'rows', generatedId }
    : { sql: insert, returns: 'nothing', generatedId };
}

interface EntryChange {
  readonly type: ContentType;
  /** Undefined for a new entry. */
  readonly owner: number | undefined;
  readonly changes: ReadonlyMap<string, RelationChange>;
}

/** Plans the relations of an entry as the entries of a server do: what is checked, its row, and what follows it. */
async function planEntry(tx: Transaction, { type, owner, changes }: EntryChange) {
  const { issues, plan } = await planRelations({ tx, types, caller, reach: NO_REACH, type, owner, changes });
  if (issues.length > 0) throw new ValidationError(issues);
  const columns: Columns = new Map(Object.entries(plan.columns));
  const id = owner ?? new NewId(type.table);
  const condition = sql`id = ${id}`;
  const row =
    id instanceof NewId
      ? insertRow(tx.dialect, id, columns)
      : updateWhere(tx.dialect, type.table, { condition, columns });
  const isWritten = owner === undefined || columns.size > 0;
  return { id, steps: [...(isWritten ? [row] : []), ...relationSteps(tx.dialect, plan, id)] };
}

/** Writes the relations of an entry, or of a new one; answers its id. */
export async function writeEntry(
  database: Database,
  type: ContentType,
  owner: number | undefined,
  data: Record<string, unknown>,
): Promise<number> {
  const changes = parseChanges(type, data);
  return database.write(async (tx) => {
    const { id, steps } = await planEntry(tx, { type, owner, changes });
    return { subjects: [], steps, answer: () => (id instanceof NewId ? id.value : id) };
  });
}

/** The same, statement by statement, with a transaction of the test's own around that of the database. */
export async function writeEntryBy(
  around: (tx: Transaction) => Transaction,
  {
    database,
    type,
    owner,
  }: { readonly database: Database; readonly type: ContentType; readonly owner: number | undefined },
  data: Record<string, unknown>,
): Promise<void> {
  const changes = parseChanges(type, data);
  await database.transaction(async (plain) => {
    const tx = around(plain);
    await runSteps(tx, (await planEntry(tx, { type, owner, changes })).steps);
  });
}

/** What is stored of one attribute: owner → members in order. Fails if a list has a position twice. */
export async function storedLists(database: Database, name: string): Promise<[number, string[]][]> {
  const [uid = '', key = ''] = name.split('.');
  const attribute = types.types[uid]?.attributes[key];
  if (attribute?.type !== 'relation' && attribute?.type !== 'media') throw new Error(name);
  const { storage } = attribute;
  const target = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  const table = types.types[uid]?.table;
  const select = {
    foreignKey: () => `SELECT id AS own, ${(storage as { column: string }).column} AS id, 0 AS pos FROM ${table}`,
    inverseForeignKey: () => {
      const { column, position } = storage as { column: string; position?: string };
      return `SELECT ${column} AS own, id, ${position ?? '0'} AS pos FROM ${types.types[target]?.table}`;
    },
    link: () => {
      const { own, other, position, table: links } = storage as unknown as Record<string, string>;
      return `SELECT ${own} AS own, ${other} AS id, ${position} AS pos FROM ${links}`;
    },
    inverseMorph: () => {
      const { own, other, table: links } = storage as unknown as Record<string, string>;
      return `SELECT ${own} AS own, ${other} AS id, 0 AS pos FROM ${links}`;
    },
    morph: () => {
      const kinds = `CASE WHEN hub_id IS NULL THEN 'leaf' ELSE 'hub' END AS type`;
      return `SELECT own, COALESCE(hub_id, leaf_id) AS id, ${kinds}, pos FROM ${(storage as { table: string }).table}`;
    },
  }[storage.kind]();
  const rows = await database.all(
    raw(`SELECT * FROM (${select}) AS x WHERE own IS NOT NULL AND id IS NOT NULL ORDER BY own, pos`),
  );
  const lists = new Map<number, string[]>();
  for (const row of rows) {
    const members = lists.get(Number(row['own'])) ?? [];
    members.push(`${row['type'] ?? target}:${row['id']}`);
    lists.set(Number(row['own']), members);
  }
  expect(new Set(rows.map((row) => `${row['own']} ${row['pos']}`)).size, name).toBe(rows.length);
  return [...lists];
}
