/** Changes to the columns and indexes of an existing table. */
import { isDeepStrictEqual } from 'node:util';
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Change } from '#contract/migrations/change.ts';
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import { isComputed } from '#contract/stored-table.ts';
import type { Column, ForeignKey, Index, Table } from '../../storage/storage-model.ts';
import { claimedColumn } from '../../storage/claim-column.ts';
import { isPublishedLabel, schemaName } from '../../storage/published-layout.ts';
import { hasRole, isTypeTable } from '../../storage/table-origin.ts';
import { labelOf } from '../history/column-label.ts';
import { hintWithQuery, type HintWriter } from '../sql/text/hint-sql.ts';
import { addMoved, alterColumns, keyOf, loosenMoved } from './alter-columns.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { diffValues, mayLackValues } from './diff-values.ts';
import type { Draft } from './draft.ts';
import { memberLoss } from './member-loss.ts';
import { type Pair, pairIndexes } from './pair.ts';
import { type Repeated, repeatedQuery } from './repeated-values.ts';
import { inOrder, spareName } from './rename-order.ts';
import type { TableDiff } from './table-diff.ts';

/** Old column name → its name after the renames, including columns that are dropped late. */
export function newNames({ tables, columns, late }: TableDiff): ReadonlyMap<string, string> {
  const names = new Map(columns.pairs.map(({ before, after }) => [before.name, after.name]));
  const wanted = new Set(tables.after.columns.map(({ name }) => name));
  const taken = new Set([...wanted, ...tables.before.columns.map(({ name }) => name)]);
  for (const { name } of columns.gone) {
    if (late.has(name)) names.set(name, wanted.has(name) ? spareName(name, taken) : name);
  }
  return names;
}

function dropEarly(draft: Draft, { tables: { before }, columns, late }: TableDiff): ReadonlySet<Index> {
  const early = columns.gone.filter(({ name }) => !late.has(name));
  const names = new Set(early.map(({ name }) => name));
  const indexes = before.indexes.filter((index) => index.columns.some((name) => names.has(name)));
  for (const index of indexes) {
    const cause = causeOfIndex({ before, after: before }, index);
    draft.add('dropEarly', { kind: 'dropIndex', table: before.name, index, cause });
  }
  for (const column of early) {
    const cause = causeOf(before, column.attribute);
    draft.add('dropEarly', { kind: 'dropColumn', table: before.name, column, ...keyOf(before, column.name), cause });
  }
  return new Set(indexes);
}

function renameColumns(draft: Draft, { tables, columns }: TableDiff, names: ReadonlyMap<string, string>): void {
  const all = [...names].map(([from, to]) => ({ from, to, thing: undefined }));
  for (const { from, to } of inOrder(all, names.keys())) {
    const attribute = columns.pairs.find(({ before }) => before.name === from)?.after.attribute;
    const cause = causeOf(tables.after, attribute);
    draft.add('renameColumn', { kind: 'renameColumn', table: tables.after.name, from, to, cause });
  }
}

/** Until the document ids of the drafts are copied. */
const OF_DRAFT = '-';

/** For a column of the published state in the row of a draft: the column of the draft. */
function draftColumn({ columns }: Table, { role, attribute }: Column): string | undefined {
  if (attribute === undefined || !isPublishedLabel(attribute)) return undefined;
  return columns.find((one) => one.role === role && one.attribute === schemaName(attribute))?.name;
}

/** The value that existing rows get in a new column; empty if there is none. */
export function fillOf(
  { after }: DiffContext,
  { tables }: TableDiff,
  column: Column,
): Partial<Extract<Change, { kind: 'addColumn' }>> {
  const table = tables.after;
  const sibling = draftColumn(table, column);
  if (sibling) return tables.before.columns.some(({ name }) => name === sibling) ? { fillFrom: sibling } : {};
  // Entries created without drafts are published.
  if (column.role === 'publishedAt') return { fillFrom: COLUMN_NAMES.createdAt };
  // A list without an order gets the order in which its entries were created.
  if (column.type === 'position') {
    return { fillFrom: table.primaryKey[0] ?? COLUMN_NAMES.id };
  }
  if (!isTypeTable(table)) return {};
  if (column.role === 'documentId') {
    if (isPublishedLabel(table.uid)) return { fillDocument: OF_DRAFT };
    return { fillDocument: hasRole(table, 'singleton') && hasRole(table, 'locale') ? table.uid : true };
  }
  const [locale] = after.locales ?? [];
  return column.role === 'locale' && locale !== undefined ? { fillWith: locale } : {};
}

function addColumns(context: DiffContext, diff: TableDiff): void {
  const table = diff.tables.after;
  for (const column of diff.columns.added) {
    if (diff.moved.to.has(column.name) && !column.nullable) {
      addMoved(context, diff, column);
      continue;
    }
    const cause = causeOf(table, column.attribute);
    const fill = fillOf(context, diff, column);
    const change = {
      kind: 'addColumn',
      table: table.name,
      column,
      ...keyOf(table, column.name),
      ...fill,
      cause,
    } as const;
    context.draft.add('add', change);
    const isFilled = [fill.fillFrom, fill.fillDocument, fill.fillWith].some((given) => given !== undefined);
    const isOptional = column.nullable && column.required === undefined;
    if (isFilled || isOptional || column.default !== undefined) continue;
    const isPublished = column.required === 'published';
    const query = ({ id }: HintWriter): string =>
      `SELECT count(*) FROM ${id(table.name)}${isPublished ? ` WHERE ${id(COLUMN_NAMES.publishedAt)} IS NOT NULL` : ''}`;
    const intro = `${column.role === 'foreignKey' ? 'Omit' : "Add a default (the attribute can't be unique then), or omit"} \`required: true\` until every entry has a value. Or count these entries`;
    const rest = `If the count is 0 in every database, pass --allow-destructive ${cause}`;
    context.draft.lose({
      code: 'lacks-value',
      thing: cause,
      message: `'${cause}' is new and required, but existing ${isPublished ? 'published ' : ''}entries in the table '${table.name}' would have no value for it`,
      hint: hintWithQuery(context.databases, intro, query, rest),
      places: [cause],
    });
  }
}

function renamedIndex(index: Index, names: ReadonlyMap<string, string>): Index {
  return { ...index, columns: index.columns.map((name) => names.get(name) ?? name) };
}

/** The attributes of an index in its order, each once. */
function attributesOf({ columns }: Table, index: Index): readonly string[] {
  const names = index.columns.flatMap((name) => columns.find((column) => column.name === name)?.attribute ?? []);
  return [...new Set(names)];
}

/** A combination of attributes that must be unique is named by all of them: `booking.event+author`. */
function causeOfIndex({ after }: Pair<Table>, index: Index): string {
  const attributes = attributesOf(after, index);
  return causeOf(after, index.unique && attributes.length > 0 ? attributes.join('+') : attributes[0]);
}

function diffIndexes(
  context: DiffContext,
  diff: TableDiff,
  names: ReadonlyMap<string, string>,
  dropped: ReadonlySet<Index>,
): void {
  const { draft } = context;
  const { tables, columns } = diff;
  const table = tables.after.name;
  const stay = new Map(columns.pairs.map(({ before, after }) => [before.name, after.name]));
  const { pairs, gone, added } = pairIndexes(tables, stay);
  const altered = alterColumns(
    context,
    diff,
    pairs.map(({ after }) => after),
  );
  for (const index of gone) {
    if (dropped.has(index)) continue;
    if (isComputed(index)) {
      const cause = causeOfIndex({ before: tables.before, after: tables.before }, index);
      draft.add('dropEarly', { kind: 'dropIndex', table: tables.before.name, index, cause });
      continue;
    }
    const now = { ...renamedIndex(index, names), name: diff.aside.get(index.name) ?? index.name };
    draft.add('unindex', { kind: 'dropIndex', table, index: now, cause: causeOfIndex(tables, now) });
  }
  for (const index of added) {
    const phase = isComputed(index) || index.columns.some((name) => altered.has(name)) ? 'indexAltered' : 'index';
    const cause = causeOfIndex(tables, index);
    draft.add(phase, { kind: 'createIndex', table, index, cause });
    if (index.unique) uniqueLoss(context, diff, index);
    if (index.member) memberLoss(context, diff, index, index.member);
  }
}

/** The hint on values that must be unique from now on. */
function uniqueHint({ databases }: DiffContext, thing: string, table: string, repeated: Repeated): string {
  const rest = `If this returns no rows in any database, pass --allow-destructive ${thing}`;
  return hintWithQuery(databases, 'List the duplicates', repeatedQuery(table, repeated), rest);
}

/** The loss of a many-to-one relation that becomes one-to-one. */
function uniqueRelationLoss(
  { draft, databases }: DiffContext,
  thing: string,
  { table, given, columns }: Repeated & { readonly table: string },
): void {
  const query = (writer: HintWriter): string => {
    const { id } = writer;
    const column = id(given[0] ?? '');
    const firsts = `SELECT first_id FROM (SELECT MIN(${id('id')}) AS first_id FROM ${id(table)} WHERE ${column} IS NOT NULL GROUP BY ${columns.map(id).join(', ')}) AS firsts`;
    return `${repeatedQuery(table, { columns, given })(writer)}; and to keep only the first reference to each: UPDATE ${id(table)} SET ${column} = NULL WHERE ${column} IS NOT NULL AND ${id('id')} NOT IN (${firsts})`;
  };
  const rest = `To change them in every database, write the UPDATE in a migration (npx content-gen migrations new). Once no entry is shared, pass --allow-destructive ${thing}`;
  draft.lose({
    code: 'unique',
    thing,
    message: `'${thing}' becomes a one-to-one relation, and the migration fails if several entries refer to the same one`,
    hint: hintWithQuery(databases, 'To list the shared entries', query, rest),
    places: [thing],
  });
}

/**
 * The loss of a combination of attributes that becomes unique. There is none if one of its columns is new and empty, since nulls
 * are not compared.
 */
function combinationLoss(context: DiffContext, { tables: { after }, columns }: TableDiff, index: Index): void {
  const isEmpty = columns.added.some((column) => index.columns.includes(column.name) && column.default === undefined);
  if (isEmpty) return;
  const attributes = attributesOf(after, index);
  const thing = causeOf(after, attributes.join('+'));
  context.draft.lose({
    code: 'unique',
    thing,
    message: `${attributes.map((name) => `'${causeOf(after, name)}'`).join(' and ')} become unique together, and the migration fails if several entries have the same values`,
    hint: uniqueHint(context, thing, after.name, { columns: index.columns, given: index.columns }),
    places: attributes.map((name) => causeOf(after, name)),
  });
}

/** The loss of a new unique index. There is none if a stricter index existed, or if its columns are new. */
function uniqueLoss(context: DiffContext, diff: TableDiff, index: Index): void {
  const { tables, columns } = diff;
  const stay = new Map(columns.pairs.map(({ before, after }) => [before.name, after.name]));
  if (columns.gone.some(({ role }) => role === 'locale')) return;
  const wasUnique = tables.before.indexes.some(
    (before) => before.unique && before.columns.every((name) => index.columns.includes(stay.get(name) ?? '')),
  );
  if (wasUnique) return;
  if (attributesOf(tables.after, index).length > 1) return combinationLoss(context, diff, index);
  const isNamed = ({ attribute, targetType }: Column): boolean => (attribute ?? targetType) !== undefined;
  const own = columns.pairs.find(({ after }) => isNamed(after) && index.columns.includes(after.name));
  if (!own) return;
  const thing = causeOf(tables.after, own.after.attribute);
  const repeated = { columns: index.columns, given: [own.after.name] };
  if (own.after.type === 'id') {
    return uniqueRelationLoss(context, thing, { table: tables.after.name, ...repeated });
  }
  context.draft.lose({
    code: 'unique',
    thing,
    message: `'${thing}' becomes unique, and the migration fails if several entries have the same value`,
    hint: uniqueHint(context, thing, tables.after.name, repeated),
    places: [thing],
  });
}

function relabelColumns(context: DiffContext, { tables, columns }: TableDiff): void {
  const { draft, recordedTables } = context;
  const old = recordedTables.get(tables.before.name);
  for (const { before, after } of columns.pairs) {
    const was = old?.columns.find(({ name }) => name === before.name) ?? before;
    const [from, to] = [labelOf(was), labelOf(after)];
    if (isDeepStrictEqual(from, to)) continue;
    const cause = causeOf(tables.after, after.attribute);
    const checked = mayLackValues(context, { before, after }) ? ({ checked: true } as const) : {};
    const change = {
      kind: 'relabelColumn',
      table: tables.after.name,
      column: after.name,
      from,
      to,
      ...checked,
    } as const;
    draft.add('describe', { ...change, cause });
  }
}

/** Lets entries claim values that have become unique in all locales. */
function claimValues({ draft }: DiffContext, { tables, columns }: TableDiff): void {
  const table = tables.after;
  for (const { name: claim } of columns.added) {
    const column = claimedColumn(table, claim);
    // Drafts may repeat values, and claim none.
    const isUnique = table.indexes.some(({ unique, columns: own }) => unique && own.includes(claim));
    if (!column || !isUnique) continue;
    const cause = causeOf(table, column.attribute);
    draft.add('data', { kind: 'claimValues', table: table.name, column: column.name, claim, cause });
  }
}

/** Adds the changes to the columns, keys and indexes of an existing table to the draft. */
export function diffColumns(context: DiffContext, diff: TableDiff): void {
  const { draft } = context;
  const dropped = dropEarly(draft, diff);
  const names = newNames(diff);
  renameColumns(draft, diff, names);
  relabelColumns(context, diff);
  addColumns(context, diff);
  claimValues(context, diff);
  diffIndexes(context, diff, names, dropped);
  diffValues(context, diff);
  for (const { name } of diff.columns.gone) {
    if (diff.late.has(name)) dropLate(context, diff, name, names.get(name) ?? name);
  }
}

/** The foreign key of a column that is dropped late, by its names at that time. */
function lateKey(
  { names }: DiffContext,
  { tables, aside }: TableDiff,
  name: string,
  now: string,
): ForeignKey | undefined {
  const { foreignKey: key } = keyOf(tables.before, name);
  if (!key) return undefined;
  const references = names.get(key.references) ?? key.references;
  return { ...key, name: aside.get(key.name) ?? key.name, column: now, references };
}

function dropLate(context: DiffContext, diff: TableDiff, name: string, now: string): void {
  const { draft } = context;
  const { locales = [] } = context.before;
  const { before, after } = diff.tables;
  const column = before.columns.find((one) => one.name === name);
  if (!column) return;
  const foreignKey = lateKey(context, diff, name, now);
  const cause = causeOf(after, column.attribute);
  const own = { ...column, name: now };
  const isMoved = foreignKey && isRequiredKey(column) && diff.moved.from.has(name);
  const [locale] = locales;
  // For undoing: the remaining rows are all in this locale.
  const isLocale = column.role === 'locale' && locale !== undefined;
  draft.add('dropLate', {
    kind: 'dropColumn',
    table: after.name,
    column: isMoved ? loosenMoved(context, after.name, own, foreignKey, cause) : own,
    ...(isLocale ? { fillWith: locale } : {}),
    ...(foreignKey ? { foreignKey } : {}),
    cause,
  });
}
