/** Rules of permissions: which entries an action reaches, what it writes, and which attributes it may use. */
import type { JsonValue } from '../values/json.ts';

/** A filter of the query language. Strings that begin with `$` are variables: see `variableOf`. */
export type RuleFilter = Readonly<Record<string, JsonValue>>;

/** The rule of one permission. A permission without one reaches everything. */
export interface Rule {
  /** The entries that the action reaches; others don't exist for it. On `create`: what a new entry must satisfy. */
  readonly where?: RuleFilter;
  /** Whether an entry must satisfy `where` after its update, too. Default: true. */
  readonly keep?: boolean;
  /** Written by the server, whatever the request says: it may not name these attributes. Strings may be variables. */
  readonly set?: Readonly<Record<string, JsonValue>>;
  /** The attributes that the action may read or write. At most one of `only` and `except` is there. */
  readonly only?: readonly string[];
  /** The attributes that the action may neither read nor write. */
  readonly except?: readonly string[];
}

/** The names of the members of a rule. */
export const RULE_MEMBERS = ['where', 'keep', 'set', 'only', 'except'] as const satisfies readonly (keyof Rule)[];

export type RuleMember = (typeof RULE_MEMBERS)[number];

/**
 * The action that narrows to which entries others may be connected. It has no request of its own, so a role has it only with a rule;
 * without one, entries can be connected by whoever may find them.
 */
export const LINK = 'link';

/** Permission → its rule, for those that have one: `comment.update`. */
export type Rules = Readonly<Record<string, Rule>>;

/**
 * Names of permissions with their rules. Callers with the same permissions and rules share one set, which must not be changed: its
 * identity is part of the cache key of compiled queries.
 */
export interface Permissions extends ReadonlySet<string> {
  readonly rules?: Rules;
}

/** A value that depends on the call. */
export type RuleVariable =
  /** The id of the user, or what the path leads to from there: to-one relations and a scalar attribute. */
  | { readonly kind: 'user'; readonly path: readonly string[] }
  /** The time of the request. */
  | { readonly kind: 'now' }
  /** The id of the API token. */
  | { readonly kind: 'token' }
  /** The id of the entry of a type whose attribute is the host of the request: `$host.site.domain`. */
  | { readonly kind: 'host'; readonly type: string; readonly attribute: string };

const USER_VARIABLE = /^\$user(?:\.[A-Za-z]\w*)*$/;
const HOST_VARIABLE = /^\$host\.([A-Za-z][\w-]*)\.([A-Za-z]\w*)$/;

/** The variable that a string in a rule stands for; undefined for constants. Other strings that begin with `$` are errors of the rule. */
export function variableOf(value: JsonValue): RuleVariable | undefined {
  if (value === '$now') return { kind: 'now' };
  if (value === '$token') return { kind: 'token' };
  if (typeof value !== 'string') return undefined;
  if (USER_VARIABLE.test(value)) return { kind: 'user', path: value.split('.').slice(1) };
  const [, type, attribute] = HOST_VARIABLE.exec(value) ?? [];
  return type === undefined || attribute === undefined ? undefined : { kind: 'host', type, attribute };
}

/** A variable as rules write it. */
export function writtenVariable(variable: RuleVariable): string {
  switch (variable.kind) {
    case 'user':
      return ['$user', ...variable.path].join('.');
    case 'host':
      return `$host.${variable.type}.${variable.attribute}`;
    default:
      return `$${variable.kind}`;
  }
}
