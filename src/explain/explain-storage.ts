/** Tables and columns of a type or an attribute. */
import type { Attribute, ContentType, RelationAttribute } from '../model/content-model.ts';
import type { Column, Index, StorageModel, Table } from '../storage/storage-model.ts';
import type { Section } from './section.ts';

interface Stored {
  readonly storage: StorageModel;
}

/** What the indexes that begin with a column say about it; `unique` may hold within each locale. */
function indexNote({ columns: all }: Table, indexes: readonly Index[]): string {
  const isLocale = (name: string): boolean => all.some((column) => column.name === name && column.role === 'locale');
  const unique = indexes
    .filter((index) => index.unique)
    .map(({ columns }) => columns.slice(1).filter((name) => !isLocale(name)));
  if (unique.some((others) => others.length === 0)) return 'unique';
  return unique.length > 0 ? `unique with ${unique.map((others) => others.join(' and ')).join(', with ')}` : 'indexed';
}

function columnRow(table: Table, column: Column): readonly string[] {
  const { name, type, nullable } = column;
  const key = table.foreignKeys.find((candidate) => candidate.column === name);
  const own = table.indexes.filter(({ columns }) => columns[0] === name);
  const indexes = own.filter(({ member }) => member === undefined);
  const members = own.flatMap(({ member }) => (member ? [member.path.join('.')] : []));
  const notes = [
    ...(table.primaryKey.includes(name) ? ['primary key'] : []),
    ...(key === undefined
      ? []
      : [`→ ${key.references}, on delete ${key.onDelete === 'setNull' ? 'set null' : key.onDelete}`]),
    ...(indexes.length > 0 ? [indexNote(table, indexes)] : []),
    ...(column.holds === undefined ? [] : ['the items as JSON']),
    ...(members.length > 0 ? [`indexed by ${members.join(', ')}`] : []),
    ...(column.role === 'position' || column.role === 'inversePosition' || column.role === 'listPosition'
      ? ['the order']
      : []),
  ];
  return [name, type, nullable ? 'null' : 'not null', notes.join(', ')];
}

function tableSection(table: Table, columns: readonly Column[] = table.columns): Section {
  return { title: `Table ${table.name}`, rows: columns.map((column) => columnRow(table, column)) };
}

function typeTable({ storage }: Stored, uid: string): Table | undefined {
  return storage.tables.find((table) => table.kind === 'type' && table.uid === uid);
}

function linkTables({ storage }: Stored, uid: string, attribute?: string): readonly Table[] {
  return storage.tables.filter(
    (table) =>
      (table.kind === 'link' || table.kind === 'morph') &&
      table.uid === uid &&
      (attribute === undefined || table.attribute === attribute),
  );
}

function componentLinks({ storage }: Stored, uid: string): readonly Table[] {
  return storage.tables.filter((table) => table.kind === 'componentLinks' && table.uid === uid);
}

export function typeStorage(models: Stored, { uid }: ContentType): readonly Section[] {
  const table = typeTable(models, uid);
  const links = [...linkTables(models, uid), ...componentLinks(models, uid)];
  return [...(table === undefined ? [] : [tableSection(table)]), ...links.map((link) => tableSection(link))];
}

export function attributeStorage(models: Stored, { uid }: ContentType, attribute: Attribute): readonly Section[] {
  if (attribute.kind === 'relation' && !attribute.owner) return inverseStorage(models, attribute);
  const table = typeTable(models, uid);
  const columns = table?.columns.filter((column) => column.attribute === attribute.name) ?? [];
  const holdsItems = attribute.kind === 'component' || attribute.kind === 'dynamiczone';
  const links = [...linkTables(models, uid, attribute.name), ...(holdsItems ? componentLinks(models, uid) : [])];
  return [
    ...(table === undefined || columns.length === 0 ? [] : [tableSection(table, columns)]),
    ...links.map((link) => tableSection(link)),
  ];
}

/** The inverse side of a relation has no column of its own, so the target's columns and link tables are shown. */
function inverseStorage(models: Stored, { targets, inverse }: RelationAttribute): readonly Section[] {
  const [target = ''] = targets;
  const table = typeTable(models, target);
  const columns = table?.columns.filter((column) => column.attribute === inverse) ?? [];
  const sections = [
    ...(table === undefined || columns.length === 0 ? [] : [tableSection(table, columns)]),
    ...linkTables(models, target, inverse).map((link) => tableSection(link)),
  ];
  return sections.map((section) => ({ ...section, title: `${section.title} (of ${target}.${inverse ?? ''})` }));
}
