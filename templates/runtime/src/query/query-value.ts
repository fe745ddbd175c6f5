/** What a query string parses to: text, arrays and objects without a prototype. */
import { invalidParameter } from './invalid-parameter.ts';

export type QueryValue = string | readonly QueryValue[] | QueryObject;

export interface QueryObject {
  readonly [name: string]: QueryValue;
}

export function isQueryArray(value: QueryValue): value is readonly QueryValue[] {
  return Array.isArray(value);
}

export function isQueryObject(value: QueryValue): value is QueryObject {
  return typeof value === 'object' && !isQueryArray(value);
}

/** The value of a parameter, or undefined; never anything that the object did not get from the request. */
export function own(object: QueryObject, name: string): QueryValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The one text of a parameter; 400 for anything else. */
export function textOf(value: QueryValue, parameter: string): string {
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
