/** Attributes that the built-in type `user` always has. */
export const USER_ATTRIBUTES: ReadonlySet<string> = new Set([
  'username',
  'email',
  'provider',
  'password',
  'resetPasswordToken',
  'resetPasswordExpiresAt',
  'confirmationToken',
  'confirmationExpiresAt',
  'confirmed',
  'blocked',
  'tokenGeneration',
  'keptSession',
  'role',
]);
