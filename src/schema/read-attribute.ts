/** Reads an attribute. Its type determines its options. */
import { attributeType, type ScalarType } from '#contract/attribute-types/scalar-type.ts';
import { relationKinds } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type {
  AttributeDefinition,
  ComponentUseDefinition,
  DynamicZoneDefinition,
  Located,
  MediaDefinition,
  RelationDefinition,
  ScalarDefinition,
} from './definition.ts';
import {
  commonOptions,
  componentUseOptions,
  dynamicZoneOptions,
  fieldOption,
  indexOption,
  mediaOptions,
  numberRange,
  optionNames,
  relationOptions,
  scalarOptions,
} from './attribute-options.ts';
import { type AttributeType, attributeTypes } from './keywords.ts';
import { readOptions } from './option.ts';
import { translationsOf, withEnumLabels } from './panel-text.ts';
import { attempt, type Entry, type Fields, readChoice, readEntries, type Reader, reportUnknownKey } from './reader.ts';
import { attributeHint, attributesHint, missingSpaceHint, optionHint, strapiHint, typeHint } from './translations.ts';

type Common = Pick<
  AttributeDefinition,
  | 'name'
  | 'location'
  | 'required'
  | 'private'
  | 'writable'
  | 'unique'
  | 'visible'
  | 'default'
  | 'localized'
  | 'displayName'
  | 'description'
  | 'texts'
  | 'renamedFrom'
>;

function readCommon(reader: Reader, fields: Fields, { key, location }: Entry): Common {
  const options = readOptions(reader, fields, commonOptions);
  const { displayName, description } = options;
  const texts = translationsOf({ displayName, description });
  return {
    ...options,
    ...(texts && { texts }),
    name: key,
    location,
    required: options.required?.value ?? false,
    private: options.private?.value ?? false,
    writable: options.writable?.value ?? true,
    displayName: displayName?.value,
    description: description?.value,
  };
}

function reportMissing(reader: Reader, attribute: Entry, option: string, hint: string): undefined {
  reportError(reader.report, {
    code: 'schema/missing-option',
    message: `the attribute ${named(attribute.key)} is missing the option \`${option}\``,
    location: attribute.location,
    hint,
  });
}

function readScalar(reader: Reader, fields: Fields, common: Common, type: ScalarType): ScalarDefinition {
  const range = numberRange(attributeType(type).isExact === true);
  const options = readOptions(reader, fields, {
    ...scalarOptions,
    ...indexOption,
    ...fieldOption,
    ...range,
  });
  const texts = withEnumLabels(common.texts, options.enumLabels);
  return {
    ...common,
    ...options,
    ...(texts && { texts }),
    kind: 'scalar',
    type,
    enum: options.enum ?? [],
    enumFrom: options.enumFrom ?? [],
  };
}

function readMedia(reader: Reader, fields: Fields, common: Common): MediaDefinition {
  const { multiple, allowedTypes } = readOptions(reader, fields, mediaOptions);
  return { ...common, kind: 'media', multiple: multiple?.value ?? false, allowedTypes };
}

function readComponentUse(
  reader: Reader,
  fields: Fields,
  common: Common,
  attribute: Entry,
): ComponentUseDefinition | undefined {
  const { component, repeatable, ...limits } = readOptions(reader, fields, componentUseOptions);
  if (component === undefined) {
    if (fields.has('component')) return undefined;
    return reportMissing(reader, attribute, 'component', 'for example component: shared.seo');
  }
  return { ...common, ...limits, kind: 'component', component, repeatable: repeatable?.value ?? false };
}

function readDynamicZone(
  reader: Reader,
  fields: Fields,
  common: Common,
  attribute: Entry,
): DynamicZoneDefinition | undefined {
  const { components, ...limits } = readOptions(reader, fields, dynamicZoneOptions);
  if (components === undefined) {
    if (fields.has('components')) return undefined;
    return reportMissing(reader, attribute, 'components', 'for example components: [blocks.quote, blocks.gallery]');
  }
  return { ...common, ...limits, kind: 'dynamiczone', components };
}

function readRelation(
  reader: Reader,
  fields: Fields,
  common: Common,
  attribute: Entry,
): RelationDefinition | undefined {
  const { relation, ...options } = readOptions(reader, fields, relationOptions);
  if (relation === undefined) {
    if (fields.has('relation')) return undefined;
    return reportMissing(reader, attribute, 'relation', `use one of ${relationKinds.join(', ')}`);
  }
  return { ...common, ...options, kind: 'relation', relation };
}

function readByType(
  reader: Reader,
  fields: Fields,
  attribute: Entry,
  type: AttributeType,
): AttributeDefinition | undefined {
  const common = readCommon(reader, fields, attribute);
  if (type === 'media') return readMedia(reader, fields, common);
  if (type === 'component') return readComponentUse(reader, fields, common, attribute);
  if (type === 'dynamiczone') return readDynamicZone(reader, fields, common, attribute);
  if (type === 'relation') return readRelation(reader, fields, common, attribute);
  return readScalar(reader, fields, common, type);
}

/** The options that the type has; others are reported. */
function checkOptions(reader: Reader, entries: readonly Entry[], type: Located<AttributeType>): Fields {
  const options = optionNames.get(type.value) ?? [];
  const fields = new Map<string, Entry>();
  for (const entry of entries) {
    if (options.includes(entry.key)) fields.set(entry.key, entry);
    else {
      const hintFor = ({ key, value }: Entry) => strapiHint('attribute', key, value) ?? optionHint(key, options);
      reportUnknownKey(reader, entry, `an attribute of the type \`${type.value}\``, options, hintFor);
    }
  }
  return fields;
}

/** Reads the attribute under a key of `attributes`. */
function readAttribute(reader: Reader, attribute: Entry): AttributeDefinition | undefined {
  const { key, value: node, location } = attribute;
  const what = `the attribute ${named(key)}`;
  const entries = readEntries(reader, { node, location, what }, attributeHint(key, node));
  if (entries === undefined) return undefined;
  const written = entries.find((entry) => entry.key === 'type');
  const glued = entries.filter((entry) => missingSpaceHint(entry.key) !== undefined);
  if (written === undefined && glued.length > 0) {
    for (const entry of glued) reportUnknownKey(reader, entry, what, []);
    return undefined;
  }
  if (written === undefined) return reportMissing(reader, attribute, 'type', 'for example type: string');
  const type = readChoice(
    reader,
    { node: written.value, location: written.location, what: 'the type of an attribute' },
    attributeTypes,
    typeHint,
  );
  if (type === undefined) return undefined;
  return readByType(reader, checkOptions(reader, entries, type), attribute, type.value);
}

/** Reads the map `attributes` of a content type or component, which is mandatory. */
export function readAttributes(reader: Reader, fields: Fields, owner: Entry): readonly AttributeDefinition[] {
  const entry = fields.get('attributes');
  if (entry === undefined) {
    reportError(reader.report, {
      code: 'schema/missing-option',
      message: `${named(owner.key)} is missing the option \`attributes\``,
      location: owner.location,
      hint: 'for example attributes: { title: { type: string } }',
    });
    reader.unread.add(owner.key);
    return [];
  }
  const what = `the attributes of ${named(owner.key)}`;
  const reading = { node: entry.value, location: entry.location, what };
  const entries = readEntries(reader, reading, attributesHint(entry.value));
  if (entries === undefined) reader.unread.add(owner.key);
  return (entries ?? []).flatMap((attribute) => {
    const { value, failed } = attempt(reader, (own) => readAttribute(own, attribute));
    if (failed) reader.unread.add(attribute.key);
    return failed || value === undefined ? [] : value;
  });
}
