/** What a query consists of: text, arrays and objects. */
import { invalidParameter } from './invalid-parameter.ts';

export type QueryValue = string | Slot | readonly QueryValue[] | QueryObject;

export interface QueryObject {
  readonly [name: string]: QueryValue;
}

/**
 * A text of a filter that may be another one in the next query of the same shape. What reads it as part of the shape gives that
 * up: the query is then remembered with its values.
 */
export class Slot {
  readonly index: number;
  readonly #text: string;
  #isRead = false;

  constructor(index: number, text: string) {
    this.index = index;
    this.#text = text;
  }

  /** The text in this query, to be cast and bound as that of any other query will be. */
  get value(): string {
    return this.#text;
  }

  /** Whether the text itself has decided something. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** A tree that is written as JSON shows the text. */
  toJSON(): string {
    return this.#text;
  }

  /** The text, for what depends on it. */
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

/** The value of a parameter, or undefined; never anything that the object did not get from the request. */
export function own(object: QueryObject, name: string): QueryValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The one text of a parameter; 400 for anything else. */
export function textOf(value: QueryValue, parameter: string): string {
  if (value instanceof Slot) return value.read();
  if (typeof value !== 'string') {
    throw invalidParameter(parameter);
  }
  return value;
}

/** The parts of a list written with commas, trimmed; empty parts are dropped. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `t`, `true`, `1`, `f`, `false`, `0`; undefined for anything else. */
export function parseFlag(text: string): boolean | undefined {
  if (text === 'true' || text === 't' || text === '1') {
    return true;
  }
  return text === 'false' || text === 'f' || text === '0' ? false : undefined;
}
