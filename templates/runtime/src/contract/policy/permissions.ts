/** The names of permissions: the same words in the schema, in the database and in the policy. */
import type { ContentType, ContentTypes } from '../content-type.ts';

/** Built-in types → the word under which the schema permits them. */
const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['user', 'users'],
  ['user-role', 'roles'],
  ['file', 'upload'],
]);

/** What can be permitted besides the content types of the schema. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  upload: ['upload', 'find', 'findOne', 'destroy'],
  locales: ['find'],
  users: ['find', 'findOne', 'create', 'update', 'destroy', 'me'],
  roles: ['find', 'findOne', 'create', 'update', 'destroy'],
  tokens: ['find', 'create', 'destroy'],
};

const COLLECTION_ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'];
const SINGLE_ACTIONS = ['find', 'update', 'delete'];

/** The actions of a content type. Only types with drafts have a preview of them. */
function actionsOf({ kind, draftAndPublish }: ContentType): readonly string[] {
  const actions = kind === 'singleType' ? SINGLE_ACTIONS : COLLECTION_ACTIONS;
  return draftAndPublish ? [...actions, 'preview'] : actions;
}

/** The permission to do `action` with entries of the type or endpoint `uid`: `article.find`, `users.destroy`. */
export function permissionName(uid: string, action: string): string {
  const subject = SUBJECTS.get(uid);
  if (subject === undefined) return `${uid}.${action}`;
  return `${subject}.${action === 'delete' ? 'destroy' : action}`;
}

/** Every permission that a server knows, by content type or endpoint. */
export function knownPermissions(types: ContentTypes): readonly string[] {
  const own = Object.values(types.types).filter(({ uid }) => !SUBJECTS.has(uid));
  const ofTypes = own.flatMap((type) => actionsOf(type).map((action) => `${type.uid}.${action}`));
  const ofEndpoints = Object.entries(ENDPOINTS).flatMap(([endpoint, actions]) =>
    actions.map((action) => `${endpoint}.${action}`),
  );
  return [...ofTypes, ...ofEndpoints];
}

/** Whether a permission only lets read what is published. */
export function isReading(permission: string): boolean {
  return permission.endsWith('.find') || permission.endsWith('.findOne');
}
