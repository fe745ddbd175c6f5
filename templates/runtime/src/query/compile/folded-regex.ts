/** Case-insensitive regular expressions: letters become character classes of their case variants, as in `glob-pattern.ts`. */
import type { TextMatch } from '../../contract/operators.ts';
import { caseVariants } from './case-variants.ts';

/** Characters that are special in the regular expressions of some engine. */
const SPECIAL = /[\\^$.|?*+()[\]{}#&~\s-]/u;

function anyCase(character: string): string {
  const variants = caseVariants(character);
  if (variants.length > 1) return `[${variants.join('')}]`;
  return SPECIAL.test(character) ? `\\${character}` : character;
}

/** The regular expression that matches a string in any case, anchored as `match` says; `end` is the engine's end anchor. */
export function foldedRegex(text: string, match: TextMatch, end: string): string {
  const body = Array.from(text, anyCase).join('');
  const from = match === 'equals' || match === 'startsWith' ? '^' : '';
  const to = match === 'equals' || match === 'endsWith' ? end : '';
  return `${from}${body}${to}`;
}
