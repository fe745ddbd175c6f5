/** Schemas of users, sessions, roles and API tokens. */
import { EMAIL, type JsonSchema, list, object, schemaRef, TEXT, TIME, TIME_OR_NULL } from './json-schema.ts';

/** A password that is set. */
export const NEW_PASSWORD: JsonSchema = { type: 'string', format: 'password', minLength: 6 };

/** What is said of a role, but not what it may do. */
export const ROLE_TEXT = {
  id: { type: 'integer' },
  name: TEXT,
  description: { type: ['string', 'null'] },
  type: TEXT,
  createdAt: TIME,
  updatedAt: TIME,
};

/** What an API token may do. */
export const TOKEN_KIND: JsonSchema = { enum: ['full-access', 'read-only', 'custom'] };

/** Schemas by name. */
export const ACCOUNT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Account: {
    description: 'A user, without an envelope; `role` where it is populated.',
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
        role: object(ROLE_TEXT, ['id']),
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
  RoleInput: object({ name: TEXT, description: TEXT, permissions: { type: ['object', 'array'] } }, []),
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
