/** The routes `/api/i18n`. Servers with one locale have them too, because clients call them to find out. */
import { ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT, TIME } from './json-schema.ts';
import { routeTable } from './route.ts';

/** Schemas by name. */
export const LOCALE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ServerLocale: object(
    {
      id: { type: 'integer' },
      documentId: { ...TEXT, description: 'Only in the v5 format.' },
      name: TEXT,
      code: TEXT,
      isDefault: { type: 'boolean' },
      createdAt: TIME,
      updatedAt: TIME,
      publishedAt: { ...TIME, description: 'Only in the v5 format.' },
    },
    ['id', 'name', 'code', 'isDefault', 'createdAt', 'updatedAt'],
  ),
};

export const LOCALE_ROUTES = routeTable([
  {
    id: 'listLocales',
    method: 'GET',
    path: '/api/i18n/locales',
    tag: 'locales',
    summary: 'List the locales of the server',
    permission: 'locales.find',
    answers: ok(list(schemaRef('ServerLocale'))),
    probe: 200,
  },
]);
