/** Valid request bodies for examples. */
import { attributeType, isGenerated } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import type { Attribute, ContentModel, ContentType, JsonValue, ScalarAttribute } from '../model/content-model.ts';

/** The ids of entries in examples. */
const IDS = [1, 2] as const;
const DOCUMENT_IDS = ['hgv1vny5cebq2l3czil1rpb3', 'k7c2wm0q8dzt4xy6ea9hj1ub'] as const;
const [FILE_ID] = IDS;

/** How requests of the project's format identify entries. */
export interface SampleIds {
  /** The name of the id in filters, and in objects that refer to an entry. */
  readonly key: 'id' | 'documentId';
  readonly first: string | number;
  readonly second: string | number;
}

/** The ids in examples: document ids in the v5 format, otherwise numbers. */
export function sampleIds({ api }: Pick<ContentModel, 'api'>): SampleIds {
  const key = api.format === 'v5' ? 'documentId' : 'id';
  const [first, second] = key === 'id' ? IDS : DOCUMENT_IDS;
  return { key, first, second };
}

function sampleText(value: string, { minLength = 0, maxLength }: ScalarAttribute): string {
  const long = value === '' ? value : value.repeat(Math.max(1, Math.ceil(minLength / value.length)));
  return maxLength === undefined ? long : long.slice(0, Math.max(maxLength, minLength));
}

function sampleScalar(attribute: ScalarAttribute): JsonValue {
  if (attribute.default !== undefined) return attribute.default;
  const [first] = attribute.enum;
  if (first !== undefined) return first;
  if (attribute.min !== undefined) return attribute.min;
  if (attribute.max !== undefined) return attribute.max;
  const { sample } = attributeType(attribute.type);
  return typeof sample === 'string' ? sampleText(sample, attribute) : sample;
}

function sampleItem({ components }: ContentModel, uid: string): Record<string, JsonValue> {
  const component = components.find((candidate) => candidate.uid === uid);
  const wanted = component?.attributes.filter(({ required, kind }) => required && kind === 'scalar') ?? [];
  return Object.fromEntries(wanted.map((attribute) => [attribute.name, sampleScalar(attribute as ScalarAttribute)]));
}

/** A value of an attribute, as in a request body. */
export function sampleValue(model: ContentModel, attribute: Attribute): JsonValue {
  switch (attribute.kind) {
    case 'scalar':
      return sampleScalar(attribute);
    case 'media':
      // Files have numbers in both formats.
      return attribute.multiple ? [FILE_ID] : FILE_ID;
    case 'component': {
      const item = sampleItem(model, attribute.component);
      return attribute.repeatable ? [item] : item;
    }
    case 'dynamiczone':
      return attribute.components.slice(0, 1).map((uid) => ({ __component: uid, ...sampleItem(model, uid) }));
    case 'relation': {
      const { key, first } = sampleIds(model);
      if (isPolymorphic(attribute.relation)) {
        const link = { [key]: first, [key === 'id' ? 'type' : '__type']: attribute.targets[0] ?? '' };
        return attribute.many ? [link] : link;
      }
      return attribute.many ? { connect: [first] } : first;
    }
  }
}

/** The required attributes, and those in `further`. */
export function sampleBody(
  model: ContentModel,
  type: ContentType,
  further: readonly Attribute[] = [],
): Readonly<Record<string, JsonValue>> {
  const isNeeded = (attribute: Attribute): boolean =>
    attribute.required && attribute.writable && !(attribute.kind === 'scalar' && isGenerated(attribute.type));
  const shown = type.attributes.filter((attribute) => isNeeded(attribute) || further.includes(attribute));
  const some =
    shown.length === 0 ? type.attributes.filter(({ kind, writable }) => kind === 'scalar' && writable) : shown;
  return Object.fromEntries(
    (shown.length === 0 ? some.slice(0, 1) : some).map((attribute) => [attribute.name, sampleValue(model, attribute)]),
  );
}
