/** Names of migrations: `0001_create_article_author_1f2e3d4c`. */
import type { Change } from '#contract/migrations/change.ts';
import type { MigrationPlan, Rename } from '#contract/migrations/plan.ts';
import { hashText } from '../../files/hash.ts';
import { snakeCase } from '../../model/naming.ts';
import type { Table } from '../../storage/storage-model.ts';
import { isPublishedLabel } from '../../storage/published-layout.ts';
import { isTypeTable, originOf } from '../../storage/table-origin.ts';

/** The maximum length of a folder name without its number and hash. */
const MAX_SUMMARY = 60;
const NUMBER_LENGTH = 4;
/** The number of hash characters at the end of a name. */
export const HASH_LENGTH = 8;

/** Whether a table belongs to a content type of the schema. */
function isType(table: Table): boolean {
  return isTypeTable(table) && !table.builtIn && !isPublishedLabel(table.uid);
}

/** As many words as fit, with a suffix if there are more. */
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

function words(names: readonly string[], isSet = true): readonly string[] {
  // Two underscores are reserved for the suffixes `__expand` and `__contract`.
  const plain = (name: string): string => snakeCase(name.replaceAll('.', '_')).replaceAll(/[^a-z0-9_]/gu, '');
  const all = names.map((name) => plain(name).replaceAll(/_{2,}/gu, '_').replaceAll(/^_|_$/gu, ''));
  return (isSet ? [...new Set(all)] : all).filter((word) => word !== '');
}

/** The name of a cause without its owner: `title` of `article.title`. */
function ownName(cause: string): string {
  return cause.slice(cause.lastIndexOf('.') + 1);
}

/** The word for a table: the attribute of a link table, or the first part of the purpose of a server table. */
function wordOf(table: Table): string {
  return table.kind === 'componentLinks' ? table.uid : (originOf(table).split(',')[0] ?? '');
}

function created(changes: readonly Change[]): readonly string[] {
  const tables = changes.flatMap((change) => (change.kind === 'createTable' ? [change.table] : []));
  const types = tables.filter(isType);
  return (types.length > 0 ? types : tables).map(wordOf);
}

function ofColumns(changes: readonly Change[], kind: 'addColumn' | 'dropColumn', link: string): readonly string[] {
  const columns = changes.flatMap((change) => (change.kind === kind ? [change] : []));
  const tables = new Set(columns.map(({ table }) => table));
  const where = tables.size === 1 ? [`${link}_${[...tables].join('')}`] : [];
  return columns.length === 0 ? [] : [...columns.map(({ column }) => column.name), ...where];
}

function summary(changes: readonly Change[], renames: readonly Rename[], takenOut: readonly Rename[]): string {
  const renamed = renames.flatMap(({ from, to }) => [from, 'to', to]);
  if (renamed.length > 0) return listed('rename', words(renamed, false));
  if (changes.length === 0 && takenOut.length > 0) return listed('keep_names_of', words(takenOut.map(({ to }) => to)));
  const tables = created(changes);
  if (tables.length > 0) return listed('create', words(tables));
  const added = ofColumns(changes, 'addColumn', 'to');
  if (added.length > 0) return listed('add', words(added));
  const dropped = changes.flatMap((change) => (change.kind === 'dropTable' ? [ownName(change.cause ?? '')] : []));
  const gone = dropped.length > 0 ? dropped : ofColumns(changes, 'dropColumn', 'from');
  if (gone.length > 0) return listed('drop', words(gone));
  return listed('change', words(changes.flatMap(({ cause }) => cause ?? [])));
}

/** The input of the hash in a migration's name: it is equal in two branches only if both write the very same migration. */
export interface NamedContent extends Pick<MigrationPlan, 'renames' | 'takenOut' | 'sources' | 'changes'> {
  readonly history: readonly MigrationPlan[];
}

/** The name of the next migration. It ends in a truncated hash of its content and of the previous migration's name. */
export function migrationName({ history, ...content }: NamedContent): string {
  const { changes, renames = [], takenOut = [] } = content;
  const hash = hashText(JSON.stringify([history.at(-1)?.name ?? '', content]));
  const text = `${summary(changes, renames, takenOut)}_${hash.slice(0, HASH_LENGTH)}`;
  return numbered(nextNumber(history.map(({ name }) => name)), text);
}

/** The number after the highest of these migrations. */
export function nextNumber(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => Number.parseInt(name, 10))) + 1;
}

/** A migration name: a zero-padded number and a summary. */
export function numbered(number: number, text: string): string {
  return `${String(number).padStart(NUMBER_LENGTH, '0')}_${text}`;
}
