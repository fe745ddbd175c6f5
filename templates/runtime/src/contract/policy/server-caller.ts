/** The caller that represents the server's own code. */
import type { ContentTypes } from '../content-type.ts';
import { type Caller, SERVER } from './caller.ts';
import { knownPermissions } from './permissions.ts';

/** A caller with all permissions on these types. */
export function serverCaller(types: ContentTypes): Caller {
  return Object.freeze({ kind: 'server', role: SERVER, permissions: new Set(knownPermissions(types)) });
}
