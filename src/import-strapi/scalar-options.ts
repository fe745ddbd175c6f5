/** Options of scalar attributes: those of Strapi that have an equivalent and are valid. */
import { MAX_SHORT_LENGTH, type ScalarRules } from '#contract/attribute-types/attribute-type.ts';
import { attributeType, type ScalarType } from '#contract/attribute-types/scalar-type.ts';
import { enumValueFault } from '../model/resolve-scalar.ts';
import { checkRegex } from '../model/regex/check-regex.ts';
import type { Json } from './draft.ts';
import type { Members } from './strapi-project.ts';

/** Converted options, and the reasons why others were left out. */
export interface Converted {
  readonly options: Readonly<Record<string, Json>>;
  readonly leftOut: readonly string[];
}

interface Into {
  readonly type: ScalarType;
  readonly given: Members;
  readonly options: Record<string, Json>;
  readonly leftOut: string[];
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Whether values of the type are indexed, which limits their length. */
function isIndexed({ type, given }: Into): boolean {
  return type === 'uid' || (given['unique'] === true && attributeType(type).canBeUnique);
}

function takeLengths(into: Into): void {
  const { type, given, options, leftOut } = into;
  const known: readonly string[] = attributeType(type).options;
  const most = isIndexed(into) ? MAX_SHORT_LENGTH : Infinity;
  for (const name of ['minLength', 'maxLength']) {
    const value = given[name];
    if (value === undefined || value === null || !known.includes(name)) continue;
    if (!isCount(value)) leftOut.push(`${name}: not an integer`);
    else if (value > most) leftOut.push(`${name}: ${value}: the maximum for unique values is ${most} characters`);
    else options[name] = value;
  }
  const { minLength, maxLength } = options;
  if (typeof minLength !== 'number' || typeof maxLength !== 'number' || minLength <= maxLength) return;
  delete options['minLength'];
  leftOut.push(`minLength: ${minLength}: greater than maxLength`);
}

/** The pattern of `/^a/`: some projects write it as in JavaScript, which no value matches in Strapi. */
function withoutSlashes(regex: string): string {
  return /^\/(?<pattern>.+)\/[a-z]*$/su.exec(regex)?.groups?.['pattern'] ?? regex;
}

function takeRegex({ type, given, options, leftOut }: Into): void {
  const written = given['regex'];
  const regex = typeof written === 'string' ? withoutSlashes(written) : undefined;
  const known: readonly string[] = attributeType(type).options;
  if (regex === undefined || regex === '' || !known.includes('regex')) return;
  const fault = checkRegex(regex);
  if (fault === undefined) options['regex'] = regex;
  else leftOut.push(`regex: ${regex}: ${fault.message}`);
}

/**
 * Bounds as written in a schema: exact numbers are quoted if they have more digits than a JavaScript number can hold.
 */
function takeRange({ type, given, options, leftOut }: Into): void {
  const { readBound } = attributeType(type);
  if (!readBound) return;
  for (const name of ['min', 'max']) {
    const value = given[name];
    if (value === undefined || value === null || value === '') continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const bound = readBound(text);
    if ('value' in bound) options[name] = String(Number(text)) === text ? Number(text) : text;
    else leftOut.push(`${name}: ${text}: expected ${bound.expected}`);
  }
}

function takeEnum({ type, given, options, leftOut }: Into): void {
  if (type !== 'enumeration') return;
  const values = Array.isArray(given['enum']) ? given['enum'].map(String) : [];
  const usable = values.filter((value) => enumValueFault(value) === undefined);
  const unique = usable.filter(
    (value, index) => usable.findIndex((other) => other.normalize('NFC') === value.normalize('NFC')) === index,
  );
  if (unique.length < values.length) leftOut.push('empty, invalid or duplicate values of enum');
  options['enum'] = unique;
}

function takeDefault({ type, given, options, leftOut }: Into): void {
  const value = given['default'];
  if (value === undefined || value === null) return;
  const { readDefault } = attributeType(type);
  // Strapi's content-type builder writes an empty string for "no default".
  if (value === '' && type !== 'string' && type !== 'text' && type !== 'richtext') return;
  const written = { value: value as Json as never, text: typeof value === 'number' ? String(value) : undefined };
  const rules: ScalarRules = options;
  const read = readDefault?.(written, rules);
  if (read !== undefined && 'value' in read) options['default'] = value as Json;
  else {
    leftOut.push(
      `default: ${JSON.stringify(value)}: ${read === undefined ? "passwords can't have one" : `expected ${read.expected}`}`,
    );
  }
}

/** Converts the options of an attribute. */
export function scalarOptions(type: ScalarType, given: Members): Converted {
  const into: Into = { type, given, options: {}, leftOut: [] };
  const { options, leftOut } = into;
  if (given['unique'] === true) {
    if (attributeType(type).canBeUnique) options['unique'] = true;
    else leftOut.push(`unique: ${type} values can't be indexed`);
  }
  takeEnum(into);
  takeLengths(into);
  takeRegex(into);
  takeRange(into);
  takeDefault(into);
  return { options, leftOut };
}
