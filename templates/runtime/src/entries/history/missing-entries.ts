/** Entries that a version refers to, but that are gone or hidden from who restores it: the one is not to be told from the other. */
import type { ContentType } from '../../contract/content-type.ts';
import type { ErrorPath, Issue } from '../../contract/errors.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import type { Executor } from '../../database/executor.ts';
import { raw, sql } from '../../database/sql.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { HookedType } from '../context.ts';
import { mayHideFrom, visibleAmong } from '../visible-entry.ts';

/** An entry or file that a relation of the version led to. */
export interface Referred {
  readonly uid: string;
  readonly id: number;
  readonly path: ErrorPath;
}

export interface Missing extends Referred {
  /** Whether the caller finds all entries of its type: then it is gone. */
  readonly isGone: boolean;
}

async function existing(
  executor: Executor,
  { table }: ContentType,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { id, isOneOf } = executor.dialect;
  const rows = await executor.all(sql`SELECT id FROM ${id(table)} WHERE ${isOneOf(raw('id'), ids)}`);
  return rows.map((row) => Number(row['id']));
}

/** Those of the entries that the caller may not relate others to, since they are gone or hidden. */
export async function missingAmong(
  { types, database, of }: HookedType,
  referred: readonly Referred[],
  call: CallContext,
): Promise<readonly Missing[]> {
  const missing: Missing[] = [];
  for (const uid of new Set(referred.map((one) => one.uid))) {
    const own = referred.filter((one) => one.uid === uid);
    const type = types.types[uid];
    const isPermitted = hasRight(call.caller, uid === 'file' ? 'namedFiles' : 'targets', uid);
    const ids = type && isPermitted ? await existing(database, type, [...new Set(own.map(({ id }) => id))]) : [];
    const found = type ? await visibleAmong(of(type), ids, call) : new Set<number>();
    const isGone = !type || (isPermitted && !mayHideFrom(of(type), call));
    missing.push(...own.flatMap((one) => (found.has(one.id) ? [] : [{ ...one, isGone }])));
  }
  return missing;
}

/** One issue for each entry that is gone, and for each attribute with others. */
export function missingIssues(missing: readonly Missing[]): readonly Issue[] {
  const issues = missing.map(({ uid, id, path, isGone }): Issue => {
    const what = isGone
      ? `the ${uid} ${id} no longer exists`
      : `an entry of ${uid} no longer exists, or this role may not find it`;
    return { path, message: `${what}: with ?missing=ignore it is left out` };
  });
  return [...new Map(issues.map((issue) => [`${issue.path.join('.')} ${issue.message}`, issue])).values()];
}
