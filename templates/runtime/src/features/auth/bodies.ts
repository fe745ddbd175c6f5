/** Validation of the bodies of account routes. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { ValidationError } from '../../contract/errors.ts';
import type { Fields } from '../../content/validators/field.ts';
import { v } from '../../content/validators/index.ts';
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
    types,
  }: { operation?: Operation; unknownKeys?: UnknownKeys; types?: ContentTypes } = {},
): Readonly<Record<string, unknown>> {
  const options = { draftAndPublish: false, localized: false, unknownAttributes: unknownKeys };
  const { values, issues } = v.entry(fields, options).check(operation, body, { types });
  if (issues.length > 0) throw new ValidationError(issues);
  return values;
}

const newPassword = v.password({ required: true, minLength: 6 });
const anyPassword = v.password({ required: true });
const anyText = v.string({ required: true });

const account = {
  email: v.email({ required: true, unique: true }),
  username: usernameField,
  password: newPassword,
};

/** What users may set of their own account. */
export const registration: Fields = account;

/** What callers may set who are allowed to manage users. */
export const userFields: Fields = {
  ...account,
  provider: v.enumeration(['local']),
  confirmed: v.boolean(),
  blocked: v.boolean(),
  role: v.relation({ targets: ['user-role'] }),
};

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
export const emailFields: Fields = { email: v.email({ required: true }) };

/** The password of a body, which must equal its confirmation. Throws ValidationError. */
export function repeatedPassword(values: Readonly<Record<string, unknown>>): string {
  if (values['password'] !== values['passwordConfirmation']) {
    throw new ValidationError([{ path: ['passwordConfirmation'], message: 'Passwords do not match' }]);
  }
  return String(values['password']);
}
