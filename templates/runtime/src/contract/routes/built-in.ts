/** What a server has beside its content types, by the feature that serves it. */
import { ACCOUNT_SCHEMAS } from './account-schemas.ts';
import { ACCESS_ROUTES } from './access.ts';
import { ADMIN_ROUTES, ADMIN_SCHEMAS } from './admin.ts';
import { AUTH_ROUTES } from './auth.ts';
import { CONTENT_TYPE_ROUTES, CONTENT_TYPE_SCHEMAS } from './content-type-builder.ts';
import { FILE_ROUTES, FILE_SCHEMAS } from './files.ts';
import type { JsonSchema } from './json-schema.ts';
import { LOCALE_ROUTES, LOCALE_SCHEMAS } from './locales.ts';
import type { Route } from './route.ts';
import { USER_ROUTES } from './users.ts';

/** The routes of a feature, and the schemas that they refer to by name. */
export interface RouteGroup {
  readonly feature: string;
  readonly routes: readonly Route[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Tag of its routes → what they are about. */
  readonly tags: Readonly<Record<string, string>>;
  /** The built-in type without which a server has none of this; undefined: each has it. */
  readonly needsType?: string;
  /** Whether only servers have it whose schema says so, under the name of the feature. */
  readonly isChosen?: true;
}

export const BUILT_IN: readonly RouteGroup[] = [
  {
    feature: 'auth',
    routes: [...AUTH_ROUTES, ...USER_ROUTES, ...ACCESS_ROUTES],
    schemas: ACCOUNT_SCHEMAS,
    tags: {
      authentication: 'Signing in, registration and passwords.',
      users: 'Users, and the own account. Answers have no envelope.',
      access: 'Roles and API tokens.',
    },
  },
  {
    feature: 'upload',
    routes: FILE_ROUTES,
    schemas: FILE_SCHEMAS,
    tags: { upload: 'Files. Answers have no envelope.' },
    needsType: 'file',
  },
  {
    feature: 'locales',
    routes: LOCALE_ROUTES,
    schemas: LOCALE_SCHEMAS,
    tags: { locales: 'The locales of the server.' },
  },
  {
    feature: 'content-type-builder',
    routes: CONTENT_TYPE_ROUTES,
    schemas: CONTENT_TYPE_SCHEMAS,
    tags: { 'content-type-builder': 'What the content types are.' },
  },
  {
    feature: 'admin',
    routes: ADMIN_ROUTES,
    schemas: ADMIN_SCHEMAS,
    tags: {
      admin: 'The page for editors. Its session is a cookie, which counts with the header `X-Admin-Session: 1` alone.',
    },
    isChosen: true,
  },
];

/** What a server with these types has; `uids` include the built-in ones, `chosen` are features that its schema asks for. */
export function usedGroups(uids: ReadonlySet<string>, chosen: ReadonlySet<string>): readonly RouteGroup[] {
  return BUILT_IN.filter(
    ({ feature, needsType, isChosen }) =>
      (needsType === undefined || uids.has(needsType)) && (isChosen === undefined || chosen.has(feature)),
  );
}

/** The first segments below `/api/` that no content type can have, whether or not a server uses them. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set(
  BUILT_IN.flatMap(({ routes }) => routes.map(({ path }) => path.split('/')[2] ?? '')),
);

/** What is permitted for something else than entries: the subjects of the built-in routes' permissions, with their actions, reads first. */
export const ENDPOINT_ACTIONS: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  const all = BUILT_IN.flatMap(({ routes }) => routes);
  const ordered = [...all.filter(({ method }) => method === 'GET'), ...all.filter(({ method }) => method !== 'GET')];
  for (const { permission } of ordered) {
    const [subject, action] = permission?.split('.') ?? [];
    if (subject === undefined || action === undefined) continue;
    const actions = found.get(subject) ?? [];
    if (!actions.includes(action)) actions.push(action);
    found.set(subject, actions);
  }
  return found;
})();

/** Only the database gives these to roles, by whoever has them: a schema that could would hand them to all who have its role. */
const NOT_IN_SCHEMAS: ReadonlySet<string> = new Set(['tokens']);

/** What a schema can permit beside its content types, by subject. */
export const SCHEMA_ENDPOINTS: ReadonlyMap<string, readonly string[]> = new Map(
  [...ENDPOINT_ACTIONS].filter(([subject]) => !NOT_IN_SCHEMAS.has(subject)),
);
