/** Examples of requests and responses, built from sample values that satisfy the rules of each attribute. */
import type { Canonical } from '#contract/attribute-types/attribute-type.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { valueRules } from '#contract/attribute-types/value-rules.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { JsonValue } from '#contract/values/json.ts';
import type { Attribute, ContentType, ScalarAttribute } from '../../model/content-model.ts';
import { isVisible } from '../types/output-properties.ts';
import { presenceOf } from '../types/presence.ts';
import { nameOf, type Scope } from './names.ts';

/** Candidate sample values, best first. */
function candidates({
  type,
  enum: values,
  default: initial,
  minLength = 0,
  maxLength,
  min,
  max,
}: ScalarAttribute): Canonical[] {
  const { sample } = attributeType(type);
  const text = typeof sample === 'string' ? [sample.padEnd(minLength, ' and more').slice(0, maxLength)] : [];
  return [values[0], initial, sample, ...text, min, max].filter((value) => value !== undefined);
}

/** A valid value of an attribute; undefined if none is known. */
function sampleOf(attribute: ScalarAttribute): JsonValue | undefined {
  const type = attributeType(attribute.type);
  const rules = valueRules(type, { ...attribute, enum: attribute.enum.length > 0 ? attribute.enum : undefined });
  const found = candidates(attribute).find(
    (value) => type.cast(value).ok && rules.every((rule) => rule(value, false) === undefined),
  );
  return type.jsonSchema.output['type'] === 'number' && found !== undefined ? Number(found) : found;
}

type Values = Readonly<Record<string, JsonValue>>;

type Samples = ReadonlyMap<Attribute, JsonValue>;

/** The sample values of all attributes that have one. */
function samplesOf({ attributes }: ContentType): Samples {
  return new Map(
    attributes.flatMap((attribute) => {
      const sample = attribute.kind === 'scalar' ? sampleOf(attribute) : undefined;
      return sample === undefined ? [] : [[attribute, sample] as const];
    }),
  );
}

/** Attribute name → sample value, for some of the attributes. */
function valuesOf(samples: Samples, isChosen: (attribute: Attribute) => boolean): Values {
  const chosen = [...samples].filter(([attribute]) => isChosen(attribute));
  return Object.fromEntries(chosen.map(([{ name }, sample]) => [name, sample]));
}

/** A valid request; undefined if it requires an attribute without a known sample value. */
function input({ attributes, draftAndPublish }: ContentType, samples: Samples): Values | undefined {
  const values = valuesOf(samples, ({ writable }) => writable);
  const isComplete = attributes.every(
    (attribute) =>
      draftAndPublish || !attribute.writable || !presenceOf(attribute).mustBeSent || attribute.name in values,
  );
  return isComplete ? values : undefined;
}

const INSTANT = '2030-01-31T12:30:00.000Z';

/** The attributes of an entry in a response. */
function sampleValues({ draftAndPublish, localized }: ContentType, samples: Samples, locale: string): JsonSchema {
  return {
    ...valuesOf(samples, isVisible),
    createdAt: INSTANT,
    updatedAt: INSTANT,
    ...(draftAndPublish && { publishedAt: INSTANT }),
    ...(localized && { locale }),
  };
}

/** Examples for the request and response bodies of a type, by schema name. */
export function bodyExamples(type: ContentType, scope: Scope, locale: string): Readonly<Record<string, JsonSchema>> {
  const name = nameOf(scope, type.uid);
  const samples = samplesOf(type);
  const data = scope.shape.sample(type, sampleValues(type, samples, locale));
  const values = input(type, samples);
  const pagination = { page: 1, pageSize: 25, pageCount: 1, total: 1 };
  return {
    [`${name}Response`]: { data, meta: {} },
    [`${name}ListResponse`]: { data: [data], meta: { pagination } },
    ...(values && { [`${name}CreateRequest`]: { data: values }, [`${name}UpdateRequest`]: { data: values } }),
  };
}
