/** The form of a rule: its members, which of them an action has, and the kinds of their values. */
import type { JsonValue } from '../values/json.ts';
import { LINK, type Rule, RULE_MEMBERS, type RuleMember } from './rule.ts';

/** A part of a rule that is wrong. */
export interface RuleProblem {
  /** The keys and indexes that lead to it. */
  readonly path: readonly (string | number)[];
  /** Whether its name or its value is wrong. */
  readonly part: 'key' | 'value';
  readonly message: string;
  /** What to do. */
  readonly hint?: string | undefined;
  /** A name that is unknown, and those that are possible there. */
  readonly suggest?: { readonly name: string; readonly names: readonly string[] } | undefined;
}

export type ReportRule = (problem: RuleProblem) => void;

const READING: readonly RuleMember[] = ['where', 'only', 'except'];
const WHERE: readonly RuleMember[] = ['where'];

/** Action → the members that its rule may have. */
const MEMBERS: Readonly<Record<string, readonly RuleMember[]>> = {
  find: READING,
  findOne: READING,
  create: ['where', 'set', 'only', 'except'],
  update: RULE_MEMBERS,
  delete: WHERE,
  preview: WHERE,
  history: WHERE,
  draft: ['where', 'keep', 'set', 'only', 'except'],
  [LINK]: WHERE,
};

/** The members that the rule of a permission may have; empty if it can't have a rule, as those of endpoints but for files. */
function membersOf(subject: string, action: string, hasEntries: boolean): readonly RuleMember[] {
  if (!hasEntries) return subject === 'upload' && (action === 'find' || action === 'findOne') ? WHERE : [];
  return Object.hasOwn(MEMBERS, action) ? (MEMBERS[action] ?? []) : [];
}

export type JsonMap = Readonly<Record<string, JsonValue>>;

export function isMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A map with at least one key. */
function mapIn(given: JsonMap, member: 'where' | 'set', report: ReportRule): JsonMap | undefined {
  const value = given[member];
  if (value === undefined) return undefined;
  if (isMap(value) && Object.keys(value).length > 0) return value;
  const hint = member === 'where' ? '`where: { author: $user }`' : '`set: { author: $user }`';
  report({ path: [member], part: 'value', message: `\`${member}\` must be a map with attributes`, hint });
  return undefined;
}

function namesIn(given: JsonMap, member: 'only' | 'except', report: ReportRule): readonly string[] | undefined {
  const value = given[member];
  if (value === undefined) return undefined;
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  if (Array.isArray(value) && names.length > 0 && names.length === value.length) return names;
  report({ path: [member], part: 'value', message: `\`${member}\` must be a list of attributes` });
  return undefined;
}

function checkMembers(given: JsonMap, permission: string, allowed: readonly RuleMember[], report: ReportRule): void {
  const known: readonly string[] = RULE_MEMBERS;
  const possible = allowed.map((name) => `\`${name}\``).join(', ');
  for (const name of Object.keys(given)) {
    if (allowed.some((member) => member === name)) continue;
    const message = known.includes(name)
      ? `the rule of \`${permission}\` can't have \`${name}\``
      : `a rule has no member \`${name}\``;
    report({ path: [name], part: 'key', message, hint: `possible: ${possible}`, suggest: { name, names: allowed } });
  }
  if (given['only'] !== undefined && given['except'] !== undefined) {
    const message = '`only` and `except` exclude each other';
    report({ path: ['except'], part: 'key', message, hint: 'remove one of them' });
  }
}

/**
 * Reads `value` as the rule of `permission`: `comment.update`. `hasEntries`: it is about the entries of a type. Problems are reported;
 * then the rule has what is right.
 */
export function readRule(
  value: JsonValue,
  permission: string,
  { hasEntries, report }: { readonly hasEntries: boolean; readonly report: ReportRule },
): Rule {
  const [subject = '', action = ''] = permission.split('.');
  const allowed = membersOf(subject, action, hasEntries);
  if (allowed.length === 0) {
    report({ path: [], part: 'key', message: `\`${permission}\` can't have a rule` });
    return {};
  }
  if (!isMap(value) || Object.keys(value).length === 0) {
    const hint = `write \`${action}: { where: … }\``;
    report({ path: [], part: 'value', message: `the rule of \`${permission}\` must be a map`, hint });
    return {};
  }
  checkMembers(value, permission, allowed, report);
  const where = mapIn(value, 'where', report);
  const set = mapIn(value, 'set', report);
  const only = namesIn(value, 'only', report);
  const except = namesIn(value, 'except', report);
  const { keep } = value;
  if (keep !== undefined && typeof keep !== 'boolean') {
    report({ path: ['keep'], part: 'value', message: '`keep` must be `true` or `false`' });
  } else if (keep !== undefined && where === undefined) {
    report({ path: ['keep'], part: 'key', message: '`keep` has no effect without `where`' });
  }
  return {
    ...(where && { where }),
    ...(typeof keep === 'boolean' && { keep }),
    ...(set && { set }),
    ...(only && { only }),
    ...(except && { except }),
  };
}
