/** Reading of single options of a map that `readFields` has checked: absent is `undefined`, wrong is reported. */
import { isScalar } from 'yaml';
import type { Node } from 'yaml';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Located, WrittenNumber } from './definition.ts';
import { locationOf, readChoice, readList, readText, reportType } from './reader.ts';
import type { Fields, Reader } from './reader.ts';

/** The option `key` as text. */
export function textField(reader: Reader, fields: Fields, key: string): Located<string> | undefined {
  const entry = fields.get(key);
  return entry && readText(reader, entry.value, entry.location, `\`${key}\``);
}

/** The option `key` as a list of texts. */
export function textListField(reader: Reader, fields: Fields, key: string): readonly Located<string>[] | undefined {
  const entry = fields.get(key);
  if (entry === undefined) return undefined;
  const what = `\`${key}\``;
  return readList(reader, entry.value, entry.location, what, (item, location) =>
    readText(reader, item, location, `an item of ${what}`),
  );
}

/** The option `key` as one of the words `choices`. */
export function choiceField<T extends string>(
  reader: Reader,
  fields: Fields,
  key: string,
  choices: readonly T[],
): Located<T> | undefined {
  const entry = fields.get(key);
  return entry && readChoice(reader, entry.value, entry.location, `\`${key}\``, choices);
}

/** The option `key` as a list of some of the words `choices`. */
export function choiceListField<T extends string>(
  reader: Reader,
  fields: Fields,
  key: string,
  choices: readonly T[],
): readonly Located<T>[] | undefined {
  const entry = fields.get(key);
  if (entry === undefined) return undefined;
  const what = `\`${key}\``;
  return readList(reader, entry.value, entry.location, what, (item, location) =>
    readChoice(reader, item, location, `an item of ${what}`, choices),
  );
}

/** The option `key` as `true` or `false`. */
export function booleanField(reader: Reader, fields: Fields, key: string): Located<boolean> | undefined {
  const entry = fields.get(key);
  if (entry === undefined) return undefined;
  const { value: node } = entry;
  if (isScalar(node) && typeof node.value === 'boolean') {
    return { value: node.value, location: locationOf(reader, node, entry.location) };
  }
  return reportType(reader, node, entry.location, `\`${key}\``, '`true` or `false`, without quotes');
}

/** A decimal number; a leading zero or a sign before it would mean different things to different readers of YAML. */
const plainNumber = /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** A number, written plainly or, where it may have more digits than JavaScript can hold, in quotes. */
export function readNumber(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
): WrittenNumber | undefined {
  const text = isScalar(node) ? (typeof node.value === 'number' ? node.source : node.value) : undefined;
  if (typeof text !== 'string' || !plainNumber.test(text) || !Number.isFinite(Number(text))) {
    return reportType(reader, node, fallback, what, 'a decimal number');
  }
  return { value: Number(text), text, location: locationOf(reader, node, fallback) };
}

/** The option `key` as a number. */
export function numberField(reader: Reader, fields: Fields, key: string): WrittenNumber | undefined {
  const entry = fields.get(key);
  return entry && readNumber(reader, entry.value, entry.location, `\`${key}\``);
}

/** The option `key` as a whole number that is not negative. */
export function countField(reader: Reader, fields: Fields, key: string): Located<number> | undefined {
  const entry = fields.get(key);
  if (entry === undefined) return undefined;
  const { value: node } = entry;
  if (isScalar(node) && typeof node.value === 'number' && Number.isSafeInteger(node.value) && node.value >= 0) {
    if (plainNumber.test(node.source ?? '')) {
      return { value: node.value, location: locationOf(reader, node, entry.location) };
    }
  }
  return reportType(reader, node, entry.location, `\`${key}\``, 'a whole number, 0 or more');
}
