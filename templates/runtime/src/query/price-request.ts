/** What a request costs, and which indexes it lacks, without running it. */
import type { ApiSettings, ContentTypes } from '../contract/content-type.ts';
import type { EngineName } from '../contract/engines.ts';
import { ForbiddenError } from '../contract/errors.ts';
import { type Caller, may } from '../contract/policy/caller.ts';
import { permissionName } from '../contract/policy/permission-name.ts';
import type { Scan } from '../database/statement-runner.ts';
import { entryCost, listCost, listScans } from './cost.ts';
import { withoutEmpty } from './empty-values.ts';
import type { Format } from './format.ts';
import { type IndexAdvice, indexAdvice } from './missing-index.ts';
import { parseQuery } from './parse-query-string.ts';
import { ownValue } from './query-value.ts';
import { queryRules } from './query-rules.ts';
import { createAllowList } from './readable-attributes.ts';
import type { RequestedEntries } from './requested-entries.ts';
import { permittedFor } from './rules/permitted-attributes.ts';
import { entryQueryScans } from './scans.ts';
import { parseEntryQuery, parseListQuery, type QueryScope } from './top-level.ts';

/** What a price depends on besides the request. */
export interface PriceBasis {
  readonly types: ContentTypes;
  readonly api: ApiSettings;
  /** How many rows each table is taken to have. */
  readonly rows: number;
  readonly dialect: EngineName;
}

/** What a request costs: see `cost.ts`. */
export interface RequestPrice {
  readonly cost: number;
  readonly rows: number;
  /** The tables that may have to be examined, the most expensive first. */
  readonly scans: readonly { readonly table: string; readonly cost: number }[];
  /** Undefined for a single entry. */
  readonly advice: IndexAdvice | undefined;
}

function byTable(scans: readonly Scan[], rows: number): RequestPrice['scans'] {
  const costs = new Map<string, number>();
  for (const { table, weight, most = Infinity } of scans) {
    costs.set(table, (costs.get(table) ?? 0) + weight * Math.min(rows, most));
  }
  const all = [...costs].map(([table, cost]) => ({ table, cost: Math.ceil(cost) }));
  return all.sort((one, other) => other.cost - one.cost);
}

/**
 * Throws BadRequestError and ForbiddenError as the request would. What rules add to a query for the one who asks is not known here, and
 * left out.
 */
export function priceRequest(
  { types, api, rows, dialect }: PriceBasis,
  { caller, format }: { readonly caller: Caller; readonly format: Format },
  { type, id, query }: RequestedEntries,
): RequestPrice {
  const isList = id === undefined && type.kind === 'collectionType';
  const action = id === undefined ? 'find' : 'findOne';
  if (!may(caller, action, type.uid)) {
    throw new ForbiddenError({ reason: `${caller.role} lacks ${permissionName(type.uid, action)}` });
  }
  const scope: QueryScope = {
    allowed: permittedFor(createAllowList(types), caller, isList ? 'many' : 'one'),
    api,
    type,
    caller,
    refusesHidden: false,
    aliases: false,
    format,
    bindings: undefined,
    narrowings: [],
    reportIgnored: undefined,
  };
  const basis = { rows, maxAnswerEntries: api.maxAnswerEntries };
  try {
    const tree = withoutEmpty(parseQuery(query).tree());
    if (!isList) {
      const parsed = parseEntryQuery(tree, scope);
      return { cost: entryCost(parsed, basis), rows, scans: byTable(entryQueryScans(parsed), rows), advice: undefined };
    }
    const parsed = parseListQuery(tree, scope);
    const looksThroughTexts = (ownValue(tree, '_q') ?? '') !== '' && !type.search;
    const advice = indexAdvice(type, parsed, { looksThroughTexts, backwards: dialect !== 'mysql' });
    return { cost: listCost(parsed, basis), rows, scans: byTable(listScans(parsed), rows), advice };
  } catch (error) {
    throw queryRules(format.rules).refusal(error);
  }
}

/** The missing indexes as they are written in a schema: `[status, -day]`. */
export function missingIndexes({ advice }: RequestPrice): readonly string[] {
  const { index, members = [], search } = advice ?? {};
  const all = [...(index ? [index] : []), ...members.map((name) => [name])].map((keys) => `[${keys.join(', ')}]`);
  return search ? [...all, `search: [${search.join(', ')}]`] : all;
}
