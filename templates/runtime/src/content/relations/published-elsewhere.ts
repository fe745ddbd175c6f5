/**
 * Entries that would go with a deleted one (`onDelete: cascade`) as their drafts belong to it, while what is published of them belongs
 * to an entry that stays. It must not end because a draft has taken them.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Issue } from '../../contract/errors.ts';
import type { Dialect } from '../../database/dialect.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { Transaction } from '../../database/write-plan.ts';
import type { EntryOf } from './reach.ts';
import { type Referrer, referrersOf } from './referrers.ts';

/** A relation by which entries go with others, as it is stored for drafts and for what is published. */
interface Belonging {
  readonly draft: Referrer;
  readonly published: Referrer;
}

function belongingsTo(types: ContentTypes, type: ContentType): readonly Belonging[] {
  const all = referrersOf(types, type);
  return all.flatMap((draft): readonly Belonging[] => {
    if (draft.rule !== 'cascade') return [];
    const published = all.find(
      (other) => other.published && other.type === draft.type && other.attribute === draft.attribute,
    );
    return published ? [{ draft, published }] : [];
  });
}

/** Selects those of the entries `ids` whose drafts belong to `targets`, and whose published versions don't. */
function selectElsewhere(
  dialect: Dialect,
  { draft, published }: Belonging,
  ids: readonly number[],
  targets: readonly number[],
): Sql {
  const { id } = dialect;
  const own = sql`d.${id(draft.own)}`;
  const key = sql`p.${id(published.column)}`;
  const belongs = sql`${dialect.isOneOf(own, ids)} AND ${dialect.isOneOf(sql`d.${id(draft.column)}`, targets)}`;
  // A row of a polymorphic relation refers to an entry of another type where this column is empty.
  const isOther = sql`NOT ${dialect.isOneOf(key, targets)}`;
  const stays =
    published.table === published.rows ? sql`${key} IS NOT NULL AND ${isOther}` : sql`(${key} IS NULL OR ${isOther})`;
  return sql`SELECT DISTINCT ${own} AS own FROM ${id(draft.table)} AS d JOIN ${id(published.table)} AS p ON p.${id(published.own)} = ${own} WHERE ${belongs} AND ${stays}`;
}

/** Issues for `further` entries that would be deleted with these of the type. Reads only where they can be published elsewhere. */
export async function publishedElsewhere(
  tx: Transaction,
  types: ContentTypes,
  { type, ids: targets }: { readonly type: ContentType; readonly ids: readonly number[] },
  further: readonly EntryOf[],
): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const belonging of belongingsTo(types, type)) {
    const owner = belonging.draft.type;
    const ids = further.filter((row) => row.type === owner).map(({ id }) => id);
    if (ids.length === 0) continue;
    const { length } = await tx.all(selectElsewhere(tx.dialect, belonging, ids, targets));
    if (length === 0) continue;
    const [noun, are] = length === 1 ? ['entry', 'is'] : ['entries', 'are'];
    const message = `${length} ${noun} of ${owner.uid} would be deleted with it, but ${are} published with another entry: connect them to that one by ${belonging.draft.attribute ?? ''}, or delete them first`;
    issues.push({ path: [], message });
  }
  return issues;
}
