/** The routes `/api/i18n`. Servers with one locale have them too: clients ask before they know. */
import { ok } from './answers.ts';
import { list, object, TEXT, TIME } from './json-schema.ts';
import { routeTable } from './route.ts';

const LOCALE = object({
  id: { type: 'integer' },
  name: TEXT,
  code: TEXT,
  isDefault: { type: 'boolean' },
  createdAt: TIME,
  updatedAt: TIME,
});

export const LOCALE_ROUTES = routeTable([
  {
    id: 'listLocales',
    method: 'GET',
    path: '/api/i18n/locales',
    tag: 'locales',
    summary: 'List the locales of the server',
    permission: 'locales.find',
    answers: ok(list(LOCALE)),
    probe: 200,
  },
]);
