/** References to rows of localized types that become references to entries, whatever row they name. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import type { Column, Table } from '../../storage/storage-model.ts';
import { hasRole, isTypeTable } from '../../storage/table-origin.ts';
import { type HintQuery, hintWithQuery } from '../sql/text/hint-sql.ts';
import { causeOf, type DiffContext } from './diff-context.ts';

/** The lists, on the other side, that these references form. */
function listsOf({ columns }: Table, { name, role, attribute }: Column) {
  const place = columns.find((one) =>
    role === 'foreignKey' ? one.role === 'listPosition' && one.attribute === attribute : one.role === 'inversePosition',
  );
  const entry = role === 'foreignKey' ? NAMES.id : NAMES.owner;
  return place ? [{ key: name, position: place.name, entry }] : [];
}

/** Gives the members of the lists that references form places of their own. */
export function numberPlaces({ draft }: DiffContext, table: Table, column: Column): void {
  const cause = causeOf(table, column.attribute);
  for (const list of listsOf(table, column)) {
    draft.add('data', { kind: 'numberLists', table: table.name, ...list, cause });
  }
}

interface References {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  readonly unique: readonly string[];
}

/** A query for the entries that several rows refer to. */
function repeatedEntries({ table, column, target, unique }: References): HintQuery {
  return ({ id }) => {
    const others = unique.filter((name) => name !== column).map((name) => `owners.${id(name)}`);
    const list = [`entries.${id(NAMES.documentId)}`, ...others].join(', ');
    const joined = `${id(table)} AS owners JOIN ${id(target)} AS entries ON entries.${id(NAMES.id)} = owners.${id(column)}`;
    return `SELECT ${list}, count(*) FROM ${joined} GROUP BY ${list} HAVING count(*) > 1`;
  };
}

/** The loss where an entry can be referred to once: others may refer to further locales of it. */
function uniqueLoss({ draft, databases }: DiffContext, references: References, cause: string): void {
  draft.lose({
    code: 'unique',
    thing: cause,
    message: `'${cause}' is now a relation to entries in all their locales, so of several references to locales of one entry only the first would be kept`,
    hint: hintWithQuery(
      databases,
      'List the entries with several references',
      repeatedEntries(references),
      `To keep the first reference to each, pass --allow-destructive ${cause}`,
    ),
    places: [cause],
  });
}

/** Makes references refer to the first row of each entry. A type that was not localized has one row for each anyway. */
export function nameEntries(context: DiffContext, table: Table, column: Column): void {
  const { draft, tables } = context;
  const target = table.foreignKeys.find((key) => key.column === column.name)?.references;
  const wasLocalized = tables.pairs.some(({ before, after }) => after.name === target && hasRole(before, 'locale'));
  if (target === undefined || !wasLocalized) return;
  const cause = causeOf(table, column.attribute);
  const change = { kind: 'nameEntries', table: table.name, column: column.name, target, cause } as const;
  const unique = isTypeTable(table)
    ? table.indexes.find((index) => index.unique && index.columns[0] === column.name)?.columns
    : undefined;
  const owner = isTypeTable(table) ? {} : { owner: [NAMES.owner] };
  draft.add('data', { ...change, ...owner, ...(unique && { unique }) });
  if (unique) uniqueLoss(context, { table: table.name, column: column.name, target, unique }, cause);
  numberPlaces(context, table, column);
}
