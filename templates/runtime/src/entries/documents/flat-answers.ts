/**
 * Flat answers of types with a `transform` hook. The hook takes entries in the nested form of the server's own code, so entries
 * are read nested, transformed, and then flattened.
 */
import { type Attributes, componentNamed, valueOf } from '../../contract/item-attributes.ts';
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { V5, V5_NESTED } from '../../query/format.ts';
import type { CollectionService, SingleService } from '../service.ts';

/** The type of the entries to flatten, and the descriptors of all types. */
interface Flattening {
  readonly types: ContentTypes;
  readonly type: ContentType;
}

function typeNamed({ types }: ContentTypes, uid: string | undefined): ContentType | undefined {
  return uid !== undefined && Object.hasOwn(types, uid) ? types[uid] : undefined;
}

/** Flattens the value of a relation: entries, or their count. */
function flatRelated(types: ContentTypes, target: ContentType | undefined, value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, 'data')) return value;
  const { data } = value;
  if (isRecord(data) && !Object.hasOwn(data, 'id')) return data['attributes'];
  if (!target) return data;
  return Array.isArray(data)
    ? data.map((entry) => flatEntry({ types, type: target }, entry))
    : flatEntry({ types, type: target }, data);
}

function flatItems(types: ContentTypes, attribute: Attribute, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => flatItems(types, attribute, item));
  if (!isRecord(value)) return value;
  const uid = attribute.type === 'component' ? attribute.component : valueOf(value, '__component');
  const component = typeof uid === 'string' ? componentNamed(types, uid) : undefined;
  return component ? flatAttributes(types, component.attributes, value) : value;
}

function flatAttribute(types: ContentTypes, attribute: Attribute | undefined, value: unknown): unknown {
  switch (attribute?.type) {
    case 'relation':
      return flatRelated(types, typeNamed(types, attribute.target), value);
    case 'media':
      return flatRelated(types, typeNamed(types, 'file'), value);
    case 'component':
    case 'dynamiczone':
      return flatItems(types, attribute, value);
    default:
      return value;
  }
}

function flatAttributes(types: ContentTypes, attributes: Attributes, values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      // After an alias, if the query has any.
      const own = name.slice(name.indexOf(':') + 1);
      const attribute = Object.hasOwn(attributes, own) ? attributes[own] : undefined;
      return [name, flatAttribute(types, attribute, value)];
    }),
  );
}

/** Flattens an entry, with everything populated in it: its attributes move next to its id. */
export function flatEntry({ types, type }: Flattening, entry: unknown): unknown {
  if (!isRecord(entry) || !isRecord(entry['attributes'])) return entry;
  const { attributes, meta: _meta, ...named } = entry;
  const { localizations, ...own } = attributes;
  return {
    ...named,
    ...flatAttributes(types, type.attributes, own),
    ...(localizations !== undefined && { localizations: flatRelated(types, type, localizations) }),
  };
}

/** The request for the nested form that the hook takes, and the function that flattens its answer. */
function nested(flattening: Flattening, request: EntryRequest) {
  if (request.format !== V5) return { innerRequest: request, flat: (answer: EntryAnswer) => answer };
  return {
    innerRequest: { ...request, format: V5_NESTED },
    flat: (answer: EntryAnswer) => answer.with(flatEntry(flattening, answer.entry())),
  };
}

/** Wraps the service of a collection type so that it flattens what the hook has transformed. */
export function flatCollection(flattening: Flattening, service: CollectionService): CollectionService {
  return {
    ...service,
    async find(request) {
      const { innerRequest } = nested(flattening, request);
      const answer = await service.find(innerRequest);
      return innerRequest === request
        ? answer
        : answer.with(answer.entries().map((entry) => flatEntry(flattening, entry)));
    },
    async findOne(key, request) {
      const { innerRequest, flat } = nested(flattening, request);
      return flat(await service.findOne(key, innerRequest));
    },
    async create(data, request) {
      const { innerRequest, flat } = nested(flattening, request);
      return flat(await service.create(data, innerRequest));
    },
    async update(key, data, request) {
      const { innerRequest, flat } = nested(flattening, request);
      return flat(await service.update(key, data, innerRequest));
    },
  };
}

/** Wraps the service of a single type so that it flattens what the hook has transformed. */
export function flatSingle(flattening: Flattening, service: SingleService): SingleService {
  return {
    ...service,
    async find(request) {
      const { innerRequest, flat } = nested(flattening, request);
      return flat(await service.find(innerRequest));
    },
    async save(data, request) {
      const { innerRequest, flat } = nested(flattening, request);
      const { answer, created } = await service.save(data, innerRequest);
      return { answer: flat(answer), created };
    },
  };
}
