/** Names in `.env` that are probably misspelled: the server would silently run with the default instead. */
import { parseEnv } from 'node:util';
import { nearestName } from '../query/nearest-name.ts';

/** More edits than this make another name. */
const MOST_EDITS = 2;
/** Shorter names are near to too many others. */
const MINIMUM_LENGTH = 6;

/** A line for each variable in the text of `.env` that is not `known`, but nearly is. */
export function misspelledVariables(text: string, known: readonly string[]): readonly string[] {
  return Object.keys(parseEnv(text)).flatMap((name) => {
    if (known.includes(name) || name.length < MINIMUM_LENGTH) return [];
    const near = nearestName(name, known, MOST_EDITS);
    return near === undefined ? [] : `${name} in .env is not a setting of this server; did you mean ${near}?`;
  });
}
