/** The data that would be deleted with dropped columns and tables. */
import type { Column, Table } from '../../storage/storage-model.ts';
import { columnWithRole, hasRole, isTypeTable, originOf, typeTable, uidOf } from '../../storage/table-origin.ts';
import { isPublishedLabel } from '../../storage/published-layout.ts';
import { type HintQuery, hintWithQuery } from '../sql/text/hint-sql.ts';
import { conversionOf, typeInWords } from './conversion.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { orderLoss } from './order-loss.ts';
import type { TableDiff } from './table-diff.ts';
import type { Copy } from './diff-relations.ts';

function consent(thing: string): string {
  return `pass --allow-destructive ${thing}`;
}

/** How to keep what would be deleted, a query that counts it, and the consent. */
function keepOrDelete({ databases }: DiffContext, keep: string, what: string, query: HintQuery, thing: string): string {
  return hintWithQuery(databases, `${keep}. Count ${what}`, query, `To delete them, ${consent(thing)}`);
}

function goneTypes(context: DiffContext): void {
  const { draft, tables } = context;
  for (const table of tables.gone.filter(isTypeTable)) {
    const { uid } = table;
    // Published versions go with the drafts of their entries, or when their type no longer has drafts.
    if (isPublishedLabel(uid)) continue;
    draft.lose({
      code: 'drops-type',
      thing: uid,
      message: `${table.builtIn ? `the schema no longer needs the built-in type '${uid}'` : `'${uid}' is no longer in the schema`}, so its table '${table.name}' would be deleted with all entries`,
      hint: keepOrDelete(
        context,
        `Add '${uid}' to the schema again`,
        'its entries',
        ({ id }) => `SELECT count(*) FROM ${id(table.name)}`,
        uid,
      ),
      places: [uid],
    });
  }
}

/** The new column of an attribute that keeps its name but can't keep its values. */
function successor({ columns, tables }: TableDiff, column: Column): Column | undefined {
  const isForeign = (one: Column, table: Table): boolean => table.foreignKeys.some((key) => key.column === one.name);
  return columns.added.find(
    (one) =>
      one.attribute === column.attribute &&
      one.role !== 'listPosition' &&
      isForeign(one, tables.after) === isForeign(column, tables.before),
  );
}

/** How to keep the values of a column that can't become `next` at once. */
function wayToKeep(thing: string, column: Column, next: Column): string {
  if (next.values && conversionOf(column.type, 'string') === 'safe') {
    const [first = 'new'] = next.values;
    const example = column.type === 'boolean' ? `'true': ${first}` : `'1': ${first}`;
    return `1. change its type to string, and build; 2. change it to the enumeration, with replacements such as enumFrom: { ${example} }, and build again`;
  }
  return `1. restore the old definition of '${thing}', add an attribute of the new type with another name, and build; 2. run npx content-gen migrations new NAME, and write SQL that fills the new column from the old one "${column.name}"; 3. remove the old attribute, rename the new one to it with \`renamedFrom\`, and build`;
}

function changedType({ draft }: DiffContext, diff: TableDiff, column: Column, next: Column): void {
  const thing = causeOf(diff.tables.after, column.attribute);
  const what =
    column.role === 'foreignKey'
      ? 'now refers to another type'
      : column.type === next.type
        ? 'now has another kind of value'
        : `changes from ${typeInWords(column.type)} to ${next.values ? 'an enumeration' : typeInWords(next.type)}, and not all values can be converted`;
  draft.lose({
    code: 'changes-type',
    thing,
    message: `'${thing}' ${what}, so its existing values would be deleted`,
    hint: `To keep them: ${wayToKeep(thing, column, next)}. To delete them, ${consent(thing)}`,
    places: [thing],
  });
}

function goneColumn(context: DiffContext, diff: TableDiff, column: Column): void {
  const { draft } = context;
  const { before, after } = diff.tables;
  const next = successor(diff, column);
  if (next) return changedType(context, diff, column, next);
  const thing = causeOf(after, column.attribute);
  draft.lose({
    code: 'drops-attribute',
    thing,
    message: `'${thing}' is no longer in the schema, so the column '${column.name}' of the table '${before.name}' would be deleted with all its values`,
    hint: keepOrDelete(
      context,
      'Restore the attribute',
      'its values',
      ({ id }) => `SELECT count(*) FROM ${id(before.name)} WHERE ${id(column.name)} IS NOT NULL`,
      thing,
    ),
    places: [thing, originOf(after)],
  });
}

/** The loss of the order of a list, which is deleted with the inverse attribute. */
function goneOrder({ draft, after }: DiffContext, table: Table, key: string, inverse: string | undefined): void {
  const references = table.foreignKeys.find(({ column }) => column === key)?.references;
  const target = after.tables.find(({ name }) => name === references);
  const uid = target && uidOf(target);
  if (uid === undefined || inverse === undefined) return;
  orderLoss(draft, uid, inverse);
}

/** The loss of document ids. Types that were localized have them anyway: if they no longer are, that asks for consent. */
function goneDocuments({ draft }: DiffContext, { tables: { before } }: TableDiff): void {
  if (!isTypeTable(before) || hasRole(before, 'locale')) return;
  const thing = 'api.format';
  draft.lose({
    code: 'drops-documents',
    thing,
    message: `'${thing}' is no longer set, so the document ids of all entries would be deleted, and entries would get others if it were set again`,
    hint: `To keep them, set it to the default: api: { format: v4 }. To delete them, ${consent(thing)}`,
    places: [],
  });
}

function goneColumns(context: DiffContext, diff: TableDiff, copied: ReadonlySet<Column>): void {
  const { before, after } = diff.tables;
  for (const column of diff.columns.gone) {
    // What visitors see of a relation goes with the relation, or when the other type no longer has drafts: each asks for itself.
    if (copied.has(column) || isPublishedLabel(column.attribute ?? '')) continue;
    switch (column.role) {
      case 'inversePosition': {
        const target = columnWithRole(after, 'target')?.name ?? '';
        goneOrder(context, after, target, before.kind === 'link' ? before.inverse : undefined);
        break;
      }
      case 'listPosition': {
        const isKey = ({ role, attribute }: Column): boolean => role === 'foreignKey' && attribute === column.attribute;
        const key = diff.columns.pairs.find((pair) => isKey(pair.before));
        if (key) goneOrder(context, after, key.after.name, key.before.inverse);
        break;
      }
      case 'documentId':
        goneDocuments(context, diff);
        break;
      case 'target':
        goneTarget(context, diff, column);
        break;
      case 'attribute':
      case 'foreignKey':
        goneColumn(context, diff, column);
        break;
      default:
    }
  }
}

/** The loss of links to a type that is no longer a target of a polymorphic relation. Not reported if the type itself is dropped. */
function goneTarget({ draft, after }: DiffContext, { tables }: TableDiff, { targetType }: Column): void {
  if (tables.before.kind !== 'morph' || targetType === undefined || !typeTable(after, targetType)) return;
  const thing = originOf(tables.after);
  draft.lose({
    code: 'drops-links',
    thing,
    message: `'${targetType}' is no longer a target of '${thing}', so links to its entries would be deleted`,
    hint: `Add '${targetType}' to its \`targets\` again. To delete the links, ${consent(thing)}`,
    places: [thing],
  });
}

function goneTables(context: DiffContext, copied: ReadonlySet<Table>): void {
  const { draft, tables, after } = context;
  for (const table of tables.gone) {
    // Losses of component links are reported for the attributes of the components.
    if (table.kind !== 'link' && table.kind !== 'morph') continue;
    if (!typeTable(after, table.uid) || copied.has(table)) continue;
    const thing = originOf(table);
    draft.lose({
      code: 'drops-links',
      thing,
      message: `'${thing}' was removed or changed, so its table '${table.name}' would be deleted with all links`,
      hint: keepOrDelete(
        context,
        'Restore the old definition of the attribute',
        'its links',
        ({ id }) => `SELECT count(*) FROM ${id(table.name)}`,
        thing,
      ),
      places: [thing, table.uid],
    });
  }
}

/** Adds the losses of dropped tables and columns to the draft. */
export function findLosses(context: DiffContext, diffs: readonly TableDiff[], copies: readonly Copy[]): void {
  goneTypes(context);
  const columns = new Set(copies.flatMap(({ from }) => from.column ?? []));
  const positions = copies.flatMap(({ from: { table, column } }) =>
    column ? table.columns.filter((one) => one.role === 'listPosition' && one.attribute === column.attribute) : [],
  );
  for (const diff of diffs) goneColumns(context, diff, new Set([...columns, ...positions]));
  goneTables(context, new Set(copies.flatMap(({ from }) => (from.column ? [] : [from.table]))));
}
