/** Changes to the settings of types: names, locales and drafts. */
import { isDeepStrictEqual } from 'node:util';
import { COLUMN_NAMES } from '../../storage/column-names.ts';
import { API_TOKEN_PERMISSIONS, ROLE_PERMISSIONS } from '../../storage/server-tables.ts';
import type { Table } from '../../storage/storage-model.ts';
import { hasRole, isTypeTable, originOf, typeTable } from '../../storage/table-origin.ts';
import { newNames } from './diff-columns.ts';
import type { TableDiff } from './table-diff.ts';
import type { DiffContext } from './diff-context.ts';
import type { Rename } from '../history/rename.ts';
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

function dropOtherLocales({ draft, before }: DiffContext, { tables }: TableDiff): void {
  const { name } = tables.after;
  const uid = originOf(tables.after);
  const locales = before.locales ?? [];
  const rows = { of: 'otherLocales', locales } as const;
  draft.add('data', { kind: 'deleteRows', table: name, rows, cause: uid });
  draft.lose({
    code: 'drops-locale',
    thing: `${uid}.localized`,
    message: `'${uid}' is no longer localized, so each entry would keep only its locale '${locales[0] ?? ''}', or the first of the other locales if it lacks that one`,
    hint: `Count the rows of each locale: SELECT locale, count(*) FROM "${name}" GROUP BY locale. To delete the other locales, pass --allow-destructive ${uid}.localized`,
    places: [uid],
  });
}

function publishDrafts({ draft }: DiffContext, { tables: { after } }: TableDiff): void {
  const { name } = after;
  const uid = originOf(after);
  draft.lose({
    code: 'publishes',
    thing: `${uid}.draftAndPublish`,
    message: `'${uid}' no longer has drafts, so existing drafts would become visible to everyone who can read the type`,
    hint: `Count the drafts: SELECT count(*) FROM "${name}" WHERE "${COLUMN_NAMES.publishedAt}" IS NULL. Delete them first; or, to publish all of them, pass --allow-destructive ${uid}.draftAndPublish`,
    places: [uid],
  });
}

function removeLocales({ draft, before, after }: DiffContext, diffs: readonly TableDiff[]): void {
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
    const counts = tables.map(
      ({ tables: pair }) => `SELECT count(*) FROM "${pair.after.name}" WHERE locale = '${locale}'`,
    );
    draft.lose({
      code: 'drops-locale',
      thing: `locales.${locale}`,
      message: `'${locale}' is no longer a locale, so all content in it would be deleted`,
      hint: `Add it to \`locales\` again. To delete its content (count it with ${counts.join('; ')}), pass --allow-destructive locales.${locale}`,
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

/** Adds the changes to types, locales and drafts to the draft. */
export function diffSettings(context: DiffContext, diffs: readonly TableDiff[], renames: readonly Rename[]): void {
  renameTypes(context, renames);
  removeLocales(context, diffs);
  for (const diff of diffs) {
    const { before, after } = diff.tables;
    if (losesLocales(before, after)) dropOtherLocales(context, diff);
    const hadDrafts = isTypeTable(before) && hasRole(before, 'publishedAt');
    if (hadDrafts && !hasRole(after, 'publishedAt')) publishDrafts(context, diff);
    dropTargets(context, diff);
  }
}
