/** How versions are told of, apart from their content. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { EntryVersion } from '../../contract/history/history-answers.ts';
import type { Executor } from '../../database/executor.ts';
import { raw, sql } from '../../database/sql.ts';
import type { VersionRow } from './version-rows.ts';

/** Where the names of authors are. */
const NAMES: Readonly<Record<string, { readonly table: string; readonly column: string }>> = {
  user: { table: 'users', column: 'username' },
  token: { table: 'api_tokens', column: 'name' },
};

async function namesOf(executor: Executor, kind: string, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const where = NAMES[kind];
  if (!where || ids.length === 0) return new Map();
  const { dialect } = executor;
  const rows = await executor.all(
    sql`SELECT id, ${dialect.id(where.column)} AS name FROM ${dialect.id(where.table)} WHERE ${dialect.isOneOf(raw('id'), ids)}`,
  );
  return new Map(rows.map((row) => [Number(row['id']), String(row['name'])]));
}

/** Versions with the names of those who have written them. */
export async function shownVersions(
  executor: Executor,
  types: ContentTypes,
  rows: readonly VersionRow[],
): Promise<readonly EntryVersion[]> {
  const authors = rows.map(({ actor }) => JSON.parse(actor) as EntryVersion['by']);
  const names = new Map<string, string>();
  for (const kind of types.types['user'] ? Object.keys(NAMES) : []) {
    const ids = authors.flatMap((author) => (author.kind === kind && author.id !== undefined ? [author.id] : []));
    for (const [id, name] of await namesOf(executor, kind, [...new Set(ids)])) names.set(`${kind} ${id}`, name);
  }
  return rows.map(({ id, action, since, requestId }, index) => {
    const author = authors[index] ?? { kind: 'server' };
    const name = names.get(`${author.kind} ${author.id}`);
    const [verb = action, of] = action.split(' ');
    return {
      version: id,
      action: verb,
      ...(of !== undefined && { of: Number(of) }),
      at: new Date(since).toISOString(),
      by: name === undefined ? author : { ...author, name },
      requestId: requestId ?? null,
    };
  });
}
