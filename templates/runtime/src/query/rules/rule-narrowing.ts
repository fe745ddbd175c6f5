/**
 * Narrows reads by the rules of a caller's permissions. What a read needs of them is determined once for each set of permissions: a
 * request only supplies the values of variables, and its compiled query is found by a short shape.
 */
import type { Caller } from '../../contract/policy/caller.ts';
import { type RuleFilter, type RuleVariable, writtenVariable } from '../../contract/policy/rule.ts';
import type { EntryQuery, Narrowing } from '../entry-query.ts';
import { type AddedNarrowing, withNarrowing } from '../narrowing.ts';
import { type QueryObject, Slot } from '../query-value.ts';
import { ruleFilter, variablesIn } from './rule-filter.ts';

/** The filters of rules that a read is narrowed by. */
export interface RuleFilters {
  /** Type → filter. */
  readonly ofType: Readonly<Record<string, RuleFilter>>;
  /** That of what the query asks for, in place of the filter of its type. */
  readonly ofRoot?: RuleFilter;
  /** Type → filter of its drafts. */
  readonly ofDrafts: Readonly<Record<string, RuleFilter>>;
  /** See `Narrowing`. */
  readonly viewer: Caller;
}

/** The values of the variables for a caller; undefined for one that stands for nothing. Never an empty string. */
export type ValueOf = (variable: RuleVariable) => string | number | boolean | undefined;

/** The rules that apply to one kind of read. */
export interface RuleNarrowing {
  /** The query, narrowed for a caller whose variables have these values. */
  narrow(query: EntryQuery, valueOf: ValueOf): EntryQuery;
}

let count = 0;

function distinct(variables: readonly RuleVariable[]): readonly RuleVariable[] {
  return [...new Map(variables.map((variable) => [writtenVariable(variable), variable])).values()];
}

type MakeFilter = (where: RuleFilter) => QueryObject;

function mapFilters(filters: Readonly<Record<string, RuleFilter>>, make: MakeFilter): QueryObject {
  return Object.fromEntries(Object.entries(filters).map(([uid, where]) => [uid, make(where)]));
}

function narrowingOf({ ofType, ofRoot, ofDrafts, viewer }: RuleFilters, make: MakeFilter): Narrowing {
  return {
    by: 'a rule',
    ofType: mapFilters(ofType, make),
    ...(ofRoot && { ofRoot: make(ofRoot) }),
    ofDrafts: mapFilters(ofDrafts, make),
    viewer,
  };
}

/** Creates a narrowing. Its shapes are unique: there is to be one for each set of permissions and kind of read. */
export function ruleNarrowing(filters: RuleFilters): RuleNarrowing {
  const name = `rule ${(count += 1)}`;
  const { ofType, ofRoot = {}, ofDrafts } = filters;
  const variables = distinct(variablesIn({ ofType, ofRoot, ofDrafts }));
  /** Which variables have a value → those in the slots. */
  const slotted = new Map<string, readonly RuleVariable[]>();

  /** The narrowing, and the variables in its slots. */
  function build(first: number, valueOf: ValueOf) {
    const inSlots: RuleVariable[] = [];
    const slotOf = (variable: RuleVariable): Slot | undefined => {
      const value = valueOf(variable);
      return value === undefined ? undefined : new Slot(first + inSlots.push(variable) - 1, String(value));
    };
    return { narrowing: narrowingOf(filters, (where) => ruleFilter(where, slotOf)), inSlots };
  }

  function added(first: number, valueOf: ValueOf): AddedNarrowing {
    const known = variables.map((variable) => (valueOf(variable) === undefined ? '0' : '1')).join('');
    const inSlots = slotted.get(known) ?? build(first, valueOf).inSlots;
    slotted.set(known, inSlots);
    return {
      shape: `${name} ${known}\0`,
      values: inSlots.map((variable) => String(valueOf(variable))),
      narrowing: () => build(first, valueOf).narrowing,
    };
  }

  return { narrow: (query, valueOf) => withNarrowing(query, added(query.values.length, valueOf)) };
}
