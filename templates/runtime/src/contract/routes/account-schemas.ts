/** Schemas of users, sessions, roles and API tokens. */
import {
  ANY_OBJECT,
  EMAIL,
  type JsonSchema,
  list,
  object,
  schemaRef,
  TEXT,
  TIME,
  TIME_OR_NULL,
  TRUE,
} from './json-schema.ts';

/** A password to be set. */
const NEW_PASSWORD: JsonSchema = { type: 'string', format: 'password', minLength: 6 };

/** Properties of a role without its permissions. */
const ROLE_TEXT = {
  id: { type: 'integer' },
  name: TEXT,
  description: { type: ['string', 'null'] },
  type: TEXT,
  createdAt: TIME,
  updatedAt: TIME,
};

/** The permissions of an API token: all, only reading, or a list. */
const TOKEN_KIND: JsonSchema = { type: 'string', enum: ['full-access', 'read-only', 'custom'] };

/** Schemas by name. */
export const ACCOUNT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Account: {
    description: 'A user, without an envelope; with `role` if it is populated.',
    ...object(
      {
        id: { type: 'integer' },
        username: TEXT,
        email: EMAIL,
        provider: TEXT,
        confirmed: { type: ['boolean', 'null'] },
        blocked: { type: ['boolean', 'null'] },
        createdAt: TIME,
        updatedAt: TIME,
        role: { ...object(ROLE_TEXT, ['id']), type: ['object', 'null'] },
      },
      ['id'],
    ),
  },
  AccountInput: object(
    {
      username: { type: 'string', minLength: 3, maxLength: 255 },
      email: EMAIL,
      password: NEW_PASSWORD,
      confirmed: { type: 'boolean' },
      blocked: { type: 'boolean' },
      role: schemaRef('RelationInput'),
    },
    [],
  ),
  Session: object({ jwt: TEXT, user: schemaRef('Account') }),
  RoleInput: object({ name: TEXT, description: TEXT, permissions: { anyOf: [list(TEXT), ANY_OBJECT] } }, []),
  RoleList: object({ roles: list(object({ ...ROLE_TEXT, nb_users: { type: 'integer' } })) }),
  RoleWithPermissions: object({ role: object({ ...ROLE_TEXT, permissions: ANY_OBJECT }) }),
  SignInRequest: object({ identifier: TEXT, password: TEXT }),
  RegisterRequest: object({ username: TEXT, email: EMAIL, password: NEW_PASSWORD }),
  EmailRequest: object({ email: EMAIL }),
  ResetPasswordRequest: object({ code: TEXT, password: NEW_PASSWORD, passwordConfirmation: TEXT }),
  ChangePasswordRequest: object({ currentPassword: TEXT, password: NEW_PASSWORD, passwordConfirmation: TEXT }),
  EndSessionsRequest: object({ all: TRUE }),
  Registration: object({ jwt: TEXT, user: schemaRef('Account') }, ['user']),
  ApiTokenInput: object({ name: TEXT, kind: TOKEN_KIND, permissions: list(TEXT), expiresAt: TIME_OR_NULL }, [
    'name',
    'kind',
  ]),
  NewApiToken: object({ id: { type: 'integer' }, token: TEXT, name: TEXT, kind: TOKEN_KIND }),
  ApiToken: object({
    id: { type: 'integer' },
    name: TEXT,
    kind: TOKEN_KIND,
    createdAt: TIME,
    expiresAt: TIME_OR_NULL,
    lastUsedAt: TIME_OR_NULL,
    userId: { type: ['integer', 'null'] },
    permissions: list(TEXT),
  }),
};
