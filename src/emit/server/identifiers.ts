/** Names of local variables in routes. */
import { camelCase } from 'change-case';

/** What the routes templates use themselves, and words that can't be variables. */
const TAKEN: ReadonlySet<string> = new Set(
  [
    'router Router collection single allow ctx body created readData requestOf String arguments eval undefined',
    'await break case catch class const continue debugger default delete do else enum export extends false',
    'finally for function if import in instanceof new null return super switch this throw true try typeof',
    'var void while with yield let static implements interface package private protected public',
  ].flatMap((words) => words.split(' ')),
);

/** A variable for the service of a type, after its API id: `articles`. */
export function localName(apiId: string): string {
  const name = camelCase(apiId);
  return TAKEN.has(name) || !/^[a-z]/.test(name) ? `${name || 'its'}Entries` : name;
}
