/** `test/permission-matrix.json`: what each route answers to each role, from the schema. */
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../output/generated-file.ts';
import { pathSegment } from '../escape.ts';
import type { Json } from '../json.ts';
import { jsonFile } from '../managed-file.ts';

/** A route, the permission that it needs (undefined: none), and what it answers to who has it: to a missing id, and to a body without content. */
interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly permission: string | undefined;
  readonly status: number;
}

interface PreviewRoute extends Route {
  readonly preview: string;
}

function route(method: Route['method'], path: string, permission: string | undefined, status: number): Route {
  return { method, path, permission, status };
}

/** Of an empty database. */
function typeRoutes({ uid, kind, route: segment, localized }: ContentType): readonly Route[] {
  const path = `/api/${pathSegment(segment)}`;
  if (kind === 'singleType') {
    return [
      route('GET', path, `${uid}.find`, 404),
      route('PUT', path, `${uid}.update`, 400),
      route('DELETE', path, `${uid}.delete`, 404),
      ...(localized ? [route('POST', `${path}/localizations`, `${uid}.update`, 404)] : []),
    ];
  }
  const one = `${path}/{id}`;
  return [
    route('GET', path, `${uid}.find`, 200),
    route('POST', path, `${uid}.create`, 400),
    route('GET', one, `${uid}.findOne`, 404),
    route('PUT', one, `${uid}.update`, 400),
    route('DELETE', one, `${uid}.delete`, 404),
    ...(localized ? [route('POST', `${one}/localizations`, `${uid}.create`, 404)] : []),
  ];
}

/** The same with drafts: a further permission, for reads that ask for them. Of an empty database. */
function previewOf({ uid, kind, route: segment, draftAndPublish }: ContentType): readonly PreviewRoute[] {
  if (!draftAndPublish) return [];
  const path = `/api/${pathSegment(segment)}?publicationState=preview`;
  return [{ ...route('GET', path, `${uid}.find`, kind === 'singleType' ? 404 : 200), preview: `${uid}.preview` }];
}

/** Open to everybody: to nobody in particular, they answer that something is missing. */
const AUTH_ROUTES: readonly Route[] = [
  ...['local', 'local/register', 'forgot-password', 'reset-password', 'send-email-confirmation'].map((path) =>
    route('POST', `/api/auth/${path}`, undefined, 400),
  ),
  route('GET', '/api/auth/email-confirmation', undefined, 400),
];

const USER_ROUTES: readonly Route[] = [
  route('GET', '/api/users', 'users.find', 200),
  route('POST', '/api/users', 'users.create', 400),
  route('GET', '/api/users/count', 'users.find', 200),
  route('GET', '/api/users/me', 'users.me', 200),
  route('GET', '/api/users/{id}', 'users.findOne', 404),
  route('PUT', '/api/users/{id}', 'users.update', 404),
  route('DELETE', '/api/users/{id}', 'users.destroy', 404),
  route('POST', '/api/auth/change-password', 'users.me', 400),
  route('POST', '/api/auth/refresh', 'users.me', 200),
];

const ROLE_ROUTES: readonly Route[] = [
  route('GET', '/api/users-permissions/permissions', 'roles.find', 200),
  route('GET', '/api/users-permissions/roles', 'roles.find', 200),
  route('POST', '/api/users-permissions/roles', 'roles.create', 400),
  route('GET', '/api/users-permissions/roles/{id}', 'roles.findOne', 404),
  route('PUT', '/api/users-permissions/roles/{id}', 'roles.update', 404),
  route('DELETE', '/api/users-permissions/roles/{id}', 'roles.destroy', 404),
  // No role of a schema has these.
  route('GET', '/api/users-permissions/tokens', 'tokens.find', 200),
  route('POST', '/api/users-permissions/tokens', 'tokens.create', 400),
  route('DELETE', '/api/users-permissions/tokens/{id}', 'tokens.destroy', 404),
];

const UPLOAD_ROUTES: readonly Route[] = [
  route('POST', '/api/upload', 'upload.upload', 400),
  route('GET', '/api/upload/files', 'upload.find', 200),
  route('GET', '/api/upload/files/{id}', 'upload.findOne', 404),
  route('DELETE', '/api/upload/files/{id}', 'upload.destroy', 404),
];

const LOCALE_ROUTES: readonly Route[] = [route('GET', '/api/i18n/locales', 'locales.find', 200)];

const FORBIDDEN = 403;

/** The matrix, one line a route and role: what is opened or closed is one line of a diff. */
export function permissionMatrixFile({ contentTypes, roles }: ContentModel): GeneratedFile {
  const own = contentTypes.filter((type) => !type.builtIn);
  const hasFiles = contentTypes.some(({ uid }) => uid === 'file');
  const routes = [
    ...own.flatMap(typeRoutes),
    ...AUTH_ROUTES,
    ...USER_ROUTES,
    ...ROLE_ROUTES,
    ...(hasFiles ? UPLOAD_ROUTES : []),
    ...LOCALE_ROUTES,
  ];
  const given = roles.map(({ role, permissions }) => [role, new Set(permissions)] as const);
  const answers = ({ permission, preview, status }: Route & Partial<PreviewRoute>): Json => {
    const needed = [permission, preview].filter((name) => name !== undefined);
    return Object.fromEntries(
      given.map(([role, permissions]) => [role, needed.every((name) => permissions.has(name)) ? status : FORBIDDEN]),
    );
  };
  const line = (one: Route): Json => ({ method: one.method, path: one.path, answers: answers(one) });
  return jsonFile('test/permission-matrix.json', 'managed', {
    roles: roles.map(({ role }) => role),
    routes: routes.map(line),
    previews: own.flatMap(previewOf).map(line),
  });
}
