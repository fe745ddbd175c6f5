/** The client of a server, by what its content types are called. */
import { authOf } from './auth.ts';
import { type ClientSettings, collectionOf, singleOf, type TypeInfo } from './entries.ts';
import { uploadOf } from './upload.ts';

/** For `createClient` of a project, which gives it its types. Each content type is made when it is first asked for. */
export function connect(types: Readonly<Record<string, TypeInfo>>, settings: ClientSettings): object {
  const client = {
    auth: authOf(settings),
    upload: uploadOf(settings),
    withToken: (token: string) => connect(types, { ...settings, token }),
  };
  for (const [name, type] of Object.entries(types)) {
    Object.defineProperty(client, name, {
      enumerable: true,
      get: () => (type.single ? singleOf(settings, type) : collectionOf(settings, type)),
    });
  }
  return client;
}
