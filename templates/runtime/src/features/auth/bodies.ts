/** Validation of the bodies of account routes. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { ValidationError } from '../../contract/errors.ts';
import { USER_ATTRIBUTES } from '../../contract/user-attributes.ts';
import { attributeFields } from '../../content/validators/attribute-fields.ts';
import { type Fields, notWritable, type NotWritable } from '../../content/validators/field.ts';
import { bodyValidators } from '../../content/validators/entry.ts';
import { relation } from '../../content/validators/relation-fields.ts';
import { scalarField } from '../../content/validators/scalar-field.ts';
import { usernameField } from './username.ts';

type Operation = 'create' | 'update';
type UnknownKeys = 'reject' | 'ignore';

/** Validates a body. Returns canonical values; throws a ValidationError with all failing paths. */
export function checkBody(
  fields: Fields,
  body: unknown,
  {
    operation = 'create',
    unknownKeys = 'ignore',
    notWritable: closed = 'refused',
    types,
  }: { operation?: Operation; unknownKeys?: UnknownKeys; notWritable?: NotWritable; types?: ContentTypes } = {},
): Readonly<Record<string, unknown>> {
  const options = { draftAndPublish: false, localized: false, unknownAttributes: unknownKeys };
  const { values, issues } = bodyValidators(fields, options).check(operation, body, { types, notWritable: closed });
  if (issues.length > 0) throw new ValidationError(issues);
  return values;
}

const newPassword = scalarField('password', { required: true, minLength: 6 });
const anyPassword = scalarField('password', { required: true });
const anyText = scalarField('string', { required: true });

const account = {
  email: scalarField('email', { required: true, unique: true }),
  username: usernameField,
  password: newPassword,
};

/** Fields that callers with permission to manage users may set. */
const managed: Fields = {
  ...account,
  provider: scalarField('enumeration', { enum: ['local'] }),
  confirmed: scalarField('boolean'),
  blocked: scalarField('boolean'),
  role: relation({ targets: ['user-role'] }),
};

/** Fields of request bodies about users, including the attributes that the schema adds. */
export interface UserFields {
  /** Fields that users may set when they register. */
  readonly registration: Fields;
  /** Fields that callers with permission to manage users may set. */
  readonly managed: Fields;
}

/** The attributes that the schema adds to users. */
export function customUserAttributes({ attributes }: ContentType): ContentType['attributes'] {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !USER_ATTRIBUTES.has(name)));
}

const fieldsOf = new WeakMap<ContentType, UserFields>();

function makeUserFields(types: ContentTypes, userType: ContentType): UserFields {
  const further = Object.entries(attributeFields(types, customUserAttributes(userType)));
  const open = new Set(userType.register);
  // Attributes that can't be set on registration get their defaults.
  const registered = further.map(([name, field]) => [name, open.has(name) ? field : notWritable(field)] as const);
  return {
    registration: { ...account, ...Object.fromEntries(registered) },
    managed: { ...managed, ...Object.fromEntries(further) },
  };
}

/** The fields of request bodies about users; created once per server. */
export function userFields({
  types,
  userType,
}: {
  readonly types: ContentTypes;
  readonly userType: ContentType;
}): UserFields {
  const known = fieldsOf.get(userType) ?? makeUserFields(types, userType);
  fieldsOf.set(userType, known);
  return known;
}

export const signInFields: Fields = { identifier: anyText, password: anyPassword };
export const changePasswordFields: Fields = {
  currentPassword: anyPassword,
  password: newPassword,
  passwordConfirmation: anyPassword,
};
export const resetPasswordFields: Fields = {
  code: anyText,
  password: newPassword,
  passwordConfirmation: anyPassword,
};
/** `all` must be true. */
export const endSessionsFields: Fields = { all: scalarField('boolean', { required: true }) };
export const emailFields: Fields = { email: scalarField('email', { required: true }) };

/** The password of a body, which must equal its confirmation. Throws ValidationError. */
export function repeatedPassword(values: Readonly<Record<string, unknown>>): string {
  if (values['password'] !== values['passwordConfirmation']) {
    throw new ValidationError([{ path: ['passwordConfirmation'], message: 'Passwords do not match' }]);
  }
  return String(values['password']);
}
