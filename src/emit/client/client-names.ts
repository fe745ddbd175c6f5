/** What content types are called in the client: `api.articles`, `api.homepage`. */
import type { ContentType } from '../../model/content-model.ts';
import { camelCase } from '../../model/naming.ts';

/** What a client has of itself, or every JavaScript object. */
const OWN = ['auth', 'upload', 'withToken', 'then', 'toJSON', ...Object.getOwnPropertyNames(Object.prototype)];

/** Name → type. A name that is taken gets an underscore. */
export function clientNames(types: readonly ContentType[]): ReadonlyMap<string, ContentType> {
  const names = new Map<string, ContentType>();
  for (const type of types) {
    let name = camelCase(type.route);
    while (names.has(name) || OWN.includes(name)) name += '_';
    names.set(name, type);
  }
  return names;
}
