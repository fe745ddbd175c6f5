/** What becomes of whole types: their names, locales and drafts. */
import { isDeepStrictEqual } from 'node:util';
import type { Table } from '../storage/storage-model.ts';
import { newNames } from './diff-columns.ts';
import type { TableDiff } from './table-diff.ts';
import type { DiffContext } from './diff-context.ts';
import type { Rename } from './rename.ts';
import { inOrder } from './rename-order.ts';
import { isTypeTable } from './relabel.ts';

/** Whether a table has a column that the server itself needs. */
export function hasServerColumn({ columns }: Table, name: string): boolean {
  return columns.some((column) => column.name === name && column.origin === undefined);
}

/** Whether a type is no longer localized. */
export function losesLocales(before: Table, after: Table): boolean {
  return isTypeTable(before) && hasServerColumn(before, 'locale') && !hasServerColumn(after, 'locale');
}

/** Tables whose rows say what may be done with a type: `article.find`. */
const PERMISSION_TABLES = ['user_role_permissions', 'api_token_permissions'];

function renameTypes({ draft, before, after }: DiffContext, renames: readonly Rename[]): void {
  const types = renames.filter(({ kind }) => kind === 'type');
  const permissions = PERMISSION_TABLES.filter((name) => after.tables.some((table) => table.name === name));
  const present = before.tables.some(({ name }) => name === PERMISSION_TABLES[0]) ? permissions : [];
  const changes = types.map(({ from, to }) => ({ from, to, thing: to }));
  const taken = types.map(({ from }) => from);
  for (const { from, to, thing } of inOrder(changes, taken)) {
    const table = after.tables.find(({ origin }) => origin === thing);
    const old = before.tables.find(({ origin }) => origin === thing);
    const isSingle = table && old && hasServerColumn(table, 'singleton') && hasServerColumn(old, 'document_id');
    const single = isSingle && hasServerColumn(table, 'document_id') ? { single: table.name } : {};
    draft.add('describe', { kind: 'renameType', from, to, permissions: present, ...single, cause: thing });
  }
}

function dropOtherLocales({ draft, before }: DiffContext, { tables }: TableDiff): void {
  const { origin, name } = tables.after;
  const locales = before.locales ?? [];
  const rows = { of: 'otherLocales', locales } as const;
  draft.add('data', { kind: 'deleteRows', table: name, rows, cause: origin });
  draft.lose({
    code: 'drops-locale',
    thing: `${origin}.localized`,
    message: `'${origin}' is no longer localized: of each entry only the locale '${locales[0] ?? ''}' stays, or else the next one that it has`,
    hint: `See what would go: SELECT locale, count(*) FROM "${name}" GROUP BY locale. To lose it: --allow-destructive ${origin}.localized`,
    places: [origin],
  });
}

function publishDrafts({ draft }: DiffContext, { tables: { after } }: TableDiff): void {
  const { origin, name } = after;
  draft.lose({
    code: 'publishes',
    thing: `${origin}.draftAndPublish`,
    message: `'${origin}' no longer has drafts: every draft would be shown to all who may read`,
    hint: `See what is there: SELECT count(*) FROM "${name}" WHERE "published_at" IS NULL. Delete the drafts first, or publish them all: --allow-destructive ${origin}.draftAndPublish`,
    places: [origin],
  });
}

function removeLocales({ draft, before, after }: DiffContext, diffs: readonly TableDiff[]): void {
  const [from, to] = [before.locales ?? [], after.locales ?? []];
  if (isDeepStrictEqual(from, to)) return;
  draft.add('describe', { kind: 'setLocales', from, to, cause: 'locales' });
  if (after.locales === undefined) return;
  for (const locale of from.filter((one) => !to.includes(one))) {
    const tables = diffs.filter(
      ({ tables: pair }) => hasServerColumn(pair.before, 'locale') && hasServerColumn(pair.after, 'locale'),
    );
    for (const { tables: pair } of tables) {
      const rows = { of: 'locale', locale } as const;
      draft.add('data', { kind: 'deleteRows', table: pair.after.name, rows, cause: pair.after.origin });
    }
    const counts = tables.map(
      ({ tables: pair }) => `SELECT count(*) FROM "${pair.after.name}" WHERE locale = '${locale}'`,
    );
    draft.lose({
      code: 'drops-locale',
      thing: `locales.${locale}`,
      message: `'${locale}' is no longer a locale: all that was written in it would be deleted`,
      hint: `Put it back into \`locales\`, or see what would go (${counts.join('; ')}) and lose it: --allow-destructive locales.${locale}`,
      places: [],
    });
  }
}

/** Rows of morph tables and of component links that name an entry of a type that they can't name any more. */
function dropTargets({ draft }: DiffContext, diff: TableDiff): void {
  const { tables, columns, late } = diff;
  if (isTypeTable(tables.before)) return;
  const names = newNames(diff);
  for (const { name } of columns.gone.filter((column) => column.type === 'id' && late.has(column.name))) {
    const rows = { of: 'target', column: names.get(name) ?? name } as const;
    draft.add('data', { kind: 'deleteRows', table: tables.after.name, rows, cause: tables.after.origin });
  }
  const isOnlyOne = ({ indexes }: Table): boolean =>
    indexes.some((one) => one.unique && one.columns.join() === 'owner_id');
  if (isOnlyOne(tables.before) || !isOnlyOne(tables.after)) return;
  const cause = tables.after.origin;
  draft.add('data', { kind: 'deleteRows', table: tables.after.name, rows: { of: 'laterLinks' }, cause });
  draft.lose({
    code: 'narrows',
    thing: cause,
    message: `'${cause}' holds one entry where there was a list: the first of each list stays, all others would be lost`,
    hint: `Leave it a list, or lose them: --allow-destructive ${cause}`,
    places: [cause],
  });
}

/** Adds to the draft what becomes of types, locales and drafts. */
export function diffSettings(context: DiffContext, diffs: readonly TableDiff[], renames: readonly Rename[]): void {
  renameTypes(context, renames);
  removeLocales(context, diffs);
  for (const diff of diffs) {
    const { before, after } = diff.tables;
    if (losesLocales(before, after)) dropOtherLocales(context, diff);
    const hadDrafts = isTypeTable(before) && hasServerColumn(before, 'published_at');
    if (hadDrafts && !hasServerColumn(after, 'published_at')) publishDrafts(context, diff);
    dropTargets(context, diff);
  }
}
