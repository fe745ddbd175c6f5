/**
 * Prints plain data as TypeScript in the shape that prettier gives it (100 columns, single quotes), so that a long file of
 * data need not be formatted: an object or a list stands in one line where it fits.
 */
import { propertyKey, tsString } from './escape.ts';

export type Literal =
  null | boolean | number | string | readonly Literal[] | { readonly [key: string]: Literal | undefined };

const WIDTH = 100;
const INDENT = '  ';

type Compound = readonly Literal[] | { readonly [key: string]: Literal | undefined };

function isCompound(value: Literal): value is Compound {
  return typeof value === 'object' && value !== null;
}

function isList(value: Compound): value is readonly Literal[] {
  return Array.isArray(value);
}

function members(value: { readonly [key: string]: Literal | undefined }): (readonly [string, Literal])[] {
  return Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, member] as const]));
}

/** In one line. */
export function printInline(value: Literal): string {
  if (typeof value === 'string') return tsString(value);
  if (!isCompound(value)) return String(value);
  if (isList(value)) return `[${value.map(printInline).join(', ')}]`;
  const parts = members(value).map(([key, member]) => `${propertyKey(key)}: ${printInline(member)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** A member of an object or list in a line of its own, with what comes before its value: `key: ` or nothing. */
function printMember(before: string, value: Literal, indent: string, expanded: number): string {
  const inline = `${indent}${before}${printInline(value)},`;
  const isEmpty = isCompound(value) && (isList(value) ? value.length : members(value).length) === 0;
  if (isEmpty || (expanded <= 0 && inline.length <= WIDTH)) return inline;
  if (!isCompound(value)) {
    const key = before.trimEnd();
    // Prettier moves a text that is too long below its key, where that gains anything.
    return typeof value === 'string' && key.length > INDENT.length + 1
      ? `${indent}${key}\n${indent}${INDENT}${printInline(value)},`
      : inline;
  }
  return `${indent}${before}${printExpanded(value, indent, expanded - 1)},`;
}

/**
 * One member a line. `expanded` is for how many further levels objects are expanded even where they would fit;
 * `indent` that of the line in which the value starts.
 */
export function printExpanded(value: Literal, indent = '', expanded = 0): string {
  if (!isCompound(value)) return printInline(value);
  const inner = indent + INDENT;
  if (isList(value)) {
    return value.length === 0
      ? '[]'
      : `[\n${value.map((member) => printMember('', member, inner, expanded)).join('\n')}\n${indent}]`;
  }
  const lines = members(value).map(([key, member]) => printMember(`${propertyKey(key)}: `, member, inner, expanded));
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}
