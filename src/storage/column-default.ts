/** The default of an attribute as its column has it. */
import type { JsonValue, ScalarAttribute } from '../model/content-model.ts';
import type { Column } from './storage-model.ts';

const TIME = /^(?<time>\d{2}:\d{2}:\d{2})(?:\.(?<fraction>\d{1,3}))?$/u;
const INSTANT = /^(?<seconds>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(?<fraction>\d{1,3}))?Z$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/u;

/** A time with three digits after the second, as it is stored. */
function withMilliseconds(pattern: RegExp, value: JsonValue): string | undefined {
  const groups = typeof value === 'string' ? pattern.exec(value)?.groups : undefined;
  const seconds = groups?.['time'] ?? groups?.['seconds'];
  if (seconds === undefined) return undefined;
  return `${seconds}.${(groups?.['fraction'] ?? '').padEnd(3, '0')}${pattern === INSTANT ? 'Z' : ''}`;
}

function matching(pattern: RegExp, text: string): string | undefined {
  return pattern.test(text) ? text : undefined;
}

function plain(value: JsonValue): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** SQL files have line feeds only, whatever a checkout makes of their ends: another one within a text would not last. */
function withoutCarriageReturn(value: JsonValue): string | undefined {
  return typeof value === 'string' && !value.includes('\r') ? value : undefined;
}

/**
 * What rows that exist already get when the column is added. Undefined where the attribute has no default, or one that is
 * not written in the form in which values are stored: such rows have no value then. Nor is there one for values that must
 * differ, and for passwords.
 */
export function columnDefault(attribute: ScalarAttribute): Column['default'] {
  const value = attribute.default;
  if (value === undefined || value === null || attribute.unique) return undefined;
  switch (attribute.type) {
    case 'uid':
    case 'password':
      return undefined;
    case 'biginteger':
    case 'decimal':
      return matching(PLAIN_DECIMAL, String(plain(value) ?? ''));
    case 'json':
    case 'blocks':
      return JSON.stringify(value);
    case 'date':
      return matching(DATE, String(plain(value) ?? ''));
    case 'time':
      return withMilliseconds(TIME, value);
    case 'datetime':
    case 'timestamp':
      return withMilliseconds(INSTANT, value);
    case 'string':
    case 'text':
    case 'richtext':
    case 'email':
    case 'enumeration':
      return withoutCarriageReturn(value);
    case 'integer':
    case 'float':
    case 'boolean':
      return plain(value);
  }
}
