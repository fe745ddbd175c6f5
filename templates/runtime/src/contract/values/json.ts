/** Any JSON value, as `json` attributes hold it. */
import { textProblem } from './cast-text.ts';
import { type CastResult, err, ok } from './cast-result.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Maximum nesting of arrays and objects, in a stored value and in a request body. */
export const MAX_JSON_DEPTH = 64;

interface Level {
  readonly value: object;
  readonly depth: number;
}

/** Whether merging an object with this member could pollute a prototype: `__proto__`, or `constructor` with a `prototype`. */
export function isPrototypePollution(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  return key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function leafProblem(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') return textProblem(value);
  if (typeof value !== 'number') return 'must be JSON';
  return Number.isFinite(value) ? undefined : 'must not contain a number that is not finite';
}

function keyProblem(key: string, value: unknown): string | undefined {
  return isPrototypePollution(key, value) ? `must not contain the key ${key}` : textProblem(key);
}

/** The first problem of the items; undefined if there is none. */
function firstProblem<Item>(items: readonly Item[], problemOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong with a value as JSON, as a predicate; undefined if it is valid. Not recursive, so depth can't overflow the stack. */
export function jsonProblem(root: unknown): string | undefined {
  const pending: Level[] = [];
  // Only what has members waits for its turn: a value may have a hundred thousand others.
  const visit = (value: unknown, depth: number): string | undefined => {
    if (typeof value !== 'object' || value === null) return leafProblem(value);
    pending.push({ value, depth });
    return undefined;
  };
  const membersProblem = ({ value, depth }: Level): string | undefined => {
    if (depth === MAX_JSON_DEPTH) return `must not be nested deeper than ${MAX_JSON_DEPTH} levels`;
    if (Array.isArray(value)) return firstProblem(value, (item) => visit(item, depth + 1));
    if (!isPlainObject(value)) return 'must be JSON';
    const members = value as Readonly<Record<string, unknown>>;
    return firstProblem(Object.keys(members), (key) => keyProblem(key, members[key]) ?? visit(members[key], depth + 1));
  };
  let problem = visit(root, 0);
  for (let level = pending.pop(); level && problem === undefined; level = pending.pop()) {
    problem = membersProblem(level);
  }
  return problem;
}

/** The unchanged value if it can be stored as JSON. */
export function castJson(value: unknown): CastResult<JsonValue> {
  const problem = jsonProblem(value);
  return problem === undefined ? ok(value as JsonValue) : err(problem);
}
