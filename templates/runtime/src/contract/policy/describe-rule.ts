/** Rules as text, in the words of the schema, and as data. */
import type { JsonValue } from '../values/json.ts';
import type { Rule } from './rule.ts';

/** JSON as it is written in a schema: without quotes where YAML needs none. */
function schemaText(value: JsonValue): string {
  if (typeof value === 'string') return /^[$A-Za-z][\w.$-]*$/u.test(value) ? value : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(schemaText).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${key}: ${schemaText(member)}`);
  return `{ ${members.join(', ')} }`;
}

/** The members of a rule as plain data, in the order of the language. */
export function plainRule({ where, keep, set, only, except }: Rule): Readonly<Record<string, JsonValue>> {
  const members = Object.entries({ where, keep, set, only, except });
  return Object.fromEntries(members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** `where: { author: $user }, except: [featured]` */
export function describeRule(rule: Rule): string {
  return Object.entries(plainRule(rule))
    .map(([name, value]) => `${name}: ${schemaText(value)}`)
    .join(', ');
}
