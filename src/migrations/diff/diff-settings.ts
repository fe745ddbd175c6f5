/** Changes to the settings of types: names, locales and drafts. */
import { isDeepStrictEqual } from 'node:util';
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { LinkColumn } from '#contract/migrations/change.ts';
import type { Rename } from '#contract/migrations/plan.ts';
import { API_TOKEN_PERMISSIONS, ROLE_PERMISSIONS } from '../../storage/server-tables.ts';
import type { Column, ColumnRole, Table } from '../../storage/storage-model.ts';
import { columnWithRole, hasRole, isTypeTable, originOf, typeTable } from '../../storage/table-origin.ts';
import { hintWithQuery, type HintWriter } from '../sql/text/hint-sql.ts';
import { newNames } from './diff-columns.ts';
import type { TableDiff } from './table-diff.ts';
import type { DiffContext } from './diff-context.ts';
import { inOrder } from './rename-order.ts';

/** Whether a type is no longer localized. */
export function losesLocales(before: Table, after: Table): boolean {
  return isTypeTable(before) && hasRole(before, 'locale') && !hasRole(after, 'locale');
}

/** Tables with permissions, whose actions name types: `article.find`. */
const PERMISSION_TABLES = [ROLE_PERMISSIONS.name, API_TOKEN_PERMISSIONS.name];

function renameTypes({ draft, before, after }: DiffContext, renames: readonly Rename[]): void {
  const types = renames.filter(({ kind }) => kind === 'type');
  const permissions = PERMISSION_TABLES.filter((name) => after.tables.some((table) => table.name === name));
  const present = before.tables.some(({ name }) => name === ROLE_PERMISSIONS.name) ? permissions : [];
  const changes = types.map(({ from, to }) => ({ from, to, thing: to }));
  const taken = types.map(({ from }) => from);
  for (const { from, to, thing } of inOrder(changes, taken)) {
    const table = typeTable(after, thing);
    const old = typeTable(before, thing);
    const isSingle = table && old && hasRole(table, 'singleton') && hasRole(old, 'documentId');
    const single = isSingle && hasRole(table, 'documentId') ? { single: table.name } : {};
    draft.add('describe', { kind: 'renameType', from, to, permissions: present, ...single, cause: thing });
  }
}

/** The columns that identify a link together with its target; undefined if there may be many such links. */
function identityOf(table: Table, column: Column): readonly string[] | undefined {
  if (table.kind === 'componentLinks') {
    return table.columns.filter(({ role }) => OF_ITEM.has(role)).map(({ name }) => name);
  }
  const keys = [table.primaryKey, ...table.indexes.filter(({ unique }) => unique).map(({ columns }) => columns)];
  return keys.find((names) => names.includes(column.name))?.filter((name) => name !== column.name);
}

const OF_ITEM: ReadonlySet<ColumnRole> = new Set(['owner', 'item', 'itemAttribute']);
const POINTS_TO: ReadonlySet<ColumnRole> = new Set(['target', 'foreignKey']);

/** The existing columns of links to the entries of a table. */
function linksTo(target: string, diffs: readonly TableDiff[]): readonly LinkColumn[] {
  return diffs.flatMap(({ tables: { before, after }, columns }) =>
    columns.pairs.flatMap(({ after: column }): readonly LinkColumn[] => {
      const key = after.foreignKeys.find((one) => one.column === column.name);
      if (key?.references !== target || !POINTS_TO.has(column.role)) return [];
      const within = identityOf(after, column);
      const position = columnWithRole(after, 'position')?.name;
      return [
        {
          table: after.name,
          column: column.name,
          primaryKey: after.primaryKey,
          ...(within && { within }),
          ...(position !== undefined && { position }),
          ...(isTypeTable(after) && { isEntry: true as const }),
          ...(losesLocales(before, after) && { losesLocales: true as const }),
        },
      ];
    }),
  );
}

/** The lists that links are added to if they move: their positions are those of several lists. */
function joinedLists(
  { draft }: DiffContext,
  links: readonly LinkColumn[],
  diffs: readonly TableDiff[],
  cause: string,
): void {
  for (const { table, column } of links) {
    const diff = diffs.find(({ tables }) => tables.after.name === table);
    const own = diff?.columns.pairs.find(({ after }) => after.name === column)?.after;
    const isPosition = ({ role, attribute }: Column): boolean =>
      role === 'inversePosition' || (role === 'listPosition' && attribute === own?.attribute);
    const position = diff?.columns.pairs.find(({ after }) => isPosition(after))?.after.name;
    if (!diff || position === undefined) continue;
    const entry = columnWithRole(diff.tables.after, 'owner')?.name ?? COLUMN_NAMES.id;
    draft.add('data', { kind: 'numberLists', table, key: column, position, entry, cause });
  }
}

function dropOtherLocales(context: DiffContext, { tables }: TableDiff, diffs: readonly TableDiff[]): void {
  const { draft, before } = context;
  const { name } = tables.after;
  const uid = originOf(tables.after);
  const locales = before.locales ?? [];
  const links = linksTo(name, diffs);
  const rows = { of: 'otherLocales', locales, ...(links.length > 0 && { links }) } as const;
  draft.add('data', { kind: 'deleteRows', table: name, rows, cause: uid });
  joinedLists(context, links, diffs, uid);
  draft.lose({
    code: 'drops-locale',
    thing: `${uid}.localized`,
    message: `'${uid}' is no longer localized, so each entry would keep only its locale '${locales[0] ?? ''}', or the first of the other locales if it lacks that one${links.length === 0 ? '' : '; links to its other locales would move to the one that it keeps'}`,
    hint: hintWithQuery(
      context.databases,
      'Count the rows of each locale',
      ({ id }) => `SELECT locale, count(*) FROM ${id(name)} GROUP BY locale`,
      `To delete the other locales, pass --allow-destructive ${uid}.localized`,
    ),
    places: [uid],
  });
}

function publishDrafts({ draft, databases }: DiffContext, { tables: { after } }: TableDiff): void {
  const { name } = after;
  const uid = originOf(after);
  draft.lose({
    code: 'publishes',
    thing: `${uid}.draftAndPublish`,
    message: `'${uid}' no longer has drafts, so existing drafts, and changes of published entries that are not published, would become visible to everyone who can read the type`,
    hint: hintWithQuery(
      databases,
      'Count the drafts',
      ({ id }) => `SELECT count(*) FROM ${id(name)} WHERE ${id(COLUMN_NAMES.publishedAt)} IS NULL`,
      `Delete them first; or, to publish all of them, pass --allow-destructive ${uid}.draftAndPublish`,
    ),
    places: [uid],
  });
}

function removeLocales({ draft, databases, before, after }: DiffContext, diffs: readonly TableDiff[]): void {
  const [from, to] = [before.locales ?? [], after.locales ?? []];
  if (isDeepStrictEqual(from, to)) return;
  draft.add('describe', { kind: 'setLocales', from, to, cause: 'locales' });
  if (after.locales === undefined) return;
  for (const locale of from.filter((one) => !to.includes(one))) {
    const tables = diffs.filter(({ tables: pair }) => hasRole(pair.before, 'locale') && hasRole(pair.after, 'locale'));
    for (const { tables: pair } of tables) {
      const rows = { of: 'locale', locale } as const;
      draft.add('data', { kind: 'deleteRows', table: pair.after.name, rows, cause: originOf(pair.after) });
    }
    const query = ({ id, text }: HintWriter): string =>
      tables
        .map(({ tables: pair }) => `SELECT count(*) FROM ${id(pair.after.name)} WHERE locale = ${text(locale)}`)
        .join('; ');
    const rest = `To delete them, pass --allow-destructive locales.${locale}`;
    draft.lose({
      code: 'drops-locale',
      thing: `locales.${locale}`,
      message: `'${locale}' is no longer a locale, so all content in it would be deleted`,
      hint: hintWithQuery(databases, 'Add it to `locales` again. Count its rows', query, rest),
      places: [],
    });
  }
}

/** Deletes rows of morph tables and of component links whose target type is no longer allowed. */
function dropTargets({ draft }: DiffContext, diff: TableDiff): void {
  const { tables, columns, late } = diff;
  if (isTypeTable(tables.before)) return;
  const names = newNames(diff);
  for (const { name } of columns.gone.filter((column) => column.role === 'target' && late.has(column.name))) {
    const rows = { of: 'target', column: names.get(name) ?? name } as const;
    draft.add('data', { kind: 'deleteRows', table: tables.after.name, rows, cause: originOf(tables.after) });
  }
  const isOnlyOne = ({ indexes }: Table): boolean =>
    indexes.some((one) => one.unique && one.columns.join() === COLUMN_NAMES.owner);
  if (isOnlyOne(tables.before) || !isOnlyOne(tables.after)) return;
  const cause = originOf(tables.after);
  draft.add('data', { kind: 'deleteRows', table: tables.after.name, rows: { of: 'laterLinks' }, cause });
  draft.lose({
    code: 'narrows',
    thing: cause,
    message: `'${cause}' changes from a list to a single entry, so all but the first entry of each list would be removed from it`,
    hint: `Leave it a list. To delete the other links, pass --allow-destructive ${cause}`,
    places: [cause],
  });
}

/** Deletes permissions with rules if the schema has no rules any more: without their rules, they would reach everything. */
function dropRules({ draft, databases }: DiffContext, { tables: { after }, columns }: TableDiff): void {
  const gone = columns.gone.find(({ role }) => role === 'rule');
  if (!gone) return;
  const rows = { of: 'ruled', column: gone.name } as const;
  draft.add('data', { kind: 'deleteRows', table: after.name, rows, cause: originOf(after) });
  draft.lose({
    code: 'drops-rules',
    thing: 'permissions.rules',
    message:
      'no permission in the schema has a rule any more, so the permissions with rules that roles have in the database would be deleted: without their rules, they would reach everything',
    hint: hintWithQuery(
      databases,
      'Count them',
      ({ id }) => `SELECT count(*) FROM ${id(after.name)} WHERE ${id(gone.name)} IS NOT NULL`,
      'To delete them, pass --allow-destructive permissions.rules. Then give roles what the schema says: npm run server -- permissions apply',
    ),
    places: [],
  });
}

/** Adds the changes to types, locales, drafts and rules to the draft. */
export function diffSettings(context: DiffContext, diffs: readonly TableDiff[], renames: readonly Rename[]): void {
  renameTypes(context, renames);
  removeLocales(context, diffs);
  for (const diff of diffs) {
    const { before, after } = diff.tables;
    if (losesLocales(before, after)) dropOtherLocales(context, diff, diffs);
    const hadDrafts = isTypeTable(before) && hasRole(before, 'publishedAt');
    if (hadDrafts && !hasRole(after, 'publishedAt')) publishDrafts(context, diff);
    dropTargets(context, diff);
    dropRules(context, diff);
  }
}
