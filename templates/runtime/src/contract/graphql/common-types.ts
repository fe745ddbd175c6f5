/** Types that every GraphQL schema has. */
import type { Definition, EnumDefinition, InputDefinition, InputField, ObjectDefinition } from './model.ts';
import { FILTERED_SCALARS, type GraphqlScope } from './scope.ts';

const SCALARS: readonly (readonly [name: string, description: string])[] = [
  ['JSON', 'Any JSON value.'],
  ['DateTime', 'An instant, such as 2007-12-03T10:15:30Z: RFC 3339, with a time zone.'],
  ['Time', 'A time of day, such as 10:15:30.000'],
  ['Date', 'A day, such as 2007-12-03'],
  ['Long', 'A whole number of up to 64 bits; beyond 2^53 as text.'],
];

function enumOf(name: string, values: Readonly<Record<string, string>>): EnumDefinition {
  return { kind: 'enum', name, values: new Map(Object.entries(values)) };
}

/** An object whose members are shown as they are. */
export function plainObject(name: string, fields: Readonly<Record<string, string>>): ObjectDefinition {
  return {
    kind: 'object',
    name,
    fields: Object.entries(fields).map(([field, type]) => ({
      name: field,
      type,
      means: field === 'id' ? { is: 'id' } : { is: 'value', attribute: field },
    })),
  };
}

/** An input whose members are passed on as they are. */
export function plainInput(name: string, fields: Readonly<Record<string, string>>): InputDefinition {
  return {
    kind: 'input',
    name,
    fields: Object.entries(fields).map(([field, written]) => {
      const [type = '', initial] = written.split(' = ');
      const member: InputField = { name: field, type, means: { is: 'value' } };
      return initial === undefined ? member : { ...member, default: initial };
    }),
  };
}

const VALUE_OPERATORS = [
  'eq',
  'eqi',
  'ne',
  'nei',
  'startsWith',
  'endsWith',
  'contains',
  'notContains',
  'containsi',
  'notContainsi',
  'gt',
  'gte',
  'lt',
  'lte',
];

/** Conditions on values of a scalar. */
function conditions(scalar: string): InputDefinition {
  const name = `${scalar}FilterInput`;
  const of = (field: string, type: string): InputField => ({ name: field, type, means: { is: 'condition' } });
  return {
    kind: 'input',
    name,
    fields: [
      of('and', `[${scalar}]`),
      of('or', `[${scalar}]`),
      of('not', name),
      ...VALUE_OPERATORS.map((operator) => of(operator, scalar)),
      of('null', 'Boolean'),
      of('notNull', 'Boolean'),
      of('in', `[${scalar}]`),
      of('notIn', `[${scalar}]`),
      of('between', `[${scalar}]`),
    ],
  };
}

const FILTER_WORDS = {
  NEVER_PUBLISHED: 'never-published',
  HAS_PUBLISHED_VERSION: 'has-published-version',
  MODIFIED: 'modified',
  UNMODIFIED: 'unmodified',
  NEVER_PUBLISHED_DOCUMENT: 'never-published-document',
  HAS_PUBLISHED_VERSION_DOCUMENT: 'has-published-version-document',
  PUBLISHED_WITHOUT_DRAFT: 'published-without-draft',
  PUBLISHED_WITH_DRAFT: 'published-with-draft',
};

function pagination(): ObjectDefinition {
  return plainObject('Pagination', { total: 'Int!', page: 'Int!', pageSize: 'Int!', pageCount: 'Int!' });
}

function ofFormat({ format }: GraphqlScope): readonly Definition[] {
  if (format === 'v4') {
    const meta: ObjectDefinition = {
      kind: 'object',
      name: 'ResponseCollectionMeta',
      fields: [{ name: 'pagination', type: 'Pagination!', means: { is: 'pagination' } }],
    };
    return [meta, enumOf('PublicationState', { LIVE: 'live', PREVIEW: 'preview' })];
  }
  return [
    {
      kind: 'object',
      name: 'DeleteMutationResponse',
      fields: [{ name: 'documentId', type: 'ID!', means: { is: 'documentId' } }],
    },
    enumOf('PublicationStatus', { DRAFT: 'draft', PUBLISHED: 'published' }),
    enumOf('PublicationFilter', FILTER_WORDS),
  ];
}

/** How relations are changed otherwise than by a list of ids. */
function relationChanges({ format }: GraphqlScope): readonly Definition[] {
  const id = format === 'v5' ? 'documentId' : 'id';
  const position = { before: 'ID', after: 'ID', start: 'Boolean', end: 'Boolean' };
  return [
    plainInput('RelationPositionInput', position),
    plainInput('RelationTargetInput', { [id]: 'ID!', position: 'RelationPositionInput' }),
    plainInput('RelationChangesInput', {
      connect: '[RelationTargetInput!]',
      disconnect: '[RelationTargetInput!]',
      set: '[RelationTargetInput!]',
    }),
  ];
}

export function commonTypes(scope: GraphqlScope): readonly Definition[] {
  return [
    ...SCALARS.map(([name, description]): Definition => ({ kind: 'scalar', name, description })),
    ...(scope.types.locales.length > 0
      ? [{ kind: 'scalar', name: 'I18NLocaleCode', description: 'The code of a locale.' } as const]
      : []),
    plainObject('Error', { code: 'String!', message: 'String' }),
    pagination(),
    plainInput('PaginationArg', { page: 'Int', pageSize: 'Int', start: 'Int', limit: 'Int' }),
    ...ofFormat(scope),
    ...FILTERED_SCALARS.map(conditions),
    ...relationChanges(scope),
  ];
}
