/** The keys of a whole schema, and those of `api`. */
import { formatNames } from '#contract/api-settings.ts';
import { adminSetting } from './admin-options.ts';
import { choice, choiceList, count, flag, flagOrWord, size, text, textList } from './shape.ts';
import { keyword, option } from './option.ts';
import { dialects } from './keywords.ts';
import { dialectHint } from './translations.ts';

export const rootOptions = {
  name: option(text, "The npm name of the generated project. By default the file's name."),
  databases: option(
    choiceList(dialects, dialectHint),
    'The databases that migrations are written for; a new project starts on the first. By default `[sqlite, postgres]`. MariaDB is `mysql`.',
  ),
  locales: option(textList, 'The locales of localized types; the first is the default one. By default `[en]`.'),
  api: keyword('Settings of the REST API: limits, and how strict it is.'),
  docs: option(
    flagOrWord('development'),
    'Whether `/docs` and `/openapi.json` are served: in production too, in `development` alone (default), or nowhere.',
  ),
  mcp: option(flag, 'Whether agents have tools at `/mcp`, by API tokens. By default `false`.'),
  admin: option(
    adminSetting,
    'Whether editors have a page at `/admin`: `true` (default), `false`, or a map with settings of it.',
  ),
  contentTypes: keyword('What the server holds, by singular API id: `article`.'),
  components: keyword('Groups of attributes that content types reuse, by `category.name`: `shared.seo`.'),
  users: keyword('What accounts, the built-in type `user`, have beside their own attributes.'),
  permissions: keyword('What each role may do. Nothing is public unless it is listed here.'),
};

export const apiOptions = {
  format: option(
    choice(formatNames),
    'The format of requests that name none: that of Strapi `v4` or `v5`. Where it is said, every entry has a document id, and both are served by the header `Strapi-Response-Format`. By default v4 alone.',
  ),
  unknownAttributes: option(
    choice(['reject', 'ignore']),
    'Unknown attributes in a body: `reject` them with 400 (default), or `ignore` them.',
  ),
  requireIfMatch: option(
    flag,
    'Whether every PUT and DELETE of an entry must say, by `If-Match`, which version it is meant for; without: 428. By default `false`.',
  ),
  defaultPageSize: option(count, 'Default number of entries per page. By default 25.'),
  maxPageSize: option(count, 'Maximum number of entries per page; larger sizes are cut to it. By default 100.'),
  maxCount: option(
    count,
    'Counting stops at this number; a larger `total` is reported as this number. By default all are counted.',
  ),
  maxPopulateDepth: option(count, 'Maximum depth of nested `populate`. By default 5.'),
  maxPopulatedPaths: option(
    count,
    'Maximum number of relations, media and components that one request populates. By default 100.',
  ),
  bodyLimit: option(size, 'Maximum size of a JSON body: `512kb`, `1mb`. By default `1mb`.'),
  maxAnswerEntries: option(
    count,
    'Maximum number of entries in a response, populated ones included. By default 20000; more: 400.',
  ),
  maxAnswerSize: option(size, 'Maximum size of a response. By default `16mb`; more: 400.'),
};
