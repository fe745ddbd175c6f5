/** Schemas shared by all content types. */
import {
  ANY_OBJECT,
  type JsonSchema,
  list,
  object,
  schemaRef,
  TEXT,
  TIME,
  TIME_OR_NULL,
  TRUE,
} from '#contract/routes/json-schema.ts';

const ID: JsonSchema = { type: 'integer' };
const WHOLE: JsonSchema = { type: 'integer' };
const INPUT_ID: JsonSchema = { type: ['integer', 'string'] };

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...object(properties, []), additionalProperties: false };
}

const ISSUE = object({ path: list(TEXT), message: TEXT, name: TEXT });

const ERRORS: Readonly<Record<string, JsonSchema>> = {
  ErrorDetails: {
    ...ANY_OBJECT,
    properties: {
      errors: { ...list(ISSUE), description: 'The invalid values, with their paths in the body.' },
      more: { ...WHOLE, description: 'The number of further errors.' },
      requestId: TEXT,
      current: {
        type: ['string', 'null'],
        description: 'The current version of the entry, if the request expected another one.',
      },
    },
  },
  ErrorResponse: object({
    data: { type: 'null' },
    error: object({ status: WHOLE, name: TEXT, message: TEXT, details: schemaRef('ErrorDetails') }),
  }),
};

/** A list, or one element in place of a list of one. */
function oneOrMany(element: JsonSchema): JsonSchema {
  return { anyOf: [element, list(element)] };
}

const RELATIONS: Readonly<Record<string, JsonSchema>> = {
  EntryLink: {
    description: 'Identifies an entry; `type` is required if the relation has several types.',
    ...object({ id: INPUT_ID, type: TEXT }, ['id']),
  },
  EntryReference: { anyOf: [INPUT_ID, schemaRef('EntryLink')] },
  RelationPosition: {
    description: 'Exactly one property. Without a position, the entry is appended.',
    ...closed({ before: schemaRef('EntryReference'), after: schemaRef('EntryReference'), start: TRUE, end: TRUE }),
    minProperties: 1,
    maxProperties: 1,
  },
  RelationConnect: object({ id: INPUT_ID, type: TEXT, position: schemaRef('RelationPosition') }, ['id']),
  RelationSet: object({ set: oneOrMany(schemaRef('EntryReference')) }),
  RelationChange: {
    description: '`disconnect` removes entries from the list, `connect` adds entries in order.',
    ...object(
      {
        connect: oneOrMany({ anyOf: [INPUT_ID, schemaRef('RelationConnect')] }),
        disconnect: oneOrMany(schemaRef('EntryReference')),
      },
      [],
    ),
  },
  RelationInput: {
    description: 'An id, a list of ids, a link, or changes to the list; `null` clears.',
    anyOf: [
      INPUT_ID,
      { type: 'null' },
      schemaRef('EntryLink'),
      list(schemaRef('EntryReference')),
      schemaRef('RelationSet'),
      schemaRef('RelationChange'),
    ],
  },
  MediaInput: {
    description: 'The ids of files; `null` clears.',
    anyOf: [
      INPUT_ID,
      { type: 'null' },
      schemaRef('EntryLink'),
      list(schemaRef('EntryReference')),
      schemaRef('RelationSet'),
    ],
  },
  RelationCount: {
    description: 'Replaces a list that was populated with `count`.',
    ...object({ attributes: object({ count: WHOLE }) }),
  },
};

const ENTRIES: Readonly<Record<string, JsonSchema>> = {
  EntryLocale: object({ id: ID, locale: TEXT, createdAt: TIME, updatedAt: TIME, publishedAt: TIME_OR_NULL }, [
    'id',
    'locale',
    'createdAt',
    'updatedAt',
  ]),
  EntryMeta: object({
    availableLocales: { ...list(schemaRef('EntryLocale')), description: 'The other locales of the entry.' },
  }),
  Pagination: {
    description:
      'By page, or by offset if the request has `start` or `limit`. If the request has `after`, `next` is the value of `after` for the next page, and null on the last page.',
    ...object(
      {
        page: WHOLE,
        pageSize: WHOLE,
        pageCount: WHOLE,
        start: WHOLE,
        limit: WHOLE,
        next: { type: ['string', 'null'] },
        total: WHOLE,
      },
      [],
    ),
  },
  EntryVersion: {
    description:
      '`begin`: the history of the entry begins; `link`: an entry was written that this one is related to. `of`: the version that was restored.',
    ...object(
      {
        version: WHOLE,
        action: {
          type: 'string',
          enum: ['begin', 'create', 'update', 'publish', 'unpublish', 'discard', 'restore', 'link'],
        },
        of: WHOLE,
        at: TIME,
        by: object({ kind: TEXT, id: WHOLE, name: TEXT }, ['kind']),
        requestId: { type: ['string', 'null'] },
      },
      ['version', 'action', 'at', 'by', 'requestId'],
    ),
  },
  HistoryResponse: object({
    data: list(schemaRef('EntryVersion')),
    meta: object({ pagination: schemaRef('Pagination') }),
  }),
  HistoryDifference: {
    description:
      'A value `before` and `after`; the `changes` of a list, whose positions count from 1; or the `differences` within a component.',
    ...object(
      {
        attribute: TEXT,
        before: {},
        after: {},
        changes: list(
          object(
            {
              kind: { type: 'string', enum: ['added', 'removed', 'moved', 'changed'] },
              id: WHOLE,
              __type: TEXT,
              __component: TEXT,
              from: WHOLE,
              to: WHOLE,
              item: ANY_OBJECT,
              differences: list(schemaRef('HistoryDifference')),
            },
            ['kind', 'id'],
          ),
        ),
        differences: list(schemaRef('HistoryDifference')),
      },
      ['attribute'],
    ),
  },
  HistoryDifferences: object({
    data: list(schemaRef('HistoryDifference')),
    meta: object({ from: schemaRef('EntryVersion'), to: schemaRef('EntryVersion') }),
  }),
  ListMeta: object({ pagination: schemaRef('Pagination') }),
  ResponseMeta: ANY_OBJECT,
};

const QUERIES: Readonly<Record<string, JsonSchema>> = {
  SortOrder: { type: 'string', enum: ['asc', 'desc'] },
  PublicationState: { type: 'string', enum: ['live', 'preview'] },
  Status: { type: 'string', enum: ['draft', 'published'] },
  NestedSort: {
    description: 'Attributes, also of related types, each with a direction.',
    type: 'object',
    additionalProperties: { anyOf: [schemaRef('SortOrder'), schemaRef('NestedSort')] },
  },
  NestedPopulate: {
    description: 'Nested relations to populate: `*`, names, or names with options.',
    anyOf: [TEXT, list(TEXT), ANY_OBJECT],
  },
  NestedPopulateOptions: {
    description: 'Whether to populate it: `true` for the defaults, or options.',
    anyOf: [
      { type: 'boolean' },
      closed({
        fields: list(TEXT),
        populate: schemaRef('NestedPopulate'),
        filters: ANY_OBJECT,
        sort: list(TEXT),
        start: WHOLE,
        limit: WHOLE,
        pagination: schemaRef('PaginationQuery'),
        count: { type: 'boolean', description: 'For a list: returns the number of entries instead of the entries.' },
        publicationState: schemaRef('PublicationState'),
      }),
    ],
  },
};

/** Schemas by name. */
export const COMMON_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...ERRORS,
  ...RELATIONS,
  ...ENTRIES,
  ...QUERIES,
  PaginationQuery: {},
};

/** The pagination parameters of a request. */
export function paginationSchema(api: { readonly defaultPageSize: number; readonly maxPageSize: number }): JsonSchema {
  const size = { ...WHOLE, minimum: 1, description: `${api.defaultPageSize} by default, at most ${api.maxPageSize}.` };
  return {
    description: 'Either `page` and `pageSize`, or `start` and `limit`, or `after` and `pageSize`.',
    ...closed({
      page: { ...WHOLE, minimum: 1 },
      pageSize: size,
      start: { ...WHOLE, minimum: 0 },
      limit: size,
      after: {
        type: 'string',
        description:
          'Keyset pagination: every page costs the same, and concurrent changes skip no entries. Empty for the first page, then the value of `meta.pagination.next`.',
      },
      withCount: {
        type: 'boolean',
        description: 'Whether to count the `total`. By default `true`, but `false` with `after`.',
      },
      maxCount: {
        ...WHOLE,
        minimum: 1,
        description: 'The number at which counting stops: a `total` of this number means that many or more.',
      },
    }),
  };
}
