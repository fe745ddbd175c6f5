/** `GET /api/i18n/locales`: the locales of the server, as a flat list without `data` envelope, as Strapi clients expect. */
import type { FormatName } from '../../contract/api-settings.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import { LOCALE_ROUTES } from '../../contract/routes/locales.ts';
import type { Feature } from '../../http/feature.ts';
import { type Handlers, type IdsOf, mountRoutes } from '../../http/mount-routes.ts';
import { format } from '../../http/state.ts';
import { documentIdOfName } from '../../write/document-id.ts';
import { readApplied } from '../../migrator/applied.ts';

export interface ListedLocale {
  /** Position in the schema, starting at 1. */
  readonly id: number;
  /** Only in the v5 format. Derived from the code, since locales have no table. */
  readonly documentId?: string;
  /** Display name, such as `French (fr)`. */
  readonly name: string;
  readonly code: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Only in the v5 format. */
  readonly publishedAt?: string;
}

function nameOf(code: string): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  try {
    return `${names.of(code.replaceAll('_', '-')) ?? code} (${code})`;
  } catch {
    // Not a language tag.
    return code;
  }
}

/** The locales in schema order. `since` (ISO 8601), the time of the first migration, serves as their creation time. */
export function listLocales(
  { locales }: ContentTypes,
  since: string,
  rules: FormatName = 'v4',
): readonly ListedLocale[] {
  const isV5 = rules === 'v5';
  return locales.map((code, index) => ({
    id: index + 1,
    ...(isV5 ? { documentId: documentIdOfName(`locale ${code}`) } : {}),
    name: nameOf(code),
    code,
    isDefault: index === 0,
    createdAt: since,
    updatedAt: since,
    ...(isV5 ? { publishedAt: since } : {}),
  }));
}

export function localeHandlers(types: ContentTypes, database: Database): Handlers<IdsOf<typeof LOCALE_ROUTES>> {
  const started = new Date().toISOString();
  let since: string | undefined;
  return {
    async listLocales(ctx) {
      since ??= (await readApplied(database))[0]?.appliedAt ?? started;
      ctx.body = listLocales(types, since, format.get(ctx)?.rules);
    },
  };
}

/** The locales of a server. */
export const locales: Feature<unknown> = {
  name: 'locales',
  routes: LOCALE_ROUTES,
  start: async ({ definition, database }) => ({
    mounts: [mountRoutes(LOCALE_ROUTES, async () => localeHandlers(definition.contentTypes, database))],
  }),
};
