/** The top-level keys of a schema, and the keys of `api`. */
import { entryMetas, formatNames } from '#contract/api-settings.ts';
import { adminSetting } from './admin-options.ts';
import { cacheTagsSetting } from './cache-tag-options.ts';
import { costsSetting } from './costs-options.ts';
import { graphqlSetting } from './graphql-options.ts';
import { choice, choiceList, count, flag, flagOrWord, size, text, textList } from './shape.ts';
import { keyword, option } from './option.ts';
import { ENGINES } from '#contract/engines.ts';
import { dialectHint } from './translations.ts';
import { RUNTIME_PLACES } from './runtime-places.ts';
import { uploadsSetting } from './upload-options.ts';
import { webhooksSetting } from './webhook-options.ts';

export const rootOptions = {
  name: option(text, 'The npm name of the generated project. By default the name of the schema file.'),
  databases: option(
    choiceList(ENGINES, dialectHint),
    'The databases for which migrations are written. A new project uses the first. For MariaDB, write `mysql`. By default `[sqlite, postgres]`.',
  ),
  locales: option(textList, 'The locales of localized types. The first is the default locale. By default `[en]`.'),
  api: keyword('Settings of the REST API: format, limits and strictness.'),
  docs: option(
    flagOrWord('development'),
    'Whether `/docs` and `/openapi.json` are served: always (`true`), only during `development` (default), or never (`false`).',
  ),
  mcp: option(
    flag,
    'Whether AI agents with an API token get tools at `/mcp` (Model Context Protocol). By default `false`.',
  ),
  graphql: option(
    graphqlSetting,
    'Whether there is a GraphQL endpoint at `/graphql`: `true`, `false` (default), or a map with its settings.',
  ),
  admin: option(
    adminSetting,
    'Whether there is an admin panel at `/admin`: `true` (default), `false`, or a map with its settings.',
  ),
  webhooks: option(webhooksSetting, 'Who is told of changes, by requests to their URLs. By default nobody.'),
  jobs: option(
    flag,
    'Whether the project has jobs of its own code, in `src/extensions/jobs.ts`: schedules, and work after a request. By default `false`.',
  ),
  cacheTags: option(
    cacheTagsSetting,
    'Whether answers that are the same for everybody name what they depend on, so that caches can drop exactly what changes: `true`, `false` (default), or a map with the caches that are purged.',
  ),
  costs: option(
    costsSetting,
    'Whether what requests cost is counted, told and limited: `true`, `false` (default), or a map with the budgets of callers.',
  ),
  audit: option(
    flag,
    'Whether it is recorded who did what, in a chain of hashes, for whoever may read `/api/_audit`. By default `false`.',
  ),
  events: option(
    flag,
    'Whether clients can wait for changes at `/api/_events` (server-sent events). By default `false`.',
  ),
  schedules: option(
    flag,
    'Whether drafts can be published, and taken back, at a time: alone, or together in a release. By default `false`.',
  ),
  uploads: option(uploadsSetting, 'Settings of files.'),
  runtime: option(
    choice(RUNTIME_PLACES),
    'Where the code is that all projects share: in the project, `vendored` in `runtime/` (default), or in the npm `package` `@content-gen/runtime`.',
  ),
  contentTypes: keyword('The content types, by singular API id: `article`.'),
  components: keyword('Reusable groups of attributes, by `category.name`: `shared.seo`.'),
  users: keyword('Additional attributes of accounts, the built-in type `user`.'),
  permissions: keyword('The permissions of each role. Nothing is public unless it is listed here.'),
};

export const apiOptions = {
  format: option(
    choice(formatNames),
    'The default format of requests and responses: that of Strapi `v4` or `v5`. If it is set, entries have document ids, and requests can select the other format with the header `Strapi-Response-Format`. By default only v4 is available.',
  ),
  entryMeta: option(
    choice(entryMetas),
    'Which entries have `meta.availableLocales` in the v4 format: `always` all (default), or only those of `localized` types. Without it, an entry is `{id, attributes}`, as in Strapi 4.',
  ),
  unknownAttributes: option(
    choice(['reject', 'ignore']),
    'What to do with unknown attributes in a body and, in the v4 format, in `populate`: `reject` them with 400 (default), or `ignore` them.',
  ),
  requireIfMatch: option(
    flag,
    'Whether each PUT and DELETE of an entry requires an `If-Match` header with the version that it changes; without one, the response is 428. By default `false`.',
  ),
  defaultPageSize: option(count, 'The default number of entries per page. By default 25.'),
  maxPageSize: option(count, 'The maximum number of entries per page. Larger sizes are reduced to it. By default 100.'),
  maxCount: option(
    count,
    'The number at which counting stops. A larger `total` is reported as this number. By default all entries are counted.',
  ),
  maxPopulateDepth: option(count, 'The maximum depth of nested `populate`. By default 5.'),
  maxPopulatedPaths: option(
    count,
    'The maximum number of relations, media and components that a request may populate. By default 100.',
  ),
  bodyLimit: option(size, 'The maximum size of a JSON body: `512kb`, `1mb`. By default `1mb`.'),
  maxAnswerEntries: option(
    count,
    'The maximum number of entries in a response, including populated ones. Larger responses are refused with 400. By default 20000.',
  ),
  maxAnswerSize: option(
    size,
    'The maximum size of a response. Larger responses are refused with 400. By default `16mb`.',
  ),
};
