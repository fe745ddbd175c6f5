/** The query of a write, validated before anything is written. */
import type { Priced } from '../base/cost/meter.ts';
import { compileWritten } from './entry-read.ts';
import type { EntryStatement } from './compile/compile-read.ts';
import { type CostBasis, entryCost } from './cost.ts';
import { pricedBy } from './priced.ts';
import type { Sized } from './query-cache.ts';
import { queryRules } from './query-rules.ts';
import type { QueryObject } from './query-value.ts';
import type { ReadContext } from './read-limits.ts';
import { parseEntryQuery, type QueryScope } from './top-level.ts';

/** A validated query of a write: determines how the written entry is answered. */
export interface CheckedQuery extends Sized, Priced {
  /** The `locale` of the query: well-formed, but not checked against the server's locales. Undefined if absent or `all`. */
  readonly locale: string | undefined;
  /** Whether the query asks for all locales. */
  readonly allLocales: boolean;
  /** Whether the query asks for published entries only. */
  readonly live: boolean;
  /** Whether the query asks to write the draft alone. */
  readonly alone: boolean;
  /** Reads the draft, or the entry if its type has no published versions beside the drafts. */
  readonly entry: EntryStatement;
  /** Reads what is published, if the query asks for that; else the draft. */
  readonly published: () => EntryStatement;
}

/** Compiles the query of a write. */
export function checkedQuery(context: ReadContext, basis: CostBasis | undefined) {
  return (tree: QueryObject, scope: QueryScope): CheckedQuery => {
    const { type } = scope;
    const parsed = parseEntryQuery(tree, scope, 'draft');
    const entry = compileWritten(context, parsed);
    const locale = parsed.locale?.kind === 'locale' ? parsed.locale.locale : undefined;
    const rules = queryRules(scope.format.rules);
    const live = rules.live(tree, true);
    let published = live && type.draftAndPublish ? undefined : entry;
    return {
      entry,
      published: () => (published ??= compileWritten(context, parseEntryQuery(tree, scope, 'published'))),
      locale,
      allLocales: parsed.locale?.kind === 'all',
      live,
      alone: type.draftAndPublish && rules.draftAlone(tree),
      cost: pricedBy(basis, entryCost, parsed),
      size: entry.text.length * (type.draftAndPublish ? 2 : 1),
    };
  };
}
