/** All permissions of a server. They have the same names in the schema, in the database and in the policy. */
import type { ContentTypes } from '../content-type.ts';
import { ENDPOINT_ACTIONS } from '../routes/built-in.ts';
import { entryActions } from '../routes/entries.ts';
import { SUBJECTS } from './permission-name.ts';

/** The subject of permissions for releases, of servers that have them. */
const RELEASES = 'releases';

function endpointsOf({ types }: ContentTypes): readonly (readonly [string, readonly string[]])[] {
  const hasReleases = Object.values(types).some(({ schedules }) => schedules);
  return [...ENDPOINT_ACTIONS].filter(([subject]) => subject !== RELEASES || hasReleases);
}

/** All permissions of a server, grouped by content type or endpoint. */
export function knownPermissions(types: ContentTypes): readonly string[] {
  const own = Object.values(types.types).filter(({ uid }) => !SUBJECTS.has(uid));
  const actions = [...own.map((type) => [type.uid, entryActions(type)] as const), ...endpointsOf(types)];
  return actions.flatMap(([subject, names]) => names.map((action) => `${subject}.${action}`));
}

/** Whether a permission only permits reading published content. */
export function isReading(permission: string): boolean {
  return permission.endsWith('.find') || permission.endsWith('.findOne');
}
