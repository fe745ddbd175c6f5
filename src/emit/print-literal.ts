/**
 * Prints plain data as TypeScript, formatted as prettier would (100 columns, single quotes), so that long data files
 * need no formatting. An object or array is printed on one line if it fits.
 */
import { propertyKey, tsString } from './escape.ts';

export type Literal =
  null | boolean | number | string | readonly Literal[] | { readonly [key: string]: Literal | undefined };

type Members = { readonly [key: string]: Literal | undefined };
type Compound = readonly Literal[] | Members;

const WIDTH = 100;
const INDENT = '  ';

function isCompound(value: Literal): value is Compound {
  return typeof value === 'object' && value !== null;
}

function isList(value: Literal): value is readonly Literal[] {
  return Array.isArray(value);
}

/** The prefix of each value, and the value: `key: ` for an object, '' for an array. Skips undefined members. */
function* partsOf(value: Compound): Generator<readonly [before: string, value: Literal], void> {
  if (isList(value)) {
    for (const item of value) yield ['', item];
    return;
  }
  for (const [key, member] of Object.entries(value)) if (member !== undefined) yield [`${propertyKey(key)}: `, member];
}

/**
 * A number as prettier and the linter want it: digits grouped by three from five digits on, no plus sign in the
 * exponent.
 */
function printNumber(value: number): string {
  return String(value)
    .replace('e+', 'e')
    .replace(/^(-?)(\d{5,})/u, (_, sign: string, digits: string) => sign + digits.replace(/\B(?=(?:\d{3})+$)/gu, '_'));
}

/** Prints the value on one line. */
export function printInline(value: Literal): string {
  return inlineWithin(value, Infinity) ?? '';
}

/** Prints the value on one line; undefined if that takes more than `maxLength` characters. */
function inlineWithin(value: Literal, maxLength: number): string | undefined {
  const text = isCompound(value) ? membersWithin(value, maxLength) : printScalar(value);
  return text !== undefined && text.length <= maxLength ? text : undefined;
}

function membersWithin(value: Compound, maxLength: number): string | undefined {
  let text = '';
  for (const [before, member] of partsOf(value)) {
    const inline = inlineWithin(member, maxLength - text.length);
    if (inline === undefined) return undefined;
    text += `${text === '' ? '' : ', '}${before}${inline}`;
  }
  if (isList(value)) return `[${text}]`;
  return text === '' ? '{}' : `{ ${text} }`;
}

function printScalar(value: null | boolean | number | string): string {
  if (typeof value === 'string') return tsString(value);
  return typeof value === 'number' ? printNumber(value) : String(value);
}

/**
 * Prettier moves a string that is too long to the line below its key, unless the key is about as short as the
 * indentation.
 */
function printLongText(before: string, value: string, indent: string): string {
  const text = printInline(value);
  const key = before.trimEnd();
  return key.length > INDENT.length + 1 ? `${indent}${key}\n${indent}${INDENT}${text},` : `${indent}${before}${text},`;
}

/** Prints a member on a line of its own, or on several if necessary. */
function printMember(before: string, value: Literal, indent: string, expanded: number): string {
  const mustExpand = expanded > 0 && isCompound(value) && !isList(value) && !partsOf(value).next().done;
  const inline = mustExpand ? undefined : inlineWithin(value, WIDTH - indent.length - before.length - 1);
  if (inline !== undefined) return `${indent}${before}${inline},`;
  if (typeof value === 'string') return printLongText(before, value, indent);
  return `${indent}${before}${printExpanded(value, indent, expanded - 1)},`;
}

/**
 * Prints one member per line. Objects are expanded for `expanded` further levels even if they would fit on a line;
 * `indent` is the indentation of the line where the value starts.
 */
export function printExpanded(value: Literal, indent = '', expanded = 0): string {
  if (!isCompound(value)) return printInline(value);
  const parts = [...partsOf(value)];
  const [open, close] = isList(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const lines = parts.map(([before, member]) => printMember(before, member, indent + INDENT, expanded));
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}
