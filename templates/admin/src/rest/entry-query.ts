/** Queries for editing an entry: everything its form shows, with the first page of each relation. */
import { type Attribute, type Attributes, type ContentType, isPolymorphic } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { QueryObject, QueryValue } from './query-string.ts';
import { refFields } from './rest-entry.ts';

/** Page size for the entries of a relation. */
export const PAGE = 30;

export const MEDIA_FIELDS = [
  'name',
  'url',
  'mime',
  'alternativeText',
  'caption',
  'width',
  'height',
  'size',
  'ext',
  'formats',
];

/** The `populate` value of an attribute; undefined if it needs none. */
type Populate = (attribute: Attribute, index: ModelIndex) => QueryValue;

function populateAll(attributes: Attributes, index: ModelIndex, populate: Populate): QueryObject | undefined {
  const named = Object.entries(attributes).flatMap(([name, attribute]) => {
    const value = attribute.private === true ? undefined : populate(attribute, index);
    return value === undefined ? [] : [[name, value] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function within(uid: string, index: ModelIndex, populate: Populate): QueryObject | undefined {
  const inner = populateAll(index.component(uid).attributes, index, populate);
  return inner && { populate: inner };
}

/** Populates what forms show, and of each list the first `limit` entries. */
function populateShown(limit: number): Populate {
  const populate: Populate = (attribute, index) => shownOf(attribute, index, populate, limit);
  return populate;
}

function shownOf(attribute: Attribute, index: ModelIndex, populate: Populate, limit: number): QueryValue {
  switch (attribute.type) {
    case 'media':
      return { fields: MEDIA_FIELDS };
    case 'component':
      return within(attribute.component, index, populate) ?? true;
    case 'dynamiczone':
      return {
        on: Object.fromEntries(attribute.components.map((uid) => [uid, within(uid, index, populate) ?? true])),
      };
    case 'relation': {
      if (isPolymorphic(attribute)) {
        const types = (attribute.targets ?? []).flatMap((uid) => index.type(uid) ?? []);
        return { on: Object.fromEntries(types.map((type) => [type.name, { fields: refFields(type) }])) };
      }
      const target = index.type(attribute.target);
      if (!target) return undefined;
      return { fields: refFields(target), ...(attribute.multiple && { start: 0, limit }) };
    }
    default:
      return undefined;
  }
}

/** Populates only the lengths of lists, and the ids of component items. */
function populateCounts(attribute: Attribute, index: ModelIndex): QueryValue {
  switch (attribute.type) {
    case 'component': {
      const inner = within(attribute.component, index, populateCounts);
      return inner && { fields: ['id'], ...inner };
    }
    case 'dynamiczone': {
      const inner = attribute.components.map((uid) => [uid, within(uid, index, populateCounts)] as const);
      if (inner.every(([, value]) => value === undefined)) return undefined;
      return { on: Object.fromEntries(inner.map(([uid, value]) => [uid, { fields: ['id'], ...value }])) };
    }
    case 'relation':
      return attribute.multiple && !isPolymorphic(attribute) && index.type(attribute.target)
        ? { count: true }
        : undefined;
    default:
      return undefined;
  }
}

/** Includes drafts if the role may preview them. */
export function draftsQuery(type: ContentType, mayPreview: boolean): QueryObject {
  return mayPreview && type.draftAndPublish ? { publicationState: 'preview' } : {};
}

/** The query for all values that an entry's form shows. */
export function entryQuery(type: ContentType, index: ModelIndex, limit = PAGE): QueryObject {
  const populate = populateAll(type.attributes, index, populateShown(limit));
  return populate ? { populate } : {};
}

/** The query for the lengths of an entry's relation lists; undefined if it has none. */
export function countQuery(type: ContentType, index: ModelIndex): QueryObject | undefined {
  const populate = populateAll(type.attributes, index, populateCounts);
  return populate && { fields: ['id'], populate };
}
