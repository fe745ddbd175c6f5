/** The words of the schema language. */
import { attributeType, scalarTypes } from '#contract/attribute-types/scalar-type.ts';

export const dialects = ['sqlite', 'postgres', 'mysql'] as const;

export const attributeTypes = [...scalarTypes, 'media', 'relation', 'component', 'dynamiczone'] as const;

export const mediaTypes = ['images', 'files', 'videos', 'audios'] as const;

export const rootKeys = ['name', 'databases', 'locales', 'api', 'contentTypes', 'components', 'permissions'] as const;

export const apiKeys = [
  'unknownAttributes',
  'defaultPageSize',
  'maxPageSize',
  'maxCount',
  'maxPopulateDepth',
  'maxPopulatedPaths',
  'bodyLimit',
  'maxAnswerEntries',
  'maxAnswerSize',
] as const;

export const contentTypeKeys = [
  'kind',
  'pluralName',
  'tableName',
  'displayName',
  'description',
  'draftAndPublish',
  'localized',
  'renamedFrom',
  'attributes',
] as const;

export const componentKeys = ['displayName', 'description', 'renamedFrom', 'attributes'] as const;

export type Dialect = (typeof dialects)[number];
export type AttributeType = (typeof attributeTypes)[number];
export type MediaType = (typeof mediaTypes)[number];

const commonOptions = [
  'type',
  'required',
  'unique',
  'private',
  'writable',
  'default',
  'localized',
  'description',
  'renamedFrom',
];
const rangeOptions = ['min', 'max'];

function ownOptions(type: AttributeType): readonly string[] {
  switch (type) {
    case 'media':
      return ['multiple', 'allowedTypes'];
    case 'relation':
      return ['relation', 'target', 'targets', 'mappedBy', 'inversedBy'];
    case 'component':
      return ['component', 'repeatable', ...rangeOptions];
    case 'dynamiczone':
      return ['components', ...rangeOptions];
    default:
      return attributeType(type).options;
  }
}

/** The options that an attribute of each type may have, those of every type first. */
export const attributeOptions: ReadonlyMap<AttributeType, readonly string[]> = new Map(
  attributeTypes.map((type) => [type, [...commonOptions, ...ownOptions(type)]]),
);
