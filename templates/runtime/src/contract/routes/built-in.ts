/** The routes of a server other than those of its content types, grouped by feature. */
import { ACCOUNT_SCHEMAS } from './account-schemas.ts';
import { ACCESS_ROUTES } from './access.ts';
import { ADMIN_ROUTES, ADMIN_SCHEMAS } from './admin.ts';
import { AUDIT_ROUTES, AUDIT_SCHEMAS } from './audit.ts';
import { AUTH_ROUTES } from './auth.ts';
import { BATCH_ROUTES, BATCH_SCHEMAS } from './batch.ts';
import { CONTENT_TYPE_ROUTES, CONTENT_TYPE_SCHEMAS } from './content-type-builder.ts';
import { COST_ROUTES, COST_SCHEMAS } from './costs.ts';
import { EVENT_ROUTES, EVENT_SCHEMAS } from './events.ts';
import {
  CROP_PROPERTIES,
  FILE_ROUTES,
  FILE_SCHEMAS,
  FILE_TRASH_ROUTES,
  FOCAL_POINT_PROPERTIES,
  PLACEHOLDER_PROPERTIES,
} from './files.ts';
import { FOLDER_ROUTES, FOLDER_SCHEMAS } from './folders.ts';
import type { AddedProperties, JsonSchema } from './json-schema.ts';
import { JOB_ROUTES, JOB_SCHEMAS } from './jobs.ts';
import { LOCALE_ROUTES, LOCALE_SCHEMAS } from './locales.ts';
import type { QueryParameter, Route } from './route.ts';
import { RELEASE_ROUTES, RELEASE_SCHEMAS } from './releases.ts';
import { RESUMABLE_ROUTES, RESUMABLE_SCHEMAS } from './resumable.ts';
import { SCHEDULE_ROUTES, SCHEDULE_SCHEMAS } from './schedules.ts';
import { TAG_PARAMETERS, TAG_PROPERTIES, TAG_ROUTES } from './tags.ts';
import { TRASH_SCHEMAS } from './trash.ts';
import { USER_ROUTES } from './users.ts';
import { WEBHOOK_ROUTES, WEBHOOK_SCHEMAS } from './webhooks.ts';

/** The routes of a feature. */
export interface RouteGroup {
  readonly feature: string;
  readonly routes: readonly Route[];
  /** The schemas that the routes refer to, by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** What it adds to schemas of groups before it. */
  readonly adds?: AddedProperties;
  /** Query parameters that it adds to routes of other groups, by the id of the route. */
  readonly asks?: Readonly<Record<string, readonly QueryParameter[]>>;
  /** Tag of the routes → description. */
  readonly tags: Readonly<Record<string, string>>;
  /** The built-in type that a server needs to have these routes. Undefined: none. */
  readonly needsType?: string;
  /** Whether the schema has to enable the feature by its name. */
  readonly isChosen?: true;
  /** Whether its paths are free for types of schemas that don't enable it. */
  readonly reservesIfChosen?: true;
}

export const BUILT_IN: readonly RouteGroup[] = [
  {
    feature: 'auth',
    routes: [...AUTH_ROUTES, ...USER_ROUTES, ...ACCESS_ROUTES],
    schemas: ACCOUNT_SCHEMAS,
    tags: {
      authentication: 'Sign-in, registration and passwords.',
      users: 'Users, and your own account. Responses have no envelope.',
      access: 'Roles and API tokens.',
    },
  },
  {
    feature: 'upload',
    routes: FILE_ROUTES,
    schemas: FILE_SCHEMAS,
    tags: { upload: 'Files. Responses have no envelope.' },
    needsType: 'file',
  },
  {
    feature: 'locales',
    routes: LOCALE_ROUTES,
    schemas: LOCALE_SCHEMAS,
    tags: { locales: 'The locales of the server.' },
  },
  {
    feature: 'batch',
    routes: BATCH_ROUTES,
    schemas: BATCH_SCHEMAS,
    tags: { batch: 'Several writes in one transaction.' },
  },
  {
    feature: 'costs',
    routes: COST_ROUTES,
    schemas: COST_SCHEMAS,
    tags: { costs: 'What requests cost.' },
    isChosen: true,
  },
  {
    feature: 'audit',
    routes: AUDIT_ROUTES,
    schemas: AUDIT_SCHEMAS,
    tags: { audit: 'Who did what.' },
    isChosen: true,
  },
  {
    feature: 'events',
    routes: EVENT_ROUTES,
    schemas: EVENT_SCHEMAS,
    tags: { events: 'Changes as they happen.' },
    isChosen: true,
  },
  {
    feature: 'webhooks',
    routes: WEBHOOK_ROUTES,
    schemas: WEBHOOK_SCHEMAS,
    tags: { webhooks: 'Who is told of events, and how.' },
    isChosen: true,
  },
  {
    feature: 'jobs',
    routes: JOB_ROUTES,
    schemas: JOB_SCHEMAS,
    tags: { jobs: 'What the server does by itself.' },
    isChosen: true,
  },
  {
    feature: 'schedules',
    routes: [...SCHEDULE_ROUTES, ...RELEASE_ROUTES],
    schemas: { ...SCHEDULE_SCHEMAS, ...RELEASE_SCHEMAS },
    tags: {
      schedules: 'When drafts are published and taken back.',
      releases: 'Entries that are published together.',
    },
    isChosen: true,
    reservesIfChosen: true,
  },
  {
    feature: 'trash',
    routes: [],
    schemas: TRASH_SCHEMAS,
    tags: {},
    isChosen: true,
  },
  {
    feature: 'file-trash',
    routes: FILE_TRASH_ROUTES,
    schemas: {},
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'file-folders',
    routes: FOLDER_ROUTES,
    schemas: FOLDER_SCHEMAS,
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'focal-points',
    routes: [],
    schemas: {},
    adds: FOCAL_POINT_PROPERTIES,
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'crops',
    routes: [],
    schemas: {},
    adds: CROP_PROPERTIES,
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'placeholders',
    routes: [],
    schemas: {},
    adds: PLACEHOLDER_PROPERTIES,
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'file-tags',
    routes: TAG_ROUTES,
    schemas: {},
    adds: TAG_PROPERTIES,
    asks: TAG_PARAMETERS,
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'resumable-uploads',
    routes: RESUMABLE_ROUTES,
    schemas: RESUMABLE_SCHEMAS,
    tags: {},
    needsType: 'file',
    isChosen: true,
  },
  {
    feature: 'content-type-builder',
    routes: CONTENT_TYPE_ROUTES,
    schemas: CONTENT_TYPE_SCHEMAS,
    tags: { 'content-type-builder': 'Descriptions of the content types.' },
  },
  {
    feature: 'admin',
    routes: ADMIN_ROUTES,
    schemas: ADMIN_SCHEMAS,
    tags: {
      admin:
        'The page for editors. Its session is a cookie, which is accepted only with the header `X-Admin-Session: 1`.',
    },
    isChosen: true,
  },
];

/** The groups of a server. `uids` are those of all its types, built-in ones included; `chosen`: features that its schema enables. */
export function usedGroups(uids: ReadonlySet<string>, chosen: ReadonlySet<string>): readonly RouteGroup[] {
  const used = BUILT_IN.filter(
    ({ feature, needsType, isChosen }) =>
      (needsType === undefined || uids.has(needsType)) && (isChosen === undefined || chosen.has(feature)),
  );
  const asked = new Map(used.flatMap(({ asks = {} }) => Object.entries(asks)));
  const withParameters = (route: Route): Route => {
    const further = asked.get(route.id);
    return further ? { ...route, query: [...(route.query ?? []), ...further] } : route;
  };
  return used.map((group) => ({ ...group, routes: group.routes.map(withParameters) }));
}

/** The schemas of groups by name, with what groups add to those of others. */
export function schemasOf(groups: readonly RouteGroup[]): Readonly<Record<string, JsonSchema>> {
  const schemas: Record<string, JsonSchema> = Object.assign({}, ...groups.map((group) => group.schemas));
  for (const [name, added] of groups.flatMap(({ adds = {} }) => Object.entries(adds))) {
    schemas[name] = { ...schemas[name], properties: { ...(schemas[name]?.['properties'] as object), ...added } };
  }
  return schemas;
}

function reservedPaths(chosen: ReadonlySet<string>): readonly string[] {
  const reserving = BUILT_IN.filter(({ feature, reservesIfChosen }) => !reservesIfChosen || chosen.has(feature));
  return reserving.flatMap(({ routes }) => routes.map(({ path }) => path));
}

/** Whether a type can't have the path, even in servers without these routes. `chosen`: features that the schema enables. */
export function isReservedRoute(
  kind: 'collectionType' | 'singleType',
  segment: string,
  chosen: ReadonlySet<string>,
): boolean {
  const paths = reservedPaths(chosen);
  // A single type has only one path, which may be `/api/auth` beside `/api/auth/local`.
  if (kind === 'singleType') return paths.includes(`/api/${segment}`);
  return paths.some((path) => path.split('/')[2] === segment);
}

/** Permissions of the built-in routes: subject → actions, reads first, and what deletes last. */
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
  const isDestroying = (action: string): number => Number(action === 'destroy');
  for (const actions of found.values()) actions.sort((one, other) => isDestroying(one) - isDestroying(other));
  return found;
})();

/**
 * Subjects whose permissions a schema can't grant, since all users with the role would get them. Roles get them only in the
 * database, from a caller who has them.
 */
const NOT_IN_SCHEMAS: ReadonlySet<string> = new Set(['tokens']);

/** Permissions that a schema can grant besides those of its content types: subject → actions. */
export const SCHEMA_ENDPOINTS: ReadonlyMap<string, readonly string[]> = new Map(
  [...ENDPOINT_ACTIONS].filter(([subject]) => !NOT_IN_SCHEMAS.has(subject)),
);
