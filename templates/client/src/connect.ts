/** Creates the client of a server, with a property for each content type. */
import { authOf } from './auth.ts';
import { batchOf } from './batch.ts';
import { type ClientSettings, collectionOf, singleOf, type TypeInfo } from './entries.ts';
import { uploadOf } from './upload.ts';

/** Parts that a server has only if its schema switches them on. */
type Parts = Readonly<Record<string, (settings: ClientSettings) => unknown>>;

/** Used by `createClient` of a project, which adds the types. Getters create the objects of content types only when they are used. */
export function connect(
  types: Readonly<Record<string, TypeInfo>>,
  settings: ClientSettings,
  parts: Parts = {},
): object {
  const client = {
    auth: authOf(settings),
    upload: uploadOf(settings),
    batch: batchOf(settings),
    withToken: (token: string) => connect(types, { ...settings, token }, parts),
    ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part(settings)])),
  };
  for (const [name, type] of Object.entries(types)) {
    Object.defineProperty(client, name, {
      enumerable: true,
      get: () => (type.single ? singleOf(settings, type) : collectionOf(settings, type)),
    });
  }
  return client;
}
