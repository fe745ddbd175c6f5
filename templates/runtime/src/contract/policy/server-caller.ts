/** The caller that the server's own code is. */
import type { ContentTypes } from '../content-type.ts';
import { type Caller, SERVER } from './caller.ts';
import { knownPermissions } from './permissions.ts';

/** May do everything that there is to do with these types. */
export function serverCaller(types: ContentTypes): Caller {
  return Object.freeze({ kind: 'server', role: SERVER, permissions: new Set(knownPermissions(types)) });
}
