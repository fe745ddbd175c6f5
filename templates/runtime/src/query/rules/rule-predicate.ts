/** What narrows a query, as the statement that the engine gets: to be shown, not to be run. */
import type { ApiSettings, ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import { sql } from '../../database/sql.ts';
import { type Bindings, createBindings } from '../bindings.ts';
import { where } from '../compile/compiler.ts';
import { namedParameters } from '../compile/parameters.ts';
import type { EntryQuery } from '../entry-query.ts';
import { OWN } from '../format.ts';
import { matchingConditions } from '../matching-read.ts';
import { createAllowList } from '../readable-attributes.ts';
import { parseEntryQuery } from '../top-level.ts';

interface Shown {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly query: EntryQuery;
  /** How the parameter for one of the query's values is shown. */
  nameOf(value: string): string;
}

export interface RulePredicate {
  /** `FROM … WHERE …`; each `?` is a parameter. */
  readonly text: string;
  readonly parameters: readonly string[];
}

export function rulePredicate(
  { dialect, types, api }: { readonly dialect: Dialect; readonly types: ContentTypes; readonly api: ApiSettings },
  { type, caller, query, nameOf }: Shown,
): RulePredicate {
  const slots: number[] = [];
  const bindings: Bindings = {
    ...createBindings(),
    add: ({ index }) => ({ kind: 'bound', index: slots.push(index) - 1 }),
  };
  const { narrowings = () => [] } = query;
  const parsed = parseEntryQuery(query.tree(), {
    allowed: createAllowList(types),
    api,
    type,
    caller,
    refusesHidden: false,
    aliases: false,
    format: OWN,
    bindings,
    narrowings: narrowings(),
  });
  const { from, conditions } = matchingConditions(dialect, parsed, { kind: 'all' });
  const statement = sql`FROM ${from}${where(conditions)}`;
  const parameters = namedParameters(statement, (index) => nameOf(query.values[slots[index] ?? -1] ?? ''));
  return { text: statement.text, parameters };
}
