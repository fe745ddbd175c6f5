/** JSON that people read and compare: what fits into a line is one. */
import type { Json } from '../json.ts';

const WIDTH = 120;

function membersOf(value: object): readonly (readonly [prefix: string, member: Json])[] {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => ['', item]);
  const members = Object.entries(value as { readonly [key: string]: Json | undefined });
  return members.flatMap(([key, member]) => (member === undefined ? [] : [[`${JSON.stringify(key)}: `, member]]));
}

/** Whether parts are lines, and fit into one together with so many other characters, a bracket or a comma and a blank for each. */
function fits(parts: readonly string[], others: number): boolean {
  let width = others;
  for (const part of parts) {
    width += part.length + 2;
    if (width >= WIDTH || part.includes('\n')) return false;
  }
  return true;
}

/** `before` are the characters of the line before the value. */
function print(value: Json, indent: string, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const inner = `${indent}  `;
  const parts = membersOf(value).map(
    ([prefix, member]) => `${prefix}${print(member, inner, inner.length + prefix.length)}`,
  );
  if (parts.length === 0) return `${start}${end}`;
  const space = Array.isArray(value) ? '' : ' ';
  if (fits(parts, before + 2 * space.length)) return `${start}${space}${parts.join(', ')}${space}${end}`;
  return `${start}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${end}`;
}

/** The text of a file. Members that are `undefined` are left out. */
export function printDocument(value: Json): string {
  return `${print(value, '', 0)}\n`;
}
