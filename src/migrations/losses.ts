/** What would be deleted with the columns and tables that go. */
import type { Column, Table } from '../storage/storage-model.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import type { TableDiff } from './table-diff.ts';
import type { Copy } from './diff-relations.ts';
import { isTypeTable, splitOrigin } from './relabel.ts';

function consent(thing: string): string {
  return `--allow-destructive ${thing}`;
}

function goneTypes({ draft, tables }: DiffContext): void {
  for (const table of tables.gone.filter(isTypeTable)) {
    const uid = table.origin;
    draft.lose({
      code: 'drops-type',
      thing: uid,
      message: `${table.builtIn ? `the built-in '${uid}' is no longer needed by` : `'${uid}' is no longer in`} the schema: its table '${table.name}' with all entries would be deleted`,
      hint: `Put '${uid}' back into the schema, or see what would go (SELECT count(*) FROM "${table.name}") and lose it: ${consent(uid)}`,
      places: [uid],
    });
  }
}

/** What the type of a new attribute of the same name is. */
function successor({ columns, tables }: TableDiff, column: Column): Column | undefined {
  const isForeign = (one: Column, table: Table): boolean => table.foreignKeys.some((key) => key.column === one.name);
  return columns.added.find(
    (one) =>
      one.origin === column.origin &&
      one.type !== 'position' &&
      isForeign(one, tables.after) === isForeign(column, tables.before),
  );
}

function changedType({ draft }: DiffContext, diff: TableDiff, column: Column, next: Column): void {
  const thing = causeOf(diff.tables.after, column.origin);
  const what =
    column.type === 'id'
      ? 'refers to entries of another type now'
      : column.type === next.type
        ? 'holds something else now'
        : `changes from ${column.type} to ${next.type}, and its values can't all be converted`;
  draft.lose({
    code: 'changes-type',
    thing,
    message: `'${thing}' ${what}: the values that are there would be deleted`,
    hint: `To keep them: 1. leave '${thing}' as it was, add an attribute of the new type under another name, and build; 2. content-gen migrations new, and write there how the new column "${next.name}" is filled from the old one; 3. take out the old attribute, give the new one its name with \`renamedFrom\`, and build. To lose them: ${consent(thing)}`,
    places: [thing],
  });
}

function goneColumn(context: DiffContext, diff: TableDiff, column: Column): void {
  const { draft } = context;
  const { before, after } = diff.tables;
  const next = successor(diff, column);
  if (next) return changedType(context, diff, column, next);
  const thing = causeOf(after, column.origin);
  draft.lose({
    code: 'drops-attribute',
    thing,
    message: `'${thing}' is no longer in the schema: the column '${column.name}' of the table '${before.name}' with all its values would be deleted`,
    hint: `Put the attribute back, or see what would go (SELECT count(*) FROM "${before.name}" WHERE "${column.name}" IS NOT NULL) and lose it: ${consent(thing)}`,
    places: [thing, after.origin],
  });
}

/** The order of a list, which goes with the attribute that shows it. */
function goneOrder({ draft, after }: DiffContext, table: Table, key: string, inverse: string | undefined): void {
  const references = table.foreignKeys.find(({ column }) => column === key)?.references;
  const uid = after.tables.find(({ name }) => name === references)?.origin;
  if (uid === undefined || inverse === undefined) return;
  const thing = `${uid}.${inverse}`;
  draft.lose({
    code: 'drops-order',
    thing,
    message: `'${thing}' is no longer a list of the schema: its order would be deleted; which entries belong to each other stays`,
    hint: `Put the attribute back, or lose the order: ${consent(thing)}`,
    places: [thing, uid],
  });
}

function goneColumns(context: DiffContext, diff: TableDiff, copied: ReadonlySet<Column>): void {
  const { before, after } = diff.tables;
  for (const column of diff.columns.gone) {
    if (copied.has(column)) continue;
    if (!isTypeTable(before)) {
      if (column.name === 'inverse_position') goneOrder(context, after, 'target_id', before.inverse);
      else goneTarget(context, diff, column);
    } else if (column.type === 'position') {
      const key = diff.columns.pairs.find((pair) => pair.before.type === 'id' && pair.before.origin === column.origin);
      if (key) goneOrder(context, after, key.after.name, key.before.inverse);
    } else if (column.origin !== undefined) goneColumn(context, diff, column);
  }
}

/** A type that a polymorphic relation can't name any more. Of a type that goes all links go. */
function goneTarget({ draft, after }: DiffContext, { tables }: TableDiff, { origin }: Column): void {
  const { before } = tables;
  if (origin === undefined || !splitOrigin(before.origin)[1].startsWith('.')) return;
  if (!after.tables.some((table) => table.origin === origin)) return;
  const thing = tables.after.origin;
  draft.lose({
    code: 'drops-links',
    thing,
    message: `'${thing}' can no longer name entries of '${origin}': its links to them would be deleted`,
    hint: `Put '${origin}' back into its \`targets\`, or lose the links: ${consent(thing)}`,
    places: [thing],
  });
}

function goneTables({ draft, tables, after }: DiffContext, copied: ReadonlySet<Table>): void {
  for (const table of tables.gone) {
    const [uid, rest] = splitOrigin(table.origin);
    const isTypeThere = after.tables.some(({ origin }) => origin === uid);
    // The links of components go with the attributes of the components, which are named themselves.
    if (!rest.startsWith('.') || !isTypeThere || copied.has(table)) continue;
    draft.lose({
      code: 'drops-links',
      thing: table.origin,
      message: `'${table.origin}' is no longer in the schema as it was: its table '${table.name}' with all links would be deleted`,
      hint: `Put the attribute back as it was, or see what would go (SELECT count(*) FROM "${table.name}") and lose it: ${consent(table.origin)}`,
      places: [table.origin, uid],
    });
  }
}

/** Adds to the draft which data goes with what is dropped. */
export function findLosses(context: DiffContext, diffs: readonly TableDiff[], copies: readonly Copy[]): void {
  goneTypes(context);
  const columns = new Set(copies.flatMap(({ from }) => from.column ?? []));
  const positions = copies.flatMap(({ from: { table, column } }) =>
    column ? table.columns.filter((one) => one.type === 'position' && one.origin === column.origin) : [],
  );
  for (const diff of diffs) goneColumns(context, diff, new Set([...columns, ...positions]));
  goneTables(context, new Set(copies.flatMap(({ from }) => (from.column ? [] : [from.table]))));
}
