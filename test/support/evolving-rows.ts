/** Fills new tables with rows, and new attributes with values. The third entry of each type stays empty. */
import type { Attribute, ContentType, ScalarAttribute } from '../../src/model/content-model.ts';
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { type Content, readContent } from './evolving-data.ts';
import type { Models } from './evolving-model.ts';

interface Filler {
  readonly database: TestDatabase;
  readonly models: Models;
  readonly content: Content;
  /** The id of the next component item. */
  nextItem: number;
  /** Whether texts without a limit are longer than an index allows. */
  readonly isLong: boolean;
}

const ROWS = [1, 2, 3];
const MOMENT = '2024-01-02T03:04:05.000Z';

function moment({ dialect }: TestDatabase): string {
  return dialect === 'mysql' ? `'2024-01-02 03:04:05.000'` : `'${MOMENT}'`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A distinct value for each row, as SQL. */
function scalarValue({ database, isLong }: Filler, type: ContentType, attribute: ScalarAttribute, row: number): string {
  const { dialect } = database;
  const number = type.uid.length * 10 + row;
  switch (attribute.type) {
    case 'integer':
      return String(number);
    case 'biginteger':
      return `90071992547409${number}`;
    case 'float':
      return `${number}.25`;
    case 'decimal':
      return dialect === 'sqlite' ? `'${number}.5'` : `${number}.5`;
    case 'boolean':
      return dialect === 'postgres' ? String(row === 1) : String(Number(row === 1));
    case 'date':
      return `'2024-02-0${row}'`;
    case 'time':
      return `'12:30:0${row}.250'`;
    case 'datetime':
    case 'timestamp':
      return dialect === 'mysql' ? `'2024-02-0${row} 10:20:30.456'` : `'2024-02-0${row}T10:20:30.456Z'`;
    case 'json':
    case 'blocks':
      return `'{"b":"${attribute.name}","a":[${row},null,1.5]}'`;
    case 'enumeration':
      return text(attribute.enum[row % attribute.enum.length] ?? '');
    case 'uid':
      return `'${attribute.name.toLowerCase()}-${row}'`;
    default:
      return text(`${attribute.name} "é" it's ${row}${filling(isLong, attribute, row)}`);
  }
}

/** Makes the text of some first rows longer than an index allows, if the attribute has no limit. */
function filling(isLong: boolean, { name, type, unique, indexed }: ScalarAttribute, row: number): string {
  const isLimited = unique || indexed || !/^(?:string|text|richtext)$/u.test(type);
  return isLong && !isLimited && row === 1 && name.length % 2 === 0 ? ` ${'long '.repeat(60)}` : '';
}

function jsonScalar({ isLong }: Filler, attribute: ScalarAttribute, row: number): unknown {
  switch (attribute.type) {
    case 'integer':
    case 'float':
      return row * 3;
    case 'decimal':
    case 'biginteger':
      return `${row}`;
    case 'boolean':
      return row === 1;
    case 'json':
      return { z: null, a: [1.5, 'x'] };
    case 'date':
      return `2024-03-0${row}`;
    case 'time':
      return `12:30:0${row}.250`;
    case 'datetime':
    case 'timestamp':
      return `2024-03-0${row}T10:20:30.456Z`;
    case 'enumeration':
      return attribute.enum[row % attribute.enum.length];
    default:
      return `${attribute.name} "é" ${row}${filling(isLong, attribute, row)}`;
  }
}

interface ItemLink {
  readonly item: number;
  readonly attribute: string;
  readonly target: string;
  readonly id: number;
  readonly position: number;
}

function newItem(filler: Filler, uid: string, row: number, found: ItemLink[]): Record<string, unknown> {
  const component = filler.models.model.components.find((one) => one.uid === uid);
  filler.nextItem += 1;
  const item: Record<string, unknown> = { id: filler.nextItem };
  for (const attribute of component?.attributes ?? []) {
    if (attribute.kind === 'scalar') item[attribute.name] = jsonScalar(filler, attribute, row);
    else if (attribute.kind === 'component') item[attribute.name] = itemsOf(filler, attribute, row, found);
    else if (attribute.kind !== 'dynamiczone') {
      const targets = attribute.kind === 'media' ? ['file'] : attribute.targets;
      const many = attribute.kind === 'media' ? attribute.multiple : attribute.many;
      for (const [index, id] of (many ? [2, 1] : [row]).entries()) {
        const target = targets[index % targets.length] ?? '';
        const at = { item: Number(item['id']), attribute: attribute.name, position: (index + 1) * 10 };
        found.push({ ...at, target, id });
      }
    }
  }
  return item;
}

function itemsOf(filler: Filler, attribute: Attribute, row: number, found: ItemLink[]): unknown {
  if (attribute.kind === 'dynamiczone') {
    return [...attribute.components, ...attribute.components].map((uid) => {
      const { id, ...item } = newItem(filler, uid, row, found);
      return { id, __component: uid, ...item };
    });
  }
  if (attribute.kind !== 'component') return null;
  if (!attribute.repeatable) return newItem(filler, attribute.component, row, found);
  return [newItem(filler, attribute.component, row, found), newItem(filler, attribute.component, 2, found)];
}

async function fillItems(filler: Filler, type: ContentType, attribute: Attribute, row: number): Promise<void> {
  const { database, models } = filler;
  const { id } = database;
  const place = models.layout.get(type.uid);
  const where = place?.attributes.get(attribute.name);
  if (!place || where?.kind !== 'column') return;
  const found: ItemLink[] = [];
  const json = JSON.stringify(itemsOf(filler, attribute, row, found));
  const literal = database.dialect === 'mysql' ? text(json.replaceAll('\\', '\\\\')) : text(json);
  await database.script(`UPDATE ${id(place.table)} SET ${id(where.column)} = ${literal} WHERE ${id('id')} = ${row}`);
  for (const link of found.filter(({ target, id: other }) => filler.content[target]?.[other] !== undefined)) {
    const column = place.componentLinks?.targets[link.target] ?? '';
    const columns = ['owner_id', 'item_id', 'attribute', 'position', column].map(id).join(', ');
    await database.script(
      `INSERT INTO ${id(place.componentLinks?.table ?? '')} (${columns}) VALUES (${row}, ${link.item}, '${link.attribute}', ${link.position}, ${link.id})`,
    );
  }
}

async function fillLinks(filler: Filler, type: ContentType, attribute: Attribute, row: number): Promise<void> {
  const { database, models, content } = filler;
  const { id, script } = database;
  const place = models.layout.get(type.uid);
  const where = place?.attributes.get(attribute.name);
  const has = (uid: string, target: number): boolean => content[uid]?.[target] !== undefined;
  const first = attribute.kind === 'relation' ? (attribute.targets[0] ?? '') : 'file';
  if (where?.kind === 'foreignKey') {
    const target = where.unique ? 3 - row : 1;
    if (!has(first, target)) return;
    const position = where.position === undefined ? '' : `, ${id(where.position)} = ${100 - row}`;
    const set = `${id(where.column)} = ${target}${position}`;
    await script(`UPDATE ${id(place?.table ?? '')} SET ${set} WHERE ${id('id')} = ${row}`);
  } else if (where?.kind === 'link' && where.own === 'owner_id') {
    const columns = [
      'owner_id',
      'target_id',
      'position',
      ...(where.otherPosition === undefined ? [] : [where.otherPosition]),
    ];
    for (const [index, target] of [2, 1].entries()) {
      if (!has(first, target)) continue;
      const values = [row, target, (index + 1) * 10, 100 - row].slice(0, columns.length);
      await script(`INSERT INTO ${id(where.table)} (${columns.map(id).join(', ')}) VALUES (${values.join(', ')})`);
    }
  } else if (where?.kind === 'morph') {
    const many = attribute.kind === 'relation' && attribute.many;
    const targets = Object.entries(where.targets).slice(0, many ? undefined : 1);
    for (const [index, [uid, column]] of targets.toReversed().entries()) {
      if (!has(uid, 1)) continue;
      const columns = ['owner_id', 'position', column].map(id).join(', ');
      await script(`INSERT INTO ${id(where.table)} (${columns}) VALUES (${row}, ${index + 1}, 1)`);
    }
  }
}

async function insertRows(filler: Filler, type: ContentType): Promise<void> {
  const { database, models } = filler;
  const { id } = database;
  const table = models.layout.get(type.uid)?.table ?? '';
  const isSingle = type.kind === 'singleType';
  const rows = isSingle ? ROWS.slice(0, type.localized ? 2 : 1) : ROWS;
  for (const row of rows) {
    const needed = type.attributes.filter((attribute) => attribute.required || row < 3);
    const values = new Map<string, string>();
    for (const attribute of needed) {
      const place = models.layout.get(type.uid)?.attributes.get(attribute.name);
      if (attribute.kind !== 'scalar' || place?.kind !== 'column') continue;
      values.set(place.column, scalarValue(filler, type, attribute, row));
    }
    values.set('created_at', moment(database)).set('updated_at', moment(database));
    if (type.draftAndPublish && row !== 2) values.set('published_at', moment(database));
    if (type.localized || type.documentIds) {
      const number = type.localized ? (row === 3 ? 2 : 1) : row;
      values.set('document_id', type.localized && isSingle ? `'${type.uid}'` : `'d${number}'`);
    }
    if (type.localized) {
      values.set('locale', `'${models.model.locales[row === 2 ? 1 : 0] ?? 'en'}'`);
    }
    const columns = [...values.keys()].map(id).join(', ');
    await database.script(`INSERT INTO ${id(table)} (${columns}) VALUES (${[...values.values()].join(', ')})`);
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

async function fillAttribute(filler: Filler, type: ContentType, attribute: Attribute): Promise<void> {
  const { database, models, content } = filler;
  const { id } = database;
  const entries = Object.entries(content[type.uid] ?? {});
  if (!entries.every(([, entry]) => isEmpty(entry[attribute.name]))) return;
  for (const row of entries.map(([key]) => Number(key)).filter((key) => key < 3)) {
    const place = models.layout.get(type.uid)?.attributes.get(attribute.name);
    if (attribute.kind === 'scalar' && place?.kind === 'column') {
      const value = scalarValue(filler, type, attribute, row);
      const table = models.layout.get(type.uid)?.table ?? '';
      await database.script(`UPDATE ${id(table)} SET ${id(place.column)} = ${value} WHERE ${id('id')} = ${row}`);
    } else if (attribute.kind === 'component' || attribute.kind === 'dynamiczone') {
      await fillItems(filler, type, attribute, row);
    } else await fillLinks(filler, type, attribute, row);
  }
}

async function insertPermissions({ database, models }: Filler): Promise<void> {
  const { id } = database;
  const [count = []] = await database.rows(`SELECT count(*) FROM ${id('user_role_permissions')}`);
  if (Number(count[0]) > 0) return;
  for (const { uid } of models.model.contentTypes.filter(({ builtIn }) => !builtIn)) {
    const columns = ['role_id', 'action'].map(id).join(', ');
    await database.script(`INSERT INTO ${id('user_role_permissions')} (${columns}) VALUES (1, '${uid}.find')`);
  }
}

/** Makes a draft without values of the third entry of each type that has drafts. */
export async function emptyDrafts(database: TestDatabase, models: Models): Promise<void> {
  const { id } = database;
  for (const type of models.model.contentTypes.filter(({ draftAndPublish }) => draftAndPublish)) {
    const scalars = type.attributes.flatMap((attribute) => {
      const place = models.layout.get(type.uid)?.attributes.get(attribute.name);
      return attribute.kind === 'scalar' && place?.kind === 'column' ? [place.column] : [];
    });
    const set = [...scalars, 'published_at'].map((column) => `${id(column)} = NULL`).join(', ');
    await database.script(`UPDATE ${id(type.tableName)} SET ${set} WHERE ${id('id')} = 3`);
  }
}

/** Fills every table and attribute that has no data. `isLong`: some texts are longer than an index allows. */
export async function fillContent(
  database: TestDatabase,
  models: Models,
  nextItem: number,
  isLong = false,
): Promise<number> {
  const filler: Filler = { database, models, content: await readContent(database, models), nextItem, isLong };
  for (const type of models.model.contentTypes) {
    if (Object.keys(filler.content[type.uid] ?? {}).length === 0) await insertRows(filler, type);
  }
  const filled = { ...filler, content: await readContent(database, models) };
  for (const type of models.model.contentTypes) {
    for (const attribute of type.attributes) await fillAttribute(filled, type, attribute);
  }
  await insertPermissions(filler);
  return filled.nextItem;
}
