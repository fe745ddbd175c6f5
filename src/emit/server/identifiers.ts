/** Names of local variables in routes. */
import { camelCase } from '../../model/naming.ts';
import { isReservedIdentifier } from '../../model/reserved-names.ts';

/** Names used by the routes templates themselves. */
const TAKEN: ReadonlySet<string> = new Set(
  'router collection single allow ctx answer created idOf readObject readData requestOf'.split(' '),
);

/** A variable for the service of a type, named after its API id: `articles`. */
export function localName(apiId: string): string {
  const name = camelCase(apiId);
  return TAKEN.has(name) || isReservedIdentifier(name) || !/^[a-z]/.test(name) ? `${name}Entries` : name;
}
