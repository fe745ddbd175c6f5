/**
 * Unique values that all locales of an entry share. Every row has the value, and one of them claims it: has it in a further column,
 * whose unique index keeps other entries from using it.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { kindsOf, valueOf, type Values } from '../../contract/item-attributes.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { inState } from '../../contract/states.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';

/** A claimed attribute. */
interface Claimed {
  readonly name: string;
  readonly column: string;
  readonly claim: string;
}

function claimedAttributes({ attributes }: ContentType): readonly Claimed[] {
  return kindsOf(attributes).scalars.flatMap(([name, { column, claim }]) =>
    claim === undefined ? [] : [{ name, column, claim }],
  );
}

/** The statements that let the first row of each entry claim its values: for rows that were written without claims, drafts or published. */
export function claimValues(dialect: Dialect, types: ContentTypes): readonly Sql[] {
  const all = Object.values(types.types).flatMap((type) =>
    type.published ? [type, inState(types, type, true)] : [type],
  );
  return all.flatMap((type): Sql[] => {
    const claims = claimedAttributes(type);
    if (claims.length === 0) return [];
    const table = dialect.id(type.table);
    const set = claims.map(({ column, claim }) => sql`${dialect.id(claim)} = ${dialect.id(column)}`);
    const firsts = sql`SELECT MIN(id) AS first_id FROM ${table} GROUP BY document_id`;
    return [sql`UPDATE ${table} SET ${join(set, ', ')} WHERE id IN (SELECT first_id FROM (${firsts}) AS firsts)`];
  });
}

/** The statements that give up the claims of an entry's other rows, before the row `id` claims the values in `input`. */
export function releaseClaims(
  dialect: Dialect,
  type: ContentType,
  { id, documentId }: { readonly id: number; readonly documentId: string | undefined },
  input: Values,
): readonly Statement[] {
  const sent = claimedAttributes(type).filter(({ name }) => valueOf(input, name) !== undefined);
  if (sent.length === 0 || documentId === undefined) return [];
  const released = sent.map(({ claim }) => sql`${dialect.id(claim)} = ${raw('NULL')}`);
  return [
    statement(
      sql`UPDATE ${dialect.id(type.table)} SET ${join(released, ', ')} WHERE document_id = ${documentId} AND id <> ${id}`,
    ),
  ];
}

/** The statements that let the row `heir` claim what the row `id` of the same entry, which is deleted before, has claimed. */
export async function inheritClaims(
  tx: Executor,
  type: ContentType,
  { id, heir }: { readonly id: number; readonly heir: number },
): Promise<readonly Statement[]> {
  const { dialect } = tx;
  const all = claimedAttributes(type);
  if (all.length === 0) return [];
  const columns = all.map(
    ({ claim }, index) =>
      sql`CASE WHEN ${dialect.id(claim)} IS NULL THEN 0 ELSE 1 END AS ${dialect.id(`claimed${index}`)}`,
  );
  const row = await tx.get(sql`SELECT ${join(columns, ', ')} FROM ${dialect.id(type.table)} WHERE id = ${id}`);
  const held = all.filter((_, index) => Number(row?.[`claimed${index}`]) === 1);
  if (held.length === 0) return [];
  const claims = held.map(({ column, claim }) => sql`${dialect.id(claim)} = ${dialect.id(column)}`);
  return [statement(sql`UPDATE ${dialect.id(type.table)} SET ${join(claims, ', ')} WHERE id = ${heir}`)];
}

/** The statements that give up the claims of all rows of an entry. */
export function releaseAllClaims(dialect: Dialect, type: ContentType, documentId: string): readonly Statement[] {
  const all = claimedAttributes(type);
  if (all.length === 0) return [];
  const released = all.map(({ claim }) => sql`${dialect.id(claim)} = ${raw('NULL')}`);
  return [
    statement(sql`UPDATE ${dialect.id(type.table)} SET ${join(released, ', ')} WHERE document_id = ${documentId}`),
  ];
}

/** The statements that let the first row of an entry claim its values, after all have given them up. */
export function claimByFirst(dialect: Dialect, type: ContentType, documentId: string): readonly Statement[] {
  const all = claimedAttributes(type);
  if (all.length === 0) return [];
  const first = sql`(SELECT MIN(id) AS k FROM ${dialect.id(type.table)} WHERE document_id = ${documentId})`;
  const assign = Object.fromEntries(all.map(({ claim, column }) => [claim, sql`t.${dialect.id(column)}`] as const));
  return [statement(dialect.updateFrom(type.table, first, assign, raw('t.id = r.k')))];
}
