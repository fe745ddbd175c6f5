/** The routes `/api/auth`: signing in, registration, passwords, confirmation of addresses. */
import { NEW_PASSWORD } from './account-schemas.ts';
import { ok } from './answers.ts';
import { EMAIL, object, schemaRef, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const ACCOUNT = schemaRef('Account');
const SESSION = schemaRef('Session');
const DONE = object({ ok: { const: true } });

const AUTH = '/api/auth';

export const AUTH_ROUTES = routeTable([
  {
    id: 'signIn',
    method: 'POST',
    path: `${AUTH}/local`,
    tag: 'authentication',
    summary: 'Sign in with an address or a user name',
    body: { json: object({ identifier: TEXT, password: TEXT }) },
    answers: ok(SESSION),
    probe: 400,
  },
  {
    id: 'register',
    method: 'POST',
    path: `${AUTH}/local/register`,
    tag: 'authentication',
    summary: 'Make an account; without `jwt` where the address must be confirmed first',
    body: { json: object({ username: TEXT, email: EMAIL, password: NEW_PASSWORD }) },
    answers: ok(object({ jwt: TEXT, user: ACCOUNT }, ['user'])),
    probe: 400,
  },
  {
    id: 'forgotPassword',
    method: 'POST',
    path: `${AUTH}/forgot-password`,
    tag: 'authentication',
    summary: 'Have a code sent, by which a password is replaced',
    body: { json: object({ email: EMAIL }) },
    answers: ok(DONE),
    probe: 400,
  },
  {
    id: 'resetPassword',
    method: 'POST',
    path: `${AUTH}/reset-password`,
    tag: 'authentication',
    summary: 'Replace a password by the code of a mail; all sessions end',
    body: { json: object({ code: TEXT, password: NEW_PASSWORD, passwordConfirmation: TEXT }) },
    answers: ok(SESSION),
    probe: 400,
  },
  {
    id: 'sendEmailConfirmation',
    method: 'POST',
    path: `${AUTH}/send-email-confirmation`,
    tag: 'authentication',
    summary: 'Have a link sent, by which an address is confirmed',
    body: { json: object({ email: EMAIL }) },
    answers: ok(object({ email: EMAIL, sent: { const: true } })),
    probe: 400,
  },
  {
    id: 'emailConfirmation',
    method: 'GET',
    path: `${AUTH}/email-confirmation`,
    tag: 'authentication',
    summary: 'Confirm an address by the link of a mail, `?confirmation=…`; may answer with a redirection',
    answers: ok(DONE),
    probe: 400,
  },
  {
    id: 'changePassword',
    method: 'POST',
    path: `${AUTH}/change-password`,
    tag: 'authentication',
    summary: 'Replace the own password; all earlier sessions end',
    permission: 'users.me',
    body: { json: object({ currentPassword: TEXT, password: NEW_PASSWORD, passwordConfirmation: TEXT }) },
    answers: ok(SESSION),
    probe: 400,
  },
  {
    id: 'refreshSession',
    method: 'POST',
    path: `${AUTH}/refresh`,
    tag: 'authentication',
    summary: 'A new token for who is signed in',
    permission: 'users.me',
    answers: ok(object({ jwt: TEXT })),
    probe: 200,
  },
]);
