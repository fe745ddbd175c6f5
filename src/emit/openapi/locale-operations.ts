/** What can be asked of locales. */
import type { Operation } from './operation.ts';
import { list, object, TEXT, TIME } from './schema-pieces.ts';

const LOCALE = object({
  id: { type: 'integer' },
  name: TEXT,
  code: TEXT,
  isDefault: { type: 'boolean' },
  createdAt: TIME,
  updatedAt: TIME,
});

export const LOCALE_OPERATIONS: readonly Operation[] = [
  {
    path: '/api/i18n/locales',
    method: 'get',
    id: 'listLocales',
    summary: 'List the locales of the server',
    permission: 'locales.find',
    answer: list(LOCALE),
  },
];
