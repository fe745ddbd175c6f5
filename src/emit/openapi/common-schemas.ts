/** Schemas, parameters and answers that all content types share. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';

const ID: JsonSchema = { type: ['integer', 'string'] };
const LINK: JsonSchema = { type: 'object', properties: { id: ID, type: { type: 'string' } }, required: ['id'] };
const TARGET: JsonSchema = { anyOf: [ID, LINK] };

function targets(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

const POSITION: JsonSchema = {
  description: 'Exactly one member; without a position the entry goes to the end.',
  type: 'object',
  properties: { before: TARGET, after: TARGET, start: { const: true }, end: { const: true } },
  minProperties: 1,
  maxProperties: 1,
};

const CONNECTED: JsonSchema = {
  anyOf: [ID, { ...LINK, properties: { id: ID, type: { type: 'string' }, position: POSITION } }],
};

const LOCALE: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    locale: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    publishedAt: { type: ['string', 'null'], format: 'date-time' },
  },
  required: ['id', 'locale'],
};

/** Schemas by name. */
export const COMMON_SCHEMAS: JsonSchema = {
  ErrorAnswer: {
    type: 'object',
    properties: {
      data: { type: 'null' },
      error: {
        type: 'object',
        properties: {
          status: { type: 'integer' },
          name: { type: 'string' },
          message: { type: 'string' },
          details: { type: 'object' },
        },
        required: ['status', 'name', 'message', 'details'],
      },
    },
    required: ['data', 'error'],
  },
  RelationInput: {
    description: 'An id, a list of ids, a link object, or changes to the list.',
    anyOf: [
      ID,
      { type: 'null' },
      LINK,
      targets(TARGET),
      { type: 'object', properties: { set: targets(TARGET) }, required: ['set'] },
      { type: 'object', properties: { connect: targets(CONNECTED), disconnect: targets(TARGET) } },
    ],
  },
  Locales: {
    type: 'object',
    properties: { availableLocales: { type: 'array', items: LOCALE } },
    required: ['availableLocales'],
  },
  Pagination: {
    type: 'object',
    properties: {
      page: { type: 'integer' },
      pageSize: { type: 'integer' },
      pageCount: { type: 'integer' },
      start: { type: 'integer' },
      limit: { type: 'integer' },
      total: { type: 'integer' },
    },
  },
};

function nested(name: string, description: string): JsonSchema {
  const schema = { type: ['object', 'array', 'string'] };
  return { name, in: 'query', description, style: 'deepObject', explode: true, schema };
}

function word(name: string, description: string, values?: readonly string[]): JsonSchema {
  return { name, in: 'query', description, schema: { type: 'string', enum: values } };
}

/** Query parameters by name, and the id of an entry. */
export function commonParameters(locales: readonly string[]): JsonSchema {
  return {
    id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    fileId: { name: 'id', in: 'query', description: 'The file to change.', schema: { type: 'integer' } },
    fields: nested('fields', 'Attributes to answer: fields[0]=title.'),
    populate: nested(
      'populate',
      'Relations, media and components to answer: populate=*, populate[author][fields][0]=name.',
    ),
    filters: nested('filters', 'Conditions: filters[title][$contains]=word.'),
    sort: nested('sort', 'Order: sort[0]=title:desc.'),
    pagination: nested('pagination', 'pagination[page] and [pageSize], or [start] and [limit]; [withCount]=false.'),
    locale: word('locale', 'The locale of the answer.', [...locales, 'all']),
    publicationState: word(
      'publicationState',
      'Whether drafts are answered: `preview` needs the permission of that name.',
      ['live', 'preview'],
    ),
  };
}
