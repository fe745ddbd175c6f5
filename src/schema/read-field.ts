/**
 * Reads single options of a map that `readFields` has checked. Absent options are `undefined`; invalid ones are
 * reported.
 */
import type { Located, WrittenNumber } from './located.ts';
import {
  type Fields,
  locationOf,
  readChoice,
  readEntries,
  type Reader,
  readingOf,
  readList,
  readText,
  reportType,
} from './reader.ts';

/** The option `key` as a string. */
export function textField(reader: Reader, fields: Fields, key: string): Located<string> | undefined {
  const reading = readingOf(fields, key);
  return reading && readText(reader, reading);
}

/** The option `key` as a list of strings. */
export function textListField(reader: Reader, fields: Fields, key: string): readonly Located<string>[] | undefined {
  const reading = readingOf(fields, key);
  return reading && readList(reader, reading, (item) => readText(reader, item));
}

/** The option `key` as a list of lists of strings. */
export function textListsField(
  reader: Reader,
  fields: Fields,
  key: string,
): readonly Located<readonly Located<string>[]>[] | undefined {
  const reading = readingOf(fields, key);
  return (
    reading &&
    readList(reader, reading, (item) => {
      const value = readList(reader, item, (text) => readText(reader, text));
      return value && { value, location: locationOf(reader, item) };
    })
  );
}

/** A map from strings to strings; keys have locations too. */
export type TextMap = readonly { readonly from: Located<string>; readonly to: Located<string> }[];

/** The option `key` as a map from strings to strings, in order. */
export function textMapField(reader: Reader, fields: Fields, key: string): TextMap | undefined {
  const reading = readingOf(fields, key);
  return (
    reading &&
    readEntries(reader, reading)?.flatMap(({ key: from, location, value }) => {
      const to = readText(reader, { node: value, location, what: `the replacement of \`${from}\`` });
      return to === undefined ? [] : [{ from: { value: from, location }, to }];
    })
  );
}

/** The option `key` as one of the words in `choices`. */
export function choiceField<T extends string>(
  reader: Reader,
  fields: Fields,
  key: string,
  choices: readonly T[],
): Located<T> | undefined {
  const reading = readingOf(fields, key);
  return reading && readChoice(reader, reading, choices);
}

/** The option `key` as a list of words from `choices`. */
export function choiceListField<T extends string>(
  reader: Reader,
  fields: Fields,
  key: string,
  choices: readonly T[],
  hintFor?: (word: string) => string | undefined,
): readonly Located<T>[] | undefined {
  const reading = readingOf(fields, key);
  return reading && readList(reader, reading, (item) => readChoice(reader, item, choices, hintFor));
}

/** The option `key` as `true` or `false`. */
export function booleanField(reader: Reader, fields: Fields, key: string): Located<boolean> | undefined {
  const reading = readingOf(fields, key);
  if (reading === undefined) return undefined;
  const { node } = reading;
  if (node.kind !== 'scalar' || typeof node.value !== 'boolean') {
    return reportType(reader, reading, '`true` or `false`, without quotes');
  }
  return { value: node.value, location: locationOf(reader, reading) };
}

/** The option `key` as `true`, `false` or a given word. */
export function flagOrWordField<Word extends string>(
  reader: Reader,
  fields: Fields,
  key: string,
  word: Word,
): Located<boolean | Word> | undefined {
  const reading = readingOf(fields, key);
  if (reading === undefined) return undefined;
  const { node } = reading;
  const value = node.kind === 'scalar' ? node.value : undefined;
  const location = locationOf(reader, reading);
  if (typeof value === 'boolean') return { value, location };
  return value === word ? { value: word, location } : reportType(reader, reading, `\`true\`, \`false\` or \`${word}\``);
}

/** A decimal number. Leading zeros, `0x` and `_` are excluded because YAML parsers disagree about them. */
const decimalNumber = /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * The option `key` as a number. For exact types it may be quoted, since it can have more digits than a JavaScript
 * number holds.
 */
export function numberField(
  reader: Reader,
  fields: Fields,
  key: string,
  { isExact }: { readonly isExact: boolean },
): WrittenNumber | undefined {
  const reading = readingOf(fields, key);
  if (reading === undefined) return undefined;
  const { node } = reading;
  if (!isExact && node.kind === 'scalar' && typeof node.value === 'string' && decimalNumber.test(node.value)) {
    return reportType(reader, reading, 'a number without quotes', `write ${key}: ${node.value}`);
  }
  const text = node.kind === 'scalar' && typeof node.value !== 'boolean' ? node.source : '';
  if (!decimalNumber.test(text) || !Number.isFinite(Number(text))) {
    const hint = 'use digits and a decimal point, such as 12 or 0.5, without leading zeros, `_` or `0x`';
    return reportType(reader, reading, 'a decimal number', hint);
  }
  return { value: Number(text), text, location: locationOf(reader, reading) };
}

/** The option `key` as a non-negative integer. */
export function countField(reader: Reader, fields: Fields, key: string): Located<number> | undefined {
  const reading = readingOf(fields, key);
  if (reading === undefined) return undefined;
  const { node } = reading;
  const value = node.kind === 'scalar' && typeof node.value === 'number' ? node.value : -1;
  if (value < 0 || node.kind !== 'scalar' || !/^(?:0|[1-9]\d{0,14})$/.test(node.source)) {
    return reportType(reader, reading, 'a non-negative integer');
  }
  return { value, location: locationOf(reader, reading) };
}

const byteUnits: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 * 1024],
]);

/**
 * The option `key` as a size such as `512kb` or `1mb` (binary units, as is usual for request bodies), or a number of
 * bytes.
 */
export function sizeField(reader: Reader, fields: Fields, key: string): Located<number> | undefined {
  const reading = readingOf(fields, key);
  if (reading === undefined) return undefined;
  const source = reading.node.kind === 'scalar' ? reading.node.source : '';
  const [, digits, unit] = /^([1-9]\d{0,11})([a-z]*)$/i.exec(source) ?? [];
  const factor = byteUnits.get(unit?.toLowerCase() ?? '');
  if (digits === undefined || factor === undefined) {
    return reportType(reader, reading, 'a number of bytes, or a size such as `512kb` or `1mb`');
  }
  return { value: Number(digits) * factor, location: locationOf(reader, reading) };
}
