/** The routes `/api/auth`: signing in, registration, passwords, confirmation of addresses. */
import { ok } from './answers.ts';
import { EMAIL, object, schemaRef, TEXT, TRUE } from './json-schema.ts';
import { routeTable } from './route.ts';

const SESSION = schemaRef('Session');
const DONE = object({ ok: TRUE });

const AUTH = '/api/auth';

export const AUTH_ROUTES = routeTable([
  {
    id: 'signIn',
    method: 'POST',
    path: `${AUTH}/local`,
    tag: 'authentication',
    summary: 'Sign in with an address or a user name',
    body: { json: schemaRef('SignInRequest') },
    answers: ok(SESSION),
    probe: 400,
    isCounted: true,
  },
  {
    id: 'register',
    method: 'POST',
    path: `${AUTH}/local/register`,
    tag: 'authentication',
    summary: 'Make an account; without `jwt` where the address must be confirmed first',
    body: { json: schemaRef('RegisterRequest') },
    answers: ok(schemaRef('Registration')),
    probe: 400,
    isCounted: true,
  },
  {
    id: 'forgotPassword',
    method: 'POST',
    path: `${AUTH}/forgot-password`,
    tag: 'authentication',
    summary: 'Have a code sent, by which a password is replaced',
    body: { json: schemaRef('EmailRequest') },
    answers: ok(DONE),
    probe: 400,
    isCounted: true,
  },
  {
    id: 'resetPassword',
    method: 'POST',
    path: `${AUTH}/reset-password`,
    tag: 'authentication',
    summary: 'Replace a password by the code of a mail; all sessions end',
    body: { json: schemaRef('ResetPasswordRequest') },
    answers: ok(SESSION),
    probe: 400,
    isCounted: true,
  },
  {
    id: 'sendEmailConfirmation',
    method: 'POST',
    path: `${AUTH}/send-email-confirmation`,
    tag: 'authentication',
    summary: 'Have a link sent, by which an address is confirmed',
    body: { json: schemaRef('EmailRequest') },
    answers: ok(object({ email: EMAIL, sent: TRUE })),
    probe: 400,
    isCounted: true,
  },
  {
    id: 'emailConfirmation',
    method: 'GET',
    path: `${AUTH}/email-confirmation`,
    tag: 'authentication',
    summary: 'Confirm an address by the link of a mail',
    query: ['confirmation'],
    answers: [
      { status: 200, schema: DONE },
      { status: 302, description: 'To the page that is set for confirmed addresses.' },
    ],
    probe: 400,
    isCounted: true,
  },
  {
    id: 'changePassword',
    method: 'POST',
    path: `${AUTH}/change-password`,
    tag: 'authentication',
    summary: 'Replace the own password; all earlier sessions end',
    permission: 'users.me',
    body: { json: schemaRef('ChangePasswordRequest') },
    answers: ok(SESSION),
    probe: 400,
    isCounted: true,
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
