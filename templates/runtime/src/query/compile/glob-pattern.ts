/** Case-insensitive patterns for SQLite's GLOB, which is case-sensitive: letters become classes of their case variants. */
import type { TextMatch } from '../../contract/operators.ts';
import { caseVariants } from './case-variants.ts';

function literal(character: string): string {
  return character === '*' || character === '?' || character === '[' ? `[${character}]` : character;
}

function anyCase(character: string): string {
  const variants = caseVariants(character);
  return variants.length === 1 ? literal(character) : `[${variants.join('')}]`;
}

/** The pattern that matches a string in any case, anchored as `match` says. */
export function foldedPattern(text: string, match: TextMatch): string {
  const body = Array.from(text, anyCase).join('');
  const open = match === 'contains' || match === 'endsWith' ? '*' : '';
  const end = match === 'contains' || match === 'startsWith' ? '*' : '';
  return `${open}${body}${end}`;
}
