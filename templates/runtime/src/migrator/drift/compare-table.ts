/** Compares a table of a database with what migrations have made. */
import type { DialectName } from '../../database/dialect.ts';
import type { ForeignKey } from '../../contract/stored-table.ts';
import type { Difference } from './difference.ts';
import type { FoundColumn, FoundIndex, FoundKey, FoundTable } from './found-table.ts';
import { isSameDefault } from './same-default.ts';
import type { StoredForm, StoredFormColumn, StoredFormIndex } from './stored-form.ts';

type Part = Omit<Difference, 'table'>;

function differs(expected: string, actual: string): string {
  return `is ${actual}, should be ${expected}`;
}

function shownDefault(text: string | number | boolean | undefined): string {
  return text === undefined ? 'without a default' : `with the default ${text}`;
}

/** The first difference of a column. */
function columnDetail(dialect: DialectName, wanted: StoredFormColumn, found: FoundColumn): string | undefined {
  const { type, nullable, stored } = wanted;
  if (found.type !== type) return differs(type, found.type);
  if (nullable !== undefined && found.nullable !== nullable) {
    const [expected, actual] = nullable ? ['NULL', 'NOT NULL'] : ['NOT NULL', 'NULL'];
    return differs(expected, actual);
  }
  if (!stored || isSameDefault(dialect, stored, found.default)) return undefined;
  return differs(shownDefault(stored.default), shownDefault(found.default));
}

function columnParts(dialect: DialectName, form: StoredForm, { columns }: FoundTable): readonly Part[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const own = form.columns.flatMap((wanted): readonly Part[] => {
    const found = byName.get(wanted.name);
    byName.delete(wanted.name);
    const part = { of: 'column', name: wanted.name } as const;
    if (!found) return [{ kind: 'missing', ...part, detail: wanted.type }];
    // The default of a generated id differs between engines, so it is not compared.
    const isId = form.primaryKey.length === 1 && form.primaryKey[0] === wanted.name && wanted.stored?.type === 'id';
    const detail = columnDetail(dialect, isId ? { ...wanted, stored: undefined } : wanted, found);
    return detail === undefined ? [] : [{ kind: 'changed', ...part, detail }];
  });
  const others = [...byName.values()].map(({ name, type }): Part => ({
    kind: 'undeclared',
    of: 'column',
    name,
    detail: type,
  }));
  return [...own, ...others];
}

function describeIndex({ columns, unique }: StoredFormIndex | FoundIndex): string {
  const list = columns.map((column) => column ?? 'an expression').join(', ');
  return `(${list})${unique ? ', unique' : ''}`;
}

function isSameIndex(wanted: StoredFormIndex, found: FoundIndex): boolean {
  // For an expression, the catalogue does not tell the column.
  const isSame = wanted.columns.every((column, at) => (found.columns[at] ?? column) === column);
  return isSame && wanted.columns.length === found.columns.length && wanted.unique === found.unique;
}

function indexDetail(wanted: StoredFormIndex, found: FoundIndex): string | undefined {
  if (!found.whole) return 'is incomplete: it does not contain all rows';
  return isSameIndex(wanted, found) ? undefined : differs(describeIndex(wanted), describeIndex(found));
}

function indexParts({ indexes, foreignKeys }: StoredForm, found: FoundTable): readonly Part[] {
  const byName = new Map(found.indexes.map((index) => [index.name, index]));
  const own = indexes.flatMap((wanted): readonly Part[] => {
    const index = byName.get(wanted.name);
    byName.delete(wanted.name);
    const part = { of: 'index', name: wanted.name } as const;
    if (!index) return [{ kind: 'missing', ...part, detail: describeIndex(wanted) }];
    const detail = indexDetail(wanted, index);
    return detail === undefined ? [] : [{ kind: 'changed', ...part, detail }];
  });
  // MySQL creates an index for a foreign key that has none, named like the key.
  const ofKeys = new Set(foreignKeys.map(({ name }) => name));
  const others = [...byName.values()]
    .filter(({ name }) => !ofKeys.has(name))
    .map((index): Part => ({ kind: 'undeclared', of: 'index', name: index.name, detail: describeIndex(index) }));
  return [...own, ...others];
}

const DELETE_RULES = { cascade: 'cascade', restrict: 'restrict', setNull: 'set null' } as const;

function describeKey({ column, references }: ForeignKey | FoundKey, rule: string): string {
  return `(${column}) to ${references}, on delete ${rule}`;
}

/** Matches foreign keys by name, or by column on SQLite, where they have no names. */
function keyParts({ foreignKeys }: StoredForm, found: FoundTable): readonly Part[] {
  const byName = new Map(found.foreignKeys.map((key) => [key.name ?? key.column, key]));
  const own = foreignKeys.flatMap((wanted): readonly Part[] => {
    const nameHere = byName.has(wanted.name) ? wanted.name : wanted.column;
    const key = byName.get(nameHere);
    const described = describeKey(wanted, DELETE_RULES[wanted.onDelete]);
    const part = { of: 'foreign key', name: wanted.name } as const;
    if (!key) return [{ kind: 'missing', ...part, detail: described }];
    byName.delete(nameHere);
    const shown = describeKey(key, key.onDelete);
    return shown === described ? [] : [{ kind: 'changed', ...part, detail: differs(described, shown) }];
  });
  const others = [...byName].map(([name, key]): Part => ({
    kind: 'undeclared',
    of: 'foreign key',
    name,
    detail: describeKey(key, key.onDelete),
  }));
  return [...own, ...others];
}

function triggerParts({ triggers }: StoredForm, found: FoundTable): readonly Part[] {
  const byName = new Map(found.triggers.map((trigger) => [trigger.name, trigger]));
  const own = triggers.flatMap((name): readonly Part[] => {
    const trigger = byName.get(name);
    byName.delete(name);
    if (trigger?.enabled) return [];
    return [{ kind: trigger ? 'changed' : 'missing', of: 'trigger', name, detail: trigger ? 'is switched off' : '' }];
  });
  const others = [...byName.keys()].map((name): Part => ({ kind: 'undeclared', of: 'trigger', name, detail: '' }));
  return [...own, ...others];
}

function primaryKeyParts({ primaryKey }: StoredForm, found: FoundTable): readonly Part[] {
  const [expected, actual] = [primaryKey, found.primaryKey].map((columns) => `(${columns.join(', ')})`);
  if (expected === undefined || actual === undefined || expected === actual) return [];
  const part = { of: 'primary key', name: primaryKey.join(', ') } as const;
  if (found.primaryKey.length === 0) return [{ kind: 'missing', ...part, detail: expected }];
  return [{ kind: 'changed', ...part, detail: differs(expected, actual) }];
}

/** The differences of one table; if it is missing, that is the only one. `tables`: all tables that were read. */
export function compareTable(
  dialect: DialectName,
  form: StoredForm,
  tables: ReadonlyMap<string, FoundTable>,
): readonly Difference[] {
  const found = tables.get(form.name);
  if (!found) return [{ kind: 'missing', of: 'table', table: form.name, name: form.name, detail: '' }];
  const wordTables = form.wordTables
    .filter((name) => !tables.has(name))
    .map((name): Part => ({
      kind: 'missing',
      of: 'table',
      name,
      detail: 'its full-text index',
    }));
  const parts = [
    ...columnParts(dialect, form, found),
    ...primaryKeyParts(form, found),
    ...indexParts(form, found),
    ...keyParts(form, found),
    ...triggerParts(form, found),
    ...wordTables,
  ];
  return parts.map((part) => ({ ...part, table: form.name }));
}
