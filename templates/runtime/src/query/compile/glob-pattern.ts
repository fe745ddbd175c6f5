/** Patterns for SQLite's GLOB, which compares case and all: letters of any case become classes of characters. */
import type { TextMatch } from '../read-query.ts';
import { caseVariants } from './case-variants.ts';

function literal(character: string): string {
  return character === '*' || character === '?' || character === '[' ? `[${character}]` : character;
}

function anyCase(character: string): string {
  const variants = caseVariants(character);
  return variants.length === 1 ? literal(character) : `[${variants.join('')}]`;
}

/** The pattern of a text in any case, at the place that `match` says. */
export function foldedPattern(text: string, match: TextMatch): string {
  const body = Array.from(text, anyCase).join('');
  const open = match === 'contains' || match === 'endsWith' ? '*' : '';
  const end = match === 'contains' || match === 'startsWith' ? '*' : '';
  return `${open}${body}${end}`;
}
