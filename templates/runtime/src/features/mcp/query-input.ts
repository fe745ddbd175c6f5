/** JSON Schemas of the query arguments of tools. Kept short, since agents pay for every token that they read. */
import type { ContentType } from '../../contract/content-type.ts';
import { type JsonSchema, list } from '../../contract/routes/json-schema.ts';
import type { AllowList, Readable } from '../../query/readable-attributes.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

const FILTER_OPERATORS =
  '$eq $ne $lt $lte $gt $gte $in $notIn $between $null $notNull $contains $containsi $startsWith $endsWith';

function namesOf(attributes: Iterable<Readable>, isChosen: (attribute: Readable) => boolean): string[] {
  return [...attributes].filter(isChosen).map(({ name }) => name);
}

const isScalar = ({ kind }: Readable): boolean => kind === 'scalar';
const canBeFiltered = ({ kind }: Readable): boolean => kind !== 'zone' && kind !== 'localizations';

function filters(names: readonly string[]): JsonSchema {
  const any = Object.fromEntries([...names, '$and', '$or', '$not'].map((name) => [name, {}] as const));
  return {
    type: 'object',
    description: `Conditions, all of which must hold: {attribute: {operator: value}}; nested for relations and components. Operators: ${FILTER_OPERATORS}; on lists also $some, $none and $every, each with conditions.`,
    properties: any,
    additionalProperties: false,
  };
}

function populate(names: readonly string[]): JsonSchema {
  return {
    description: `What to return with the entry: a list of ${names.join(', ')}; "*" for all; or an object with options for each: {${names[0] ?? 'name'}: {fields, populate, filters, sort}}.`,
    anyOf: [{ const: '*' }, list({ type: 'string' }), { type: 'object' }],
  };
}

const PAGINATION: JsonSchema = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1 },
    pageSize: { type: 'integer', minimum: 1 },
    withCount: { type: 'boolean', default: true },
  },
  additionalProperties: false,
};

/** Arguments that select what a response contains of each entry. */
export function shownInput(type: ContentType, allowed: AllowList): Properties {
  const readable = [...allowed.ofType(type, 'v4').values()];
  const populated = namesOf(readable, (attribute) => !isScalar(attribute));
  return {
    fields: {
      ...list({ enum: ['id', ...namesOf(readable, isScalar)] }),
      description: 'The attributes to return; by default all.',
    },
    ...(populated.length > 0 && { populate: populate(populated) }),
    ...(type.localized && {
      locale: { type: 'string', description: 'The locale of the entry; by default the default locale.' },
    }),
  };
}

/** The argument that includes drafts. */
export function draftsInput({ draftAndPublish }: ContentType): Properties {
  return draftAndPublish ? { publicationState: { enum: ['live', 'preview'], default: 'live' } } : {};
}

/** For a write: whether it publishes. */
export function statusInput({ draftAndPublish }: ContentType): Properties {
  if (!draftAndPublish) return {};
  const description = 'draft: the draft alone is written, and what is published stays as it is.';
  return { status: { enum: ['draft', 'published'], description } };
}

/** Arguments that select, sort and paginate entries. */
export function listInput(type: ContentType, allowed: AllowList): Properties {
  const readable = [...allowed.ofType(type, 'v4').values()];
  return {
    filters: filters(['id', ...namesOf(readable, canBeFiltered)]),
    sort: { ...list({ type: 'string' }), description: '`title`, or `title:desc`.' },
    pagination: PAGINATION,
    _q: { type: 'string', description: 'Only entries with a text that contains this.' },
  };
}
