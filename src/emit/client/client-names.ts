/** Names of content types in the client: `api.articles`, `api.homepage`. */
import type { ContentType } from '../../model/content-model.ts';
import { camelCase } from '../../model/naming.ts';

/** Names that are taken: members of the client itself and of every JavaScript object. */
const OWN = ['auth', 'upload', 'batch', 'withToken', 'then', 'toJSON', ...Object.getOwnPropertyNames(Object.prototype)];

/** Name → type. A name that is taken gets a trailing underscore. */
export function clientNames(
  types: readonly ContentType[],
  { events }: { readonly events: boolean },
): ReadonlyMap<string, ContentType> {
  const names = new Map<string, ContentType>();
  const taken = [...OWN, ...(events ? ['events'] : [])];
  for (const type of types) {
    let name = camelCase(type.route);
    while (names.has(name) || taken.includes(name)) name += '_';
    names.set(name, type);
  }
  return names;
}
