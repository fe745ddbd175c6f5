/** Patterns for engines with regular expressions: letters of any case become classes of characters, as in `glob-pattern.ts`. */
import type { TextMatch } from '../read-query.ts';
import { caseVariants } from './case-variants.ts';

/** What has a meaning of its own in a regular expression of any engine, but for `\`, `^`, `]` and `-` inside a class. */
const SPECIAL = /[\\^$.|?*+()[\]{}#&~\s-]/u;

function anyCase(character: string): string {
  const variants = caseVariants(character);
  if (variants.length > 1) return `[${variants.join('')}]`;
  return SPECIAL.test(character) ? `\\${character}` : character;
}

/** The regular expression of a text in any case, at the place that `match` says; `end` stands for the end of a text. */
export function foldedRegex(text: string, match: TextMatch, end: string): string {
  const body = Array.from(text, anyCase).join('');
  const from = match === 'equals' || match === 'startsWith' ? '^' : '';
  const to = match === 'equals' || match === 'endsWith' ? end : '';
  return `${from}${body}${to}`;
}
