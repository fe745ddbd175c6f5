/** Names of migrations: `0001_create_article_author`. */
import { snakeCase } from '../model/naming.ts';
import type { Table } from '../storage/storage-model.ts';
import type { Change, MigrationPlan } from './change.ts';

/** A folder name without its number has at most this many characters. */
const MAX_SUMMARY = 60;
const NUMBER_LENGTH = 4;

/** What a migration may be called, for all who read a folder of them. */
export const MIGRATION_NAME = /^\d{4,}_[a-z0-9_]{1,60}$/u;

/** Whether a table is a content type's own. */
function isType(table: Table): boolean {
  return /^[a-z0-9-]+$/u.test(table.origin);
}

/** As many words as fit, and whether there are more. */
function listed(verb: string, words: readonly string[]): string {
  const more = '_and_more';
  let text = verb;
  for (const [index, word] of words.entries()) {
    const longer = `${text}_${word}`;
    const isLast = index === words.length - 1;
    if (longer.length + (isLast ? 0 : more.length) > MAX_SUMMARY) return text === verb ? verb : text + more;
    text = longer;
  }
  return text;
}

function words(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => snakeCase(name.replaceAll('.', '_')).replaceAll(/[^a-z0-9_]/gu, '')))].filter(
    (word) => word !== '',
  );
}

function summary(changes: readonly Change[]): string {
  const created = changes.flatMap((change) => (change.kind === 'createTable' ? [change.table] : []));
  const types = created.filter(isType);
  if (created.length > 0) {
    return listed(
      'create',
      words((types.length > 0 ? types : created).map((table) => table.origin.split(',')[0] ?? '')),
    );
  }
  const columns = changes.flatMap((change) => (change.kind === 'addColumn' ? [change] : []));
  if (columns.length > 0) {
    const tables = new Set(columns.map(({ table }) => table));
    const to = tables.size === 1 ? [`to_${[...tables].join('')}`] : [];
    return listed('add', words([...columns.map(({ column }) => column.name), ...to]));
  }
  const tables = changes.map((change) => ('index' in change ? change.table : ''));
  return listed('change', words(tables));
}

/** The name of the next migration. The same changes after the same history have the same name. */
export function migrationName(history: readonly MigrationPlan[], changes: readonly Change[]): string {
  const last = Math.max(0, ...history.map(({ name }) => Number.parseInt(name, 10)));
  return `${String(last + 1).padStart(NUMBER_LENGTH, '0')}_${summary(changes)}`;
}
