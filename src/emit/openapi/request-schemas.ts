/** Schemas of request bodies: entries to create and update, and the items in them. */
import { BINARY, type JsonSchema, list, object, schemaRef, TEXT } from '#contract/routes/json-schema.ts';
import type { Attribute, Component, ContentType } from '../../model/content-model.ts';
import { visibilityText } from '../describe-attribute.ts';
import { presenceOf } from '../types/presence.ts';
import { type NamedSchema, zoneItems } from './entry-schemas.ts';
import { nameOf, type Scope } from './names.ts';
import { nullable, scalarInputSchema } from './scalar-schemas.ts';
import { textsOf } from './texts.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

function bounded(items: JsonSchema, { min, max }: { min: number | undefined; max: number | undefined }): JsonSchema {
  return { ...list(items), minItems: min, maxItems: max };
}

/** The texts of an attribute, with the condition under which it takes a value. */
function withCondition({
  displayName,
  description,
  visible,
}: Attribute): Pick<Attribute, 'displayName' | 'description'> {
  if (!visible) return { displayName, description };
  const condition = visibilityText(visible);
  const sentence = `${condition.charAt(0).toUpperCase()}${condition.slice(1)}.`;
  return { displayName, description: [description, sentence].filter((text) => text !== undefined).join(' ') };
}

function inputSchema(attribute: Attribute, scope: Scope, mayBeNull: boolean): JsonSchema {
  const texts = textsOf(withCondition(attribute));
  const maybe = (schema: JsonSchema): JsonSchema => ({ ...(mayBeNull ? nullable(schema) : schema), ...texts });
  switch (attribute.kind) {
    case 'scalar':
      return scalarInputSchema({ ...attribute, ...withCondition(attribute) }, mayBeNull);
    case 'relation':
      return { ...schemaRef('RelationInput'), ...texts };
    case 'media':
      return { ...schemaRef('MediaInput'), ...texts };
    case 'component': {
      const item = schemaRef(nameOf(scope, attribute.component, 'Input'));
      return maybe(attribute.repeatable ? bounded(item, attribute) : item);
    }
    case 'dynamiczone':
      return maybe(bounded(zoneItems(scope, attribute.components, 'ZoneItemInput'), attribute));
  }
}

/** The writable attributes. `drafts`: any of them may be null. */
export function inputProperties(attributes: readonly Attribute[], scope: Scope, drafts: boolean): Properties {
  const writable = attributes.filter((attribute) => attribute.writable);
  return Object.fromEntries(
    writable.map((attribute) => [
      attribute.name,
      inputSchema(attribute, scope, drafts || presenceOf(attribute).nullable),
    ]),
  );
}

function mustBeSent({ attributes, draftAndPublish }: ContentType): readonly string[] {
  if (draftAndPublish) return [];
  return attributes.filter((one) => one.writable && presenceOf(one).mustBeSent).map(({ name }) => name);
}

/** Says which combinations are unique; undefined if there are none. */
function combinationsOf({ unique }: ContentType): string | undefined {
  if (unique.length === 0) return undefined;
  return unique.map((names) => `The combination of ${names.join(', ')} must be unique.`).join(' ');
}

/** The schemas of an entry's values in requests. */
export function inputSchemas(type: ContentType, scope: Scope): readonly NamedSchema[] {
  const { uid, kind, attributes, draftAndPublish, localized } = type;
  const own = inputProperties(attributes, scope, draftAndPublish);
  const published = { type: ['string', 'integer', 'null'], description: 'When it was published; `null` for a draft.' };
  // In v5, query parameters specify both.
  const isV4 = scope.shape.format === 'v4';
  const both = { ...own, ...(draftAndPublish && isV4 && { publishedAt: published }) };
  const description = combinationsOf(type);
  const update: NamedSchema = [nameOf(scope, uid, 'Update'), { description, ...object(both, []) }];
  if (kind === 'singleType') return [update];
  const create = { ...both, ...(localized && isV4 && { locale: TEXT }) };
  return [[nameOf(scope, uid, 'Create'), { description, ...object(create, mustBeSent(type)) }], update];
}

/** A multipart form: the data, and the files for the media attributes. */
function formSchema(data: JsonSchema, { attributes }: ContentType): JsonSchema {
  const media = attributes.filter(({ kind }) => kind === 'media');
  const files = media.map(({ name }) => [`files.${name}`, list(BINARY)] as const);
  const text = { type: 'string', contentMediaType: 'application/json', contentSchema: data };
  return object({ data: text, ...Object.fromEntries(files) }, ['data']);
}

/** The request bodies: the values in their envelopes. */
export function requestSchemas(type: ContentType, scope: Scope): readonly NamedSchema[] {
  const { uid, localized, attributes, draftAndPublish, kind } = type;
  const prefix = nameOf(scope, uid);
  const ofBody = (word: 'Create' | 'Update'): readonly NamedSchema[] => {
    const data = schemaRef(nameOf(scope, uid, word));
    return [
      [`${prefix}${word}Request`, object({ data })],
      [`${prefix}${word}Form`, formSchema(data, type)],
    ];
  };
  const localization = { ...inputProperties(attributes, scope, draftAndPublish), locale: TEXT };
  return [
    ...(kind === 'singleType' ? [] : ofBody('Create')),
    ...ofBody('Update'),
    ...(localized ? [[`${prefix}LocalizationRequest`, object(localization, ['locale'])] as const] : []),
  ];
}

/** The schemas of an item's values in requests, also within a dynamic zone. */
export function itemInputSchemas(component: Component, scope: Scope): readonly NamedSchema[] {
  const { uid, attributes } = component;
  // The item may exist already and be updated, so nothing is required.
  const properties = { id: { type: ['integer', 'string'] }, ...inputProperties(attributes, scope, true) };
  const tag = { type: 'string', const: uid };
  return [
    [nameOf(scope, uid, 'Input'), object(properties, [])],
    [nameOf(scope, uid, 'ZoneItemInput'), object({ __component: tag, ...properties }, ['__component'])],
  ];
}
