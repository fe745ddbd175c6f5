/** Query parameters: those that contain attribute names are specific to a type. */
import { type JsonSchema, list, schemaRef, TEXT, TIME } from '#contract/routes/json-schema.ts';
import { TAG_LIMITS } from '#contract/upload-tags.ts';
import { hasId, type NamingParameter, type Route } from '#contract/routes/route.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../../model/content-model.ts';
import { isVisible } from '../types/output-properties.ts';
import { nameOf, type Scope } from './names.ts';
import type { Shape } from './shapes.ts';

/** The parameters that contain attribute names, each with the ending of its name in `components`. */
const NAMING = { fields: 'Fields', populate: 'Populate', filters: 'Filters', sort: 'Sort' } satisfies Readonly<
  Record<NamingParameter, string>
>;

function isNaming(name: string): name is NamingParameter {
  return name in NAMING;
}

function query(name: string, description: string, rest: JsonSchema): JsonSchema {
  return { name, in: 'query', description, ...rest };
}

function header(name: string, description: string): JsonSchema {
  return { name, in: 'header', description, schema: TEXT };
}

const NESTED: JsonSchema = { style: 'deepObject', explode: true };

/** Parameters that are the same for all types. */
export function commonParameters(locales: readonly string[], { format }: Shape): Readonly<Record<string, JsonSchema>> {
  const isV5 = format === 'v5';
  const ofUsers = isV5 ? ' Users and files are also named by their `documentId`.' : '';
  const idSchema = { type: isV5 ? ['integer', 'string'] : 'integer' };
  return {
    id: { name: 'id', in: 'path', required: true, description: `The id of the entry.${ofUsers}`, schema: idSchema },
    documentId: { name: 'id', in: 'path', required: true, description: 'The `documentId` of the entry.', schema: TEXT },
    asOf: query(
      'asOf',
      'The time of which the answer is, such as `2026-11-01T00:00:00Z`: needs the permission `history`, and a history of each type that is populated, filtered or sorted by.',
      { schema: TIME },
    ),
    release: query(
      'release',
      'The id of a release: the answer is what it will be once that is published. Needs the permissions `releases.find` and `preview`.',
      { schema: { type: 'integer' } },
    ),
    missing: query('missing', '`ignore`: entries and files that no longer exist are left out.', {
      schema: { type: 'string', enum: ['ignore'] },
    }),
    ifMatch: header(
      'If-Match',
      'The `ETag` of the version to change; the request fails if the entry has another version. `*` accepts any version.',
    ),
    ifNoneMatch: header('If-None-Match', 'The `ETag` of the cached response: 304 if nothing has changed.'),
    createOnly: header('If-None-Match', '`*`: create the entry, and fail if it exists.'),
    idempotencyKey: header(
      'Idempotency-Key',
      'A random text of at most 255 characters, by which a repetition of the request gets the same response without writing again.',
    ),
    fileId: query('id', 'The file to change.', { schema: idSchema }),
    fileTag: query('tag', `A tag that files must have; up to ${TAG_LIMITS.ask} may be given.`, {
      schema: { ...list(TEXT), maxItems: TAG_LIMITS.ask },
    }),
    confirmation: query('confirmation', 'The code in the link.', { schema: TEXT }),
    eventTypes: query('types', 'The types to be told of, separated by commas: `article,file`. By default all.', {
      schema: TEXT,
    }),
    eventEntry: query('id', 'The entry to be told of, if `types` names one type.', {
      schema: { type: ['integer', 'string'] },
    }),
    lastEventId: header(
      'Last-Event-ID',
      'The `id` of the last event that the client has got: it is told those after it.',
    ),
    auditActor: query('actor', 'Who did it: `user:2`, `token:3`, or `public`, `server`, `command`.', { schema: TEXT }),
    auditEvent: query('event', 'What was done: `entry.update`.', { schema: TEXT }),
    auditType: query('type', 'To what: a content type, `user`, `role` or `token`.', { schema: TEXT }),
    auditId: query('id', 'The id of what was changed, if `type` names its type.', { schema: { type: 'integer' } }),
    auditFrom: query('from', 'Not before this time.', { schema: TIME }),
    auditTo: query('to', 'Before this time.', { schema: TIME }),
    auditPageSize: query('pageSize', 'At most 100; by default 25.', { schema: { type: 'integer' } }),
    auditAfter: query('after', '`meta.after` of the page before.', { schema: TEXT }),
    costOf: query('of', 'Path and query of a GET request for entries, percent-encoded: `/api/articles?sort=title`.', {
      schema: TEXT,
    }),
    pagination: query('pagination', 'The part of the list to return: `pagination[page]=2`.', {
      ...NESTED,
      schema: schemaRef('PaginationQuery'),
      examples: { page: { summary: 'The first page', value: { page: 1, pageSize: 10 } } },
    }),
    search: query('_q', 'Search: entries with a text attribute that contains this string, ignoring case.', {
      schema: TEXT,
    }),
    permitted: query('permitted', 'Only entries that the rule of this action lets the caller change.', {
      schema: { type: 'string', enum: ['update', 'draft', 'delete'] },
    }),
    marks: query(
      'marks',
      '`true`: drafts, and components in them, have a `__source`, by which a preview marks texts for the admin panel.',
      { schema: { type: 'string', enum: ['true'] } },
    ),
    locale: query('locale', 'The locale to read.', {
      schema: { type: 'string', enum: [...locales, isV5 ? '*' : 'all'] },
    }),
    status: query(
      'status',
      isV5
        ? 'Published entries or drafts. Reading drafts requires the permission `preview`. Writes publish, or with `draft` change the draft alone.'
        : '`draft`: what is published stays as it is, and the draft alone is written.',
      { schema: schemaRef('Status') },
    ),
    publicationState: query(
      'publicationState',
      'Whether to include drafts: `preview` requires the permission of that name.',
      {
        schema: schemaRef('PublicationState'),
      },
    ),
  };
}

/** A simple example of a filter. */
function filterExample({ attributes }: ContentType): JsonSchema {
  const text = attributes
    .filter(isVisible)
    .find((attribute) => attribute.kind === 'scalar' && attributeType(attribute.type).operators === 'text');
  return text ? { [text.name]: { $containsi: 'a' } } : { id: { $gt: 1 } };
}

/** The parameters that contain attribute names of a type, by their names in `components`. */
export function typeParameters(type: ContentType, scope: Scope): readonly (readonly [string, JsonSchema])[] {
  const { uid } = type;
  const prefix = nameOf(scope, uid);
  const ref = (word: 'Field' | 'Populate' | 'Filters' | 'Sort'): JsonSchema => schemaRef(nameOf(scope, uid, word));
  const example = (summary: string, value: JsonSchema | string): JsonSchema => ({
    examples: { one: { summary, value } },
  });
  return [
    [`${prefix}Fields`, query('fields', 'The attributes to return; all by default.', { schema: list(ref('Field')) })],
    [
      `${prefix}Populate`,
      query('populate', 'The relations, media, components and dynamic zones to return; none by default.', {
        ...NESTED,
        schema: ref('Populate'),
        ...example('One level of all', '*'),
      }),
    ],
    [
      `${prefix}Filters`,
      query(
        'filters',
        'Conditions on attributes, also of related entries and components. Entries must match all of them.',
        {
          ...NESTED,
          schema: ref('Filters'),
          ...example('A text contains a string', filterExample(type)),
        },
      ),
    ],
    [
      `${prefix}Sort`,
      query('sort', 'The sort order, by one or more attributes.', {
        schema: ref('Sort'),
        ...example('Newest first', 'createdAt:desc'),
      }),
    ],
  ];
}

/** The path parameter of a type whose entries are also found by an attribute. */
function keyParameter(attribute: string, id: string): JsonSchema {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The \`${id}\` of the entry, or its \`${attribute}\`.`,
    schema: TEXT,
  };
}

/** A parameter of a path that only one route has: the uid of a type. */
function pathParameter(name: string): JsonSchema {
  return { name, in: 'path', required: true, schema: TEXT };
}

/**
 * References to the parameters of a route. `documents`: the uids of types whose paths contain document ids; `keys`: the attributes by
 * which entries are also found, by uid; `ruled`: the uids of types of which some callers may change some entries only;
 * `marked`: the uids of types whose drafts may be asked for with marks.
 */
export function parametersOf(
  scope: Scope,
  {
    documents,
    keys,
    ruled,
    marked,
  }: {
    readonly documents: ReadonlySet<string>;
    readonly keys: ReadonlyMap<string, string>;
    readonly ruled: ReadonlySet<string>;
    readonly marked: ReadonlySet<string>;
  },
): (route: Route) => readonly JsonSchema[] {
  const refTo = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });
  return (route) => {
    const { query: parameters = [], queriedType } = route;
    const prefix = queriedType === undefined ? '' : nameOf(scope, queriedType);
    const id = documents.has(queriedType ?? '') ? 'documentId' : 'id';
    const named = parameters.map((name) => (isNaming(name) ? `${prefix}${NAMING[name]}` : name));
    const conditions = { reads: ['ifNoneMatch'], makes: [], changes: ['ifMatch', 'createOnly'] };
    const isRuledList = parameters.includes('pagination') && ruled.has(queriedType ?? '');
    const permitted = isRuledList ? ['permitted'] : [];
    const isMarked = route.versions === 'reads' && parameters.includes('populate') && marked.has(queriedType ?? '');
    const further = [...permitted, ...(isMarked ? ['marks'] : [])];
    const headers = route.versions === undefined ? [] : conditions[route.versions];
    const keyed = route.keyed ? ['idempotencyKey'] : [];
    const key = route.method === 'GET' ? keys.get(queriedType ?? '') : undefined;
    const others = [...route.path.matchAll(/\{(?!id\})(\w+)\}/gu)].map(([, name = '']) => pathParameter(name));
    const ids = hasId(route) ? [key === undefined ? refTo(id) : keyParameter(key, id)] : [];
    return [...others, ...ids, ...[...named, ...further, ...headers, ...keyed].map(refTo)];
  };
}
