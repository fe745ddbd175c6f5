/** The routes `/api/auth`: sign-in, registration, passwords, confirmation of addresses. */
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
    summary: 'Sign in with an email address or a user name',
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
    summary: 'Register an account; without `jwt` if the email address must be confirmed first',
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
    summary: 'Request an email with a code for resetting the password',
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
    summary: 'Reset the password with the code from an email, and end all sessions',
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
    summary: 'Request an email with a link for confirming the address',
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
    summary: 'Confirm an email address with the link from an email',
    query: ['confirmation'],
    answers: [
      { status: 200, schema: DONE },
      { status: 302, description: 'Redirects to the page that is configured for confirmed addresses.' },
    ],
    probe: 400,
    isCounted: true,
  },
  {
    id: 'changePassword',
    method: 'POST',
    path: `${AUTH}/change-password`,
    tag: 'authentication',
    summary: 'Change your own password, and end all earlier sessions',
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
    summary: 'Renew the token of the signed-in user',
    permission: 'users.me',
    answers: ok(object({ jwt: TEXT })),
    probe: 200,
  },
  {
    id: 'endSessions',
    method: 'POST',
    path: `${AUTH}/end-sessions`,
    tag: 'authentication',
    summary: 'End all of your own sessions, including the current one',
    permission: 'users.me',
    body: { json: schemaRef('EndSessionsRequest') },
    answers: [{ status: 204 }],
    probe: 400,
  },
]);
