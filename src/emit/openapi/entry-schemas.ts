/** The schemas of what is answered: entries of content types, and items of components. */
import { type JsonSchema, list, object, schemaRef, TEXT, TIME } from '#contract/routes/json-schema.ts';
import type { Attribute, Component, ContentType } from '../../model/content-model.ts';
import { isVisible, typeTag } from '../types/output-properties.ts';
import { nameOf, type NamesByUid } from './names.ts';
import { nullable, scalarOutputSchema } from './scalar-schemas.ts';

/** A schema by its name. */
export type NamedSchema = readonly [name: string, schema: JsonSchema];

type Populated = Exclude<Attribute, { kind: 'scalar' }>;

/** One of several schemas. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return only && schemas.length === 1 ? only : { anyOf: schemas };
}

/** Items of some components, told by `__component`. */
export function zoneItems(names: NamesByUid, uids: readonly string[], word: 'ZoneItem' | 'ZoneItemInput'): JsonSchema {
  const refs = uids.map((uid) => [uid, schemaRef(nameOf(names, uid, word))] as const);
  return {
    oneOf: refs.map(([, ref]) => ref),
    discriminator: {
      propertyName: '__component',
      mapping: Object.fromEntries(refs.map(([uid, ref]) => [uid, ref['$ref']])),
    },
  };
}

function linked(names: NamesByUid, many: boolean, targets: readonly string[]): JsonSchema {
  const target = anyOf(targets.map((uid) => schemaRef(nameOf(names, uid))));
  return object({ data: { anyOf: many ? [list(target), schemaRef('RelationCount')] : [target, { type: 'null' }] } });
}

function populatedSchema(attribute: Populated, names: NamesByUid): JsonSchema {
  switch (attribute.kind) {
    case 'relation':
      return linked(names, attribute.many, attribute.targets);
    case 'media':
      return linked(names, attribute.multiple, ['file']);
    case 'component': {
      const item = schemaRef(nameOf(names, attribute.component));
      return attribute.repeatable ? list(item) : nullable(item);
    }
    case 'dynamiczone':
      return list(zoneItems(names, attribute.components, 'ZoneItem'));
  }
}

/** An attribute in an answer; `drafts`: what is required may be missing. */
function outputSchema(attribute: Attribute, names: NamesByUid, drafts: boolean): JsonSchema {
  const schema =
    attribute.kind === 'scalar'
      ? scalarOutputSchema(attribute, attribute.required && !drafts)
      : { ...populatedSchema(attribute, names), description: attribute.description };
  return attribute.writable ? schema : { ...schema, readOnly: true };
}

/** The attributes in an answer: none of them is required, as `fields` and `populate` choose. */
export function outputProperties(
  attributes: readonly Attribute[],
  names: NamesByUid,
  drafts: boolean,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    attributes.filter(isVisible).map((attribute) => [attribute.name, outputSchema(attribute, names, drafts)]),
  );
}

/** What the server adds to the attributes of an entry. */
function systemProperties({ uid, draftAndPublish, localized }: ContentType, names: NamesByUid) {
  return {
    createdAt: TIME,
    updatedAt: TIME,
    ...(draftAndPublish && { publishedAt: nullable(TIME) }),
    ...(localized && { locale: TEXT, localizations: linked(names, true, [uid]) }),
  };
}

/** The schemas of an entry. `isMorphTarget`: relations to several types refer to it. */
export function entrySchemas(type: ContentType, names: NamesByUid, isMorphTarget: boolean): readonly NamedSchema[] {
  const { uid, displayName, description, attributes, draftAndPublish } = type;
  const properties = {
    ...(isMorphTarget && {
      __type: { type: 'string', const: typeTag(uid), description: 'Where a relation to several types populates it.' },
    }),
    ...outputProperties(attributes, names, draftAndPublish),
    ...systemProperties(type, names),
  };
  const [entry, inside] = [nameOf(names, uid), nameOf(names, uid, 'Attributes')];
  const parts = { id: { type: 'integer' }, attributes: schemaRef(inside), meta: schemaRef('EntryMeta') };
  return [
    [entry, { title: displayName, description, ...object(parts) }],
    [inside, { description: 'Those that `fields` and `populate` choose.', ...object(properties, []) }],
  ];
}

/** The schemas of an item, also within a zone; `drafts`: whether drafts can contain it. */
export function itemSchemas(component: Component, names: NamesByUid, drafts: boolean): readonly NamedSchema[] {
  const { uid, displayName, description, attributes } = component;
  const texts = { title: displayName, description };
  const properties = { id: { type: 'integer' }, ...outputProperties(attributes, names, drafts) };
  const tag = { type: 'string', const: uid };
  return [
    [nameOf(names, uid), { ...texts, ...object(properties, ['id']) }],
    [
      nameOf(names, uid, 'ZoneItem'),
      { ...texts, ...object({ __component: tag, ...properties }, ['__component', 'id']) },
    ],
  ];
}
