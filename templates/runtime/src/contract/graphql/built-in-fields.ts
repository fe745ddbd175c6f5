/** The fields and types for users, files and locales, as the plugin has them. */
import type { ContentType } from '../content-type.ts';
import { plainInput, plainObject } from './common-types.ts';
import type { BuiltIn, Definition, Field } from './model.ts';
import { collectionQueries } from './root-fields.ts';
import type { GraphqlScope } from './scope.ts';

function field(name: string, type: string, args: Readonly<Record<string, string>>, builtIn: BuiltIn): Field {
  const list = Object.entries(args).map(([arg, argType]) => ({ name: arg, type: argType }));
  const means = { is: 'builtIn', name: builtIn } as const;
  return list.length === 0 ? { name, type, means } : { name, type, args: list, means };
}

type Reads = Readonly<Record<'one' | 'many' | 'connection', BuiltIn>>;

const USERS: Reads = { one: 'user', many: 'users', connection: 'usersConnection' };
const FILES: Reads = { one: 'file', many: 'files', connection: 'filesConnection' };

function reads(scope: GraphqlScope, type: ContentType | undefined, names: Reads): readonly Field[] {
  return type ? collectionQueries(scope, type, (read) => ({ is: 'builtIn', name: names[read] })) : [];
}

export function builtInQueries(scope: GraphqlScope): readonly Field[] {
  const { types } = scope.types;
  return [
    ...reads(scope, types['file'], FILES),
    ...localeQueries(scope),
    ...reads(scope, types['user'], USERS),
    field('me', 'UsersPermissionsMe', {}, 'me'),
  ];
}

function localeQueries(scope: GraphqlScope): readonly Field[] {
  const of = 'I18NLocale';
  const args = { filters: `${of}FiltersInput`, pagination: 'PaginationArg' };
  if (scope.format === 'v4') {
    return [
      field('i18NLocale', `${of}EntityResponse`, { id: 'ID' }, 'locale'),
      field('i18NLocales', `${of}EntityResponseCollection`, args, 'localesConnection'),
    ];
  }
  return [
    field('i18NLocale', of, { documentId: 'ID!' }, 'locale'),
    field('i18NLocales_connection', `${of}EntityResponseCollection`, args, 'localesConnection'),
    field('i18NLocales', `[${of}]`, args, 'locales'),
  ];
}

function fileMutations({ format }: GraphqlScope): readonly Field[] {
  const change = { id: 'ID!', info: 'FileInfoInput' };
  if (format === 'v5') {
    return [
      field('updateUploadFile', 'UploadFile!', change, 'updateFile'),
      field('deleteUploadFile', 'UploadFile', { id: 'ID!' }, 'deleteFile'),
    ];
  }
  const to = { refId: 'ID', ref: 'String', field: 'String' };
  return [
    field('upload', 'UploadFileEntityResponse!', { ...to, info: 'FileInfoInput', file: 'Upload!' }, 'uploadFile'),
    field('multipleUpload', '[UploadFileEntityResponse]!', { ...to, files: '[Upload]!' }, 'uploadFiles'),
    field('updateFileInfo', 'UploadFileEntityResponse!', change, 'updateFile'),
    field('removeFile', 'UploadFileEntityResponse', { id: 'ID!' }, 'deleteFile'),
  ];
}

export function builtInMutations(scope: GraphqlScope): readonly Field[] {
  const session = 'UsersPermissionsLoginPayload';
  const user = 'UsersPermissionsUserEntityResponse!';
  const data = { data: 'UsersPermissionsUserInput!' };
  const role = { data: 'UsersPermissionsRoleInput!' };
  const passwords = { password: 'String!', passwordConfirmation: 'String!' };
  return [
    ...(scope.types.types['file'] ? fileMutations(scope) : []),
    field('createUsersPermissionsRole', 'UsersPermissionsCreateRolePayload', role, 'createRole'),
    field('updateUsersPermissionsRole', 'UsersPermissionsUpdateRolePayload', { id: 'ID!', ...role }, 'updateRole'),
    field('deleteUsersPermissionsRole', 'UsersPermissionsDeleteRolePayload', { id: 'ID!' }, 'deleteRole'),
    field('createUsersPermissionsUser', user, data, 'createUser'),
    field('updateUsersPermissionsUser', user, { id: 'ID!', ...data }, 'updateUser'),
    field('deleteUsersPermissionsUser', user, { id: 'ID!' }, 'deleteUser'),
    field('login', `${session}!`, { input: 'UsersPermissionsLoginInput!' }, 'login'),
    field('register', `${session}!`, { input: 'UsersPermissionsRegisterInput!' }, 'register'),
    field('forgotPassword', 'UsersPermissionsPasswordPayload', { email: 'String!' }, 'forgotPassword'),
    field('resetPassword', session, { ...passwords, code: 'String!' }, 'resetPassword'),
    field('changePassword', session, { currentPassword: 'String!', ...passwords }, 'changePassword'),
    field('emailConfirmation', session, { confirmation: 'String!' }, 'emailConfirmation'),
  ];
}

/** Locales are filtered by their code or name. */
const LOCALE_FILTERS: Definition = {
  kind: 'input',
  name: 'I18NLocaleFiltersInput',
  fields: ['code', 'name'].map((name) => ({ name, type: 'StringFilterInput', means: { is: 'filters' } })),
};

function localeTypes({ format }: GraphqlScope): readonly Definition[] {
  const times = { createdAt: 'DateTime', updatedAt: 'DateTime' };
  const names = { name: 'String', code: 'String' };
  if (format === 'v5') {
    const nodes: Field = { name: 'nodes', type: '[I18NLocale!]!', means: { is: 'entries' } };
    const pageInfo: Field = { name: 'pageInfo', type: 'Pagination!', means: { is: 'pagination' } };
    return [
      LOCALE_FILTERS,
      plainObject('I18NLocale', { documentId: 'ID!', ...names, ...times, publishedAt: 'DateTime' }),
      { kind: 'object', name: 'I18NLocaleEntityResponseCollection', fields: [nodes, pageInfo] },
    ];
  }
  return [LOCALE_FILTERS, plainObject('I18NLocale', { ...names, ...times }), ...nestedTypes('I18NLocale')];
}

/** The objects around an entry of v4. */
function nestedTypes(name: string): readonly Definition[] {
  const meta: Field = { name: 'meta', type: 'ResponseCollectionMeta!', means: { is: 'pagination' } };
  return [
    {
      kind: 'object',
      name: `${name}Entity`,
      fields: [
        { name: 'id', type: 'ID', means: { is: 'id' } },
        { name: 'attributes', type: name, means: { is: 'same' } },
      ],
    },
    {
      kind: 'object',
      name: `${name}EntityResponse`,
      fields: [{ name: 'data', type: `${name}Entity`, means: { is: 'same' } }],
    },
    {
      kind: 'object',
      name: `${name}EntityResponseCollection`,
      fields: [{ name: 'data', type: `[${name}Entity!]!`, means: { is: 'entries' } }, meta],
    },
  ];
}

/** In the v5 format, mutations of users still have `data` around a flat user. */
function userResponse({ format }: GraphqlScope): readonly Definition[] {
  if (format === 'v4') return [];
  const data: Field = { name: 'data', type: 'UsersPermissionsUser', means: { is: 'same' } };
  return [{ kind: 'object', name: 'UsersPermissionsUserEntityResponse', fields: [data] }];
}

export function builtInTypes(scope: GraphqlScope): readonly Definition[] {
  const isV5 = scope.format === 'v5';
  const info = plainInput('FileInfoInput', { name: 'String', alternativeText: 'String', caption: 'String' });
  const upload: Definition = { kind: 'scalar', name: 'Upload', description: 'A file of a multipart request.' };
  const files: readonly Definition[] = scope.types.types['file'] ? (isV5 ? [info] : [upload, info]) : [];
  return [
    ...files,
    ...localeTypes(scope),
    ...userResponse(scope),
    plainObject('UsersPermissionsMeRole', { id: 'ID!', name: 'String!', description: 'String', type: 'String' }),
    {
      ...plainObject('UsersPermissionsMe', {
        id: 'ID!',
        ...(isV5 && { documentId: 'ID!' }),
        username: 'String!',
        email: 'String',
        confirmed: 'Boolean',
        blocked: 'Boolean',
        role: 'UsersPermissionsMeRole',
      }),
    },
    plainInput('UsersPermissionsLoginInput', {
      identifier: 'String!',
      password: 'String!',
      provider: 'String! = "local"',
    }),
    plainInput('UsersPermissionsRegisterInput', {
      username: 'String!',
      email: 'String!',
      password: 'String!',
      ...registration(scope),
    }),
    plainInput('UsersPermissionsRoleInput', {
      name: 'String',
      description: 'String',
      type: 'String',
      permissions: 'JSON',
    }),
    ...['Create', 'Update', 'Delete'].map((verb) =>
      plainObject(`UsersPermissions${verb}RolePayload`, { ok: 'Boolean!' }),
    ),
    plainObject('UsersPermissionsPasswordPayload', { ok: 'Boolean!' }),
    plainObject('UsersPermissionsLoginPayload', { jwt: 'String', user: 'UsersPermissionsMe!' }),
  ];
}

/** Further attributes of registration, as the REST API takes them. */
function registration({ types }: GraphqlScope): Readonly<Record<string, string>> {
  return Object.fromEntries((types.types['user']?.register ?? []).map((name) => [name, 'JSON']));
}
