/** Reads and writes all content of a database by its layout: what a migration must preserve. */
import type { Attribute, Component, ContentType, ScalarAttribute } from '../../src/model/content-model.ts';
import type { AttributeLayout } from '../../src/storage/layout.ts';
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import type { Models } from './evolving-model.ts';

export type Entry = Record<string, any>;
/** Type → id → attribute → value. Links are ordered lists of `[type, id]`; component items are objects. */
export type Content = Record<string, Record<string, Entry>>;

/** A column as text, whatever the engine. */
function asText({ dialect, id }: TestDatabase, column: string): string {
  switch (dialect) {
    case 'sqlite':
      return `CAST(${id(column)} AS text)`;
    case 'postgres':
      return `${id(column)}::text`;
    case 'mysql':
      return `CAST(${id(column)} AS char)`;
  }
}

function canonical(attribute: ScalarAttribute, given: unknown): unknown {
  if (given === null || given === undefined) return null;
  const text = String(given);
  switch (attribute.type) {
    case 'integer':
    case 'float':
      return Number(text);
    case 'decimal':
      return text.includes('.') ? text.replace(/\.?0+$/u, '') : text;
    case 'boolean':
      return text === '1' || text === 'true';
    case 'time':
      return `${text.slice(0, 8)}.${text.slice(9).padEnd(3, '0').slice(0, 3)}`;
    case 'datetime':
    case 'timestamp':
      return new Date(/Z$|[+-]\d\d$/u.test(text) ? text : `${text}Z`).toISOString();
    case 'json':
    case 'blocks':
      return JSON.parse(text);
    default:
      return text;
  }
}

type Links = readonly (readonly [type: string, id: number])[];

async function links(database: TestDatabase, sql: string): Promise<Links> {
  const rows = await database.rows(sql);
  return rows.map(([type, target]) => [String(type), Number(target)] as const);
}

/** Links in some rows of a table that has a column for each target type. */
function severalTargets(
  { id }: TestDatabase,
  table: string,
  targets: Readonly<Record<string, string>>,
  where: string,
): string {
  const cases = Object.entries(targets).map(([uid, column]) => `WHEN ${id(column)} IS NOT NULL THEN '${uid}'`);
  const columns = Object.values(targets).map(id);
  const first = columns.length === 1 ? (columns[0] ?? '') : `coalesce(${columns.join(', ')})`;
  return `SELECT CASE ${cases.join(' ')} END, ${first} FROM ${id(table)} WHERE ${where} ORDER BY ${id('position')}, ${id('id')}`;
}

interface Reader {
  readonly database: TestDatabase;
  readonly models: Models;
  readonly type: ContentType;
  readonly row: number;
}

function componentNamed({ model }: Models, uid: string): Component | undefined {
  return model.components.find((component) => component.uid === uid);
}

async function readItem(reader: Reader, uid: string, item: Entry): Promise<Entry> {
  const { database, models, type } = reader;
  const component = componentNamed(models, uid);
  const result: Entry = { ...item };
  const table = models.layout.get(type.uid)?.componentLinks;
  for (const attribute of component?.attributes ?? []) {
    if (attribute.kind === 'component' && item[attribute.name]) {
      result[attribute.name] = await readItems(reader, attribute, item[attribute.name]);
    }
    if ((attribute.kind !== 'relation' && attribute.kind !== 'media') || !table) continue;
    const { id } = database;
    const where = `${id('owner_id')} = ${reader.row} AND ${id('item_id')} = ${item['id']} AND ${id('attribute')} = '${attribute.name}'`;
    result[attribute.name] = await links(database, severalTargets(database, table.table, table.targets, where));
  }
  return result;
}

async function readItems(reader: Reader, attribute: Attribute, value: any): Promise<unknown> {
  const uidOf = (item: Entry): string =>
    attribute.kind === 'component' ? attribute.component : String(item['__component']);
  if (!Array.isArray(value)) return readItem(reader, uidOf(value), value);
  return Promise.all(value.map((item) => readItem(reader, uidOf(item), item)));
}

function targetOf(attribute: Attribute): string {
  return attribute.kind === 'relation' ? (attribute.targets[0] ?? '') : 'file';
}

async function readLinks(reader: Reader, attribute: Attribute, place: AttributeLayout): Promise<Links> {
  const { database, models, row } = reader;
  const { id } = database;
  const target = targetOf(attribute);
  const table = models.layout.get(target)?.table ?? '';
  switch (place.kind) {
    case 'column':
      return [];
    case 'foreignKey': {
      const own = models.layout.get(reader.type.uid)?.table ?? '';
      const where = `${id('id')} = ${row} AND ${id(place.column)} IS NOT NULL`;
      return links(database, `SELECT '${target}', ${id(place.column)} FROM ${id(own)} WHERE ${where}`);
    }
    case 'inverseForeignKey': {
      const order = [...(place.position === undefined ? [] : [id(place.position)]), id('id')].join(', ');
      return links(
        database,
        `SELECT '${target}', ${id('id')} FROM ${id(table)} WHERE ${id(place.column)} = ${row} ORDER BY ${order}`,
      );
    }
    case 'link': {
      const order = `${id(place.position)}, ${id(place.other)}`;
      return links(
        database,
        `SELECT '${target}', ${id(place.other)} FROM ${id(place.table)} WHERE ${id(place.own)} = ${row} ORDER BY ${order}`,
      );
    }
    case 'inverseMorph':
      return links(
        database,
        `SELECT '${target}', ${id(place.other)} FROM ${id(place.table)} WHERE ${id(place.own)} = ${row} ORDER BY ${id(place.other)}`,
      );
    case 'morph':
      return links(database, severalTargets(database, place.table, place.targets, `${id(place.own)} = ${row}`));
  }
}

async function readEntry(reader: Reader): Promise<Entry> {
  const { database, models, type, row } = reader;
  const where = models.layout.get(type.uid);
  const columns = type.attributes.flatMap((attribute) => {
    const place = where?.attributes.get(attribute.name);
    return place?.kind === 'column' ? [[attribute, place.column] as const] : [];
  });
  const system = [
    ...(type.localized || type.documentIds ? ['document_id'] : []),
    ...(type.localized ? ['locale'] : []),
    ...(type.draftAndPublish ? ['published_at'] : []),
  ];
  const names = [...columns.map(([, column]) => column), ...system, 'created_at'];
  const list = names.map((name) => asText(database, name)).join(', ');
  const [values = []] = await database.rows(
    `SELECT ${list} FROM ${database.id(where?.table ?? '')} WHERE ${database.id('id')} = ${row}`,
  );
  const entry: Entry = {};
  for (const [index, [attribute]] of columns.entries()) {
    const value = values[index];
    if (attribute.kind === 'scalar') entry[attribute.name] = canonical(attribute, value);
    else entry[attribute.name] = value === null ? null : await readItems(reader, attribute, JSON.parse(String(value)));
  }
  const own = new Map(system.map((name, index) => [name, values[columns.length + index]]));
  if (own.has('document_id')) entry['#document'] = own.get('document_id');
  if (own.has('locale')) entry['#locale'] = own.get('locale');
  if (own.has('published_at')) entry['#published'] = own.get('published_at') !== null;
  for (const attribute of type.attributes) {
    const place = where?.attributes.get(attribute.name);
    if (place && place.kind !== 'column') entry[attribute.name] = await readLinks(reader, attribute, place);
  }
  return entry;
}

/** All content of the types of a schema, with the operations on it. */
export async function readContent(database: TestDatabase, models: Models): Promise<Content> {
  const content: Content = {};
  const { id } = database;
  for (const type of models.model.contentTypes) {
    const table = models.layout.get(type.uid)?.table ?? '';
    const ids = await database.rows(`SELECT ${id('id')} FROM ${id(table)} ORDER BY ${id('id')}`);
    content[type.uid] = {};
    for (const [row] of ids) {
      const reader = { database, models, type, row: Number(row) };
      (content[type.uid] ??= {})[String(row)] = await readEntry(reader);
    }
  }
  const actions = await database.rows(`SELECT ${id('action')} FROM ${id('user_role_permissions')}`);
  content['#actions'] = Object.fromEntries(actions.flat().map((action) => [String(action), {}]));
  return content;
}

/** The content without the document ids of entries that have none in `known`: they are random. */
export function withoutNewDocuments(content: Content, known: Content): Content {
  const types = Object.entries(content).map(([type, entries]) => {
    const kept = Object.entries(entries).map(([id, { '#document': document, ...entry }]) => {
      const isKnown = document !== undefined && known[type]?.[id]?.['#document'] !== undefined;
      return [id, isKnown ? { ...entry, '#document': document } : entry] as const;
    });
    return [type, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(types);
}
