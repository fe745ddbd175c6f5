/** The routes `/api/admin`: sessions of the admin page, the content model that it shows, and what a caller may do with an entry. */
import { ok } from './answers.ts';
import { ANY_OBJECT, EMAIL, type JsonSchema, list, object, schemaRef, TEXT } from './json-schema.ts';
import { LIST_STATES } from '../panel-view.ts';
import { routeTable } from './route.ts';

const NEW_PASSWORD: JsonSchema = { type: 'string', format: 'password', minLength: 6 };

const FLAG: JsonSchema = { type: 'boolean' };

const TYPE = object(
  {
    uid: { ...TEXT, description: '`article`: the name of the type in permissions and targets.' },
    name: { ...TEXT, description: '`api::article.article`' },
    kind: { type: 'string', enum: ['collection', 'single'] },
    endpoint: { ...TEXT, description: '`/api/articles`' },
    singular: TEXT,
    plural: TEXT,
    displayName: TEXT,
    pluralDisplayName: { ...TEXT, description: 'The name of several entries, if the schema has one.' },
    description: TEXT,
    group: TEXT,
    mainField: { ...TEXT, description: 'The attribute that serves as the title of an entry.' },
    columns: { ...list(TEXT), description: 'The columns of lists.' },
    views: {
      ...list(
        object(
          {
            name: TEXT,
            displayName: TEXT,
            filters: { ...ANY_OBJECT, description: 'Filters of a request, with `$user` and `$now`.' },
            state: { type: 'string', enum: LIST_STATES },
            sort: object({ column: TEXT, descending: FLAG }, ['column']),
            columns: list(TEXT),
          },
          ['name'],
        ),
      ),
      description: 'What lists can be narrowed to at once.',
    },
    draftAndPublish: FLAG,
    schedules: FLAG,
    trash: { type: 'integer', description: 'For how many days deleted entries can be restored.' },
    history: FLAG,
    localized: FLAG,
    rules: object(
      {
        where: {
          type: 'object',
          description: 'The actions that reach only some entries, with the filter of their rule.',
          additionalProperties: ANY_OBJECT,
        },
      },
      ['where'],
    ),
    attributes: schemaRef('AdminAttributes'),
  },
  [
    'uid',
    'name',
    'kind',
    'endpoint',
    'singular',
    'plural',
    'displayName',
    'mainField',
    'columns',
    'draftAndPublish',
    'localized',
    'attributes',
  ],
);

/** Schemas by name. */
export const ADMIN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  AdminSession: object({
    user: object({ id: { type: 'integer' }, username: TEXT, email: EMAIL }),
    role: object({ name: TEXT, type: TEXT }),
    permissions: {
      type: 'object',
      description: 'The permitted actions, by type or endpoint.',
      additionalProperties: list(TEXT),
    },
    locales: { ...list(TEXT), description: 'The first is the default locale.' },
  }),
  AdminSignIn: object(
    {
      passwordReset: { ...FLAG, description: 'Whether the server can mail a code for a new password.' },
      own: {
        ...object({ module: TEXT, version: TEXT }, ['module']),
        description: 'Where the own part of the team is, with its name, logo and colours.',
      },
    },
    ['passwordReset'],
  ),
  FirstUserRequest: object({ token: TEXT, email: EMAIL, username: TEXT, password: NEW_PASSWORD }, [
    'token',
    'email',
    'password',
  ]),
  AdminAttributes: {
    type: 'object',
    description: 'By name, in the terms of the schema.',
    additionalProperties: { ...ANY_OBJECT, properties: { type: TEXT }, required: ['type'] },
  },
  AdminType: TYPE,
  AdminEntryRights: object({ update: FLAG, draft: FLAG, delete: FLAG }),
  AdminModel: object(
    {
      name: TEXT,
      types: list(schemaRef('AdminType')),
      users: schemaRef('AdminType'),
      components: list(
        object({ uid: TEXT, displayName: TEXT, description: TEXT, attributes: schemaRef('AdminAttributes') }, [
          'uid',
          'displayName',
          'attributes',
        ]),
      ),
      previewUrl: TEXT,
      upload: object(
        {
          sizeLimit: { type: 'integer', description: 'In bytes.' },
          trash: { type: 'integer', description: 'For how many days deleted files are kept.' },
          focalPoints: { type: 'boolean', description: 'Whether images have focal points.' },
          crops: { type: 'boolean', description: 'Whether images have crops.' },
          folders: { type: 'boolean', description: 'Whether the caller sees folders.' },
        },
        ['sizeLimit'],
      ),
      maxCount: { type: 'integer', description: 'The `total` of a list is never larger.' },
      format: { type: 'string', enum: ['v4', 'v5'] },
      documentIds: FLAG,
    },
    ['name', 'types', 'components', 'format', 'documentIds'],
  ),
};

const ADMIN = '/api/admin';
const SESSION = schemaRef('AdminSession');

export const ADMIN_ROUTES = routeTable([
  {
    id: 'startAdminSession',
    method: 'POST',
    path: `${ADMIN}/session`,
    tag: 'admin',
    summary: 'Sign in to the admin panel, with a session cookie',
    body: { json: schemaRef('SignInRequest') },
    answers: ok(SESSION),
    probe: 400,
    isCounted: true,
  },
  {
    id: 'getAdminSignIn',
    method: 'GET',
    path: `${ADMIN}/sign-in`,
    tag: 'admin',
    summary: 'Get what the sign-in of the admin panel offers',
    answers: ok(schemaRef('AdminSignIn')),
    probe: 200,
  },
  {
    id: 'getAdminSession',
    method: 'GET',
    path: `${ADMIN}/session`,
    tag: 'admin',
    summary: 'Get the signed-in user and their permissions',
    permission: 'admin.access',
    answers: ok(SESSION),
    probe: 200,
  },
  {
    id: 'endAdminSession',
    method: 'DELETE',
    path: `${ADMIN}/session`,
    tag: 'admin',
    summary: 'Sign out of the admin panel, and end the session',
    answers: [{ status: 204 }],
    probe: 204,
  },
  {
    id: 'createFirstUser',
    method: 'POST',
    path: `${ADMIN}/first-user`,
    tag: 'admin',
    summary: 'Create the first account with the link that a server shows in development, and sign in',
    body: { json: schemaRef('FirstUserRequest') },
    answers: ok(SESSION),
    probe: 400,
  },
  {
    id: 'getAdminModel',
    method: 'GET',
    path: `${ADMIN}/model`,
    tag: 'admin',
    summary: 'Get the content types that the caller may see',
    permission: 'admin.access',
    touches: ['related'],
    answers: ok(schemaRef('AdminModel')),
    probe: 200,
  },
  {
    id: 'getAdminEntryRights',
    method: 'GET',
    path: `${ADMIN}/rights/{type}/{id}`,
    tag: 'admin',
    summary: 'Get what the rules of the caller’s role permit with an entry',
    permission: 'admin.access',
    answers: ok(schemaRef('AdminEntryRights')),
    probe: 404,
  },
]);
