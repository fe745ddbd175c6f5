/** The entries that keep others from being deleted (`onDelete: restrict`). */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { type Issue, ValidationError } from '../../contract/errors.ts';
import { MAX_CASCADE } from '../../contract/limits.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { type Closure, endingRows } from './closure.ts';
import { publishedElsewhere } from './published-elsewhere.ts';
import type { EntryOf, Reach } from './reach.ts';
import { type Referrer, referrersOf } from './referrers.ts';

interface Deleting {
  readonly caller: Caller;
  readonly reach: Reach;
  /** The type of the entries that the request names. */
  readonly type: ContentType;
  /** The entries that it does not name, and that would be deleted with them. */
  readonly further: readonly EntryOf[];
}

/** Those of the holders that the caller may know. */
async function known(
  { caller, reach }: Deleting,
  { type, published }: Referrer,
  ids: readonly number[],
): Promise<readonly number[]> {
  const mayFind = hasRight(caller, 'related', type.uid);
  const isDraft = type.draftAndPublish && !published;
  if (!mayFind || (isDraft && !hasRight(caller, 'drafts', type.uid))) return [];
  if (!reach.mayHide(type)) return ids;
  const hidden = await reach.hidden(type, ids);
  return ids.filter((id) => !hidden.has(id));
}

async function issueOf(
  deleting: Deleting,
  target: ContentType,
  referrer: Referrer,
  ids: readonly number[],
): Promise<Issue> {
  const { type, attribute = '', published } = referrer;
  const to = target.uid === deleting.type.uid ? 'it' : `entries of ${target.uid} that would be deleted with it`;
  const { length } = await known(deleting, referrer, ids);
  if (length === 0) return { path: [], message: `other entries refer to ${to}, and keep it from being deleted` };
  const number = length > MAX_CASCADE ? `more than ${MAX_CASCADE}` : String(length);
  const [noun, verb] = length === 1 ? ['entry', 'refers'] : ['entries', 'refer'];
  const [where, advice] = published
    ? [', in what is published', 'publish their drafts, or delete them first']
    : ['', 'delete or change them first'];
  const message = `${number} ${noun} of ${type.uid} ${verb} to ${to} by ${attribute}${where}: ${advice}`;
  return { path: [], message };
}

/** Selects who holds these entries, except those that are deleted as well. */
function selectHolders(
  tx: Transaction,
  { table, own, column, type }: Referrer,
  part: number,
  { targets, closure }: { readonly targets: readonly number[]; readonly closure: Closure },
): Sql {
  const { dialect } = tx;
  const owner = sql`s.${dialect.id(own)}`;
  const gone = closure.idsOf(type);
  const others = gone.length === 0 ? sql`` : sql` AND NOT ${dialect.isOneOf(owner, gone)}`;
  const rows = sql`SELECT DISTINCT ${owner} AS own FROM ${dialect.id(table)} AS s WHERE ${dialect.isOneOf(sql`s.${dialect.id(column)}`, targets)}${others}`;
  const limited = sql`SELECT * FROM (${rows}) AS r LIMIT ${raw(String(MAX_CASCADE + 1))}`;
  return sql`SELECT ${raw(String(part))} AS part, f.own FROM (${limited}) AS f`;
}

/** Who holds entries of a type, by relation. */
async function holdersOf(
  tx: Transaction,
  types: ContentTypes,
  type: ContentType,
  closure: Closure,
): Promise<ReadonlyMap<Referrer, readonly number[]>> {
  const holders = new Map<Referrer, number[]>();
  const holding = referrersOf(types, type).filter(({ rule }) => rule === 'restrict');
  if (holding.length === 0) return holders;
  const ids = closure.idsOf(type);
  const ending = type.localized && holding.some(({ shared }) => shared) ? await endingRows(tx, type, ids, ids) : ids;
  const selects = holding.flatMap((referrer, part) => {
    const targets = referrer.shared ? ending : ids;
    return targets.length === 0 ? [] : [selectHolders(tx, referrer, part, { targets, closure })];
  });
  if (selects.length === 0) return holders;
  const rows = await tx.all(join(selects, ' UNION ALL '));
  // Drafts come first: what is published of them, too, is not told a second time.
  const told = new Set<string>();
  for (const row of rows.toSorted((one, other) => Number(one['part']) - Number(other['part']))) {
    const referrer = holding[Number(row['part'])];
    const id = Number(row['own']);
    const key = `${referrer?.type.uid} ${referrer?.attribute} ${id}`;
    if (!referrer || told.has(key)) continue;
    told.add(key);
    holders.set(referrer, [...(holders.get(referrer) ?? []), id]);
  }
  return holders;
}

/** Throws ValidationError if entries keep some of the closure from being deleted. Reads only where they could. */
export async function requireUnheld(
  tx: Transaction,
  types: ContentTypes,
  closure: Closure,
  deleting: Deleting,
): Promise<void> {
  const issues: Issue[] = [];
  for (const type of new Set(closure.rows.map((row) => row.type))) {
    for (const [referrer, ids] of await holdersOf(tx, types, type, closure)) {
      issues.push(await issueOf(deleting, type, referrer, ids));
    }
    issues.push(...(await publishedElsewhere(tx, types, { type, ids: closure.idsOf(type) }, deleting.further)));
  }
  if (issues.length > 0) throw new ValidationError(issues);
}
