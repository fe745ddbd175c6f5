/** The values of a query: strings, arrays and objects. */
import { invalidParameter } from './invalid-parameter.ts';

export type QueryValue = string | Slot | readonly QueryValue[] | QueryObject;

export interface QueryObject {
  readonly [name: string]: QueryValue;
}

/**
 * A string in a filter that may differ between queries of the same shape. Reading it as part of the shape disables this: the
 * query is then cached together with its values.
 */
export class Slot {
  readonly index: number;
  readonly #text: string;
  #isRead = false;

  constructor(index: number, text: string) {
    this.index = index;
    this.#text = text;
  }

  /** The string in this query, to be cast and bound like those of later queries. */
  get value(): string {
    return this.#text;
  }

  /** Whether the compiled query depends on the string itself. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Serializes as the plain string. */
  toJSON(): string {
    return this.#text;
  }

  /** Returns the string and marks the query as dependent on it. */
  read(): string {
    this.#isRead = true;
    return this.#text;
  }
}

export function isQueryArray(value: QueryValue): value is readonly QueryValue[] {
  return Array.isArray(value);
}

export function isQueryObject(value: QueryValue): value is QueryObject {
  return typeof value === 'object' && !isQueryArray(value) && !(value instanceof Slot);
}

/** The value of a parameter, or undefined. Ignores inherited properties. */
export function ownValue(object: QueryObject, name: string): QueryValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value of a parameter as a string; throws BadRequestError for anything else. */
export function textOf(value: QueryValue, parameter: string): string {
  if (value instanceof Slot) return value.read();
  if (typeof value !== 'string') {
    throw invalidParameter(parameter);
  }
  return value;
}

/** A copy of a query's tree that is nothing but strings, arrays and objects. */
export function plainQuery(tree: QueryObject): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(tree)) as Record<string, unknown>;
}

/** Splits a comma-separated list; trims the parts and drops empty ones. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses `t`, `true`, `1`, `f`, `false` or `0`; undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  if (text === 'true' || text === 't' || text === '1') {
    return true;
  }
  return text === 'false' || text === 'f' || text === '0' ? false : undefined;
}
