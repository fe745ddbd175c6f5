/**
 * Bodies that set everything in a schema, the query that populates it, and the conversion of responses back to bodies.
 */
import { parse } from 'yaml';

/** An attribute as written in the schema. */
export interface AttributeDefinition {
  readonly type: string;
  readonly private?: boolean;
  readonly relation?: string;
  readonly target?: string;
  readonly targets?: readonly string[];
  readonly component?: string;
  readonly components?: readonly string[];
  readonly repeatable?: boolean;
  readonly multiple?: boolean;
  readonly enum?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly allowedTypes?: readonly string[];
}

export type Attributes = Readonly<Record<string, AttributeDefinition>>;

export interface SchemaText {
  readonly contentTypes: Readonly<
    Record<
      string,
      { kind?: string; pluralName?: string; localized?: boolean; draftAndPublish?: boolean; attributes: Attributes }
    >
  >;
  readonly components?: Readonly<Record<string, { attributes: Attributes }>>;
}

/** The definitions of a valid schema. */
export function definitionsOf(schema: string): SchemaText {
  return parse(schema) as SchemaText;
}

/** Possible targets: ids by content type, and ids of images. */
export interface Targets {
  readonly entries: ReadonlyMap<string, readonly number[]>;
  readonly images: readonly number[];
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  text: 'Zeile 1\nline 2 — "quoted" \\ %_',
  richtext: '# Title\n\n*text* \u{1F600}',
  email: 'somebody@example.org',
  integer: 3,
  biginteger: '9007199254740993',
  float: 0.5,
  decimal: 2.25,
  date: '2024-02-29',
  time: '08:30:00.000',
  datetime: '2024-02-29T08:30:00.000Z',
  timestamp: '2024-02-29T08:30:00.000Z',
  boolean: true,
  json: { list: [1, 2.5, null, true, { deep: 'x' }], text: "it's" },
  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'Once upon a time' }] }],
};

let samples = 0;

function scalarSample({ type, enum: values, min, max, minLength = 0, maxLength }: AttributeDefinition): unknown {
  samples += 1;
  if (type === 'enumeration') return values?.[0];
  if (type === 'string') return `Text ${samples}`.padEnd(minLength, '.').slice(0, maxLength);
  if (type === 'uid') return `uid-${samples}`;
  if (type === 'integer') return Math.min(Math.max(3, min ?? 3), max ?? 3);
  return SAMPLES[type];
}

function typeTag(uid: string): string {
  return `api::${uid}.${uid}`;
}

const TO_MANY: ReadonlySet<string> = new Set(['oneToMany', 'manyToMany', 'manyWay', 'morphToMany']);

function relationSample({ relation = '', target, targets = [] }: AttributeDefinition, { entries }: Targets): unknown {
  const refs =
    target === undefined
      ? targets.flatMap((uid) => (entries.get(uid) ?? []).map((id) => ({ id, type: typeTag(uid) })))
      : [...(entries.get(target) ?? [])];
  refs.reverse();
  return TO_MANY.has(relation) ? refs : (refs[0] ?? null);
}

/** Whether an attribute is in responses, and set by these bodies. */
function isShown({ type, private: hidden, target, allowedTypes }: AttributeDefinition): boolean {
  const takesImages = allowedTypes === undefined || allowedTypes.includes('images');
  return !hidden && type !== 'password' && target !== 'user' && (type !== 'media' || takesImages);
}

/** Number of items for a repeatable component: two, if that many are allowed. */
function itemCount({ min = 0, max = 2 }: AttributeDefinition): number {
  return Math.max(Math.min(2, max), min);
}

function sampleOf(schema: SchemaText, attribute: AttributeDefinition, targets: Targets): unknown {
  const item = (uid: string) => bodyOf(schema, schema.components?.[uid]?.attributes ?? {}, targets);
  switch (attribute.type) {
    case 'relation':
      return relationSample(attribute, targets);
    case 'media':
      return attribute.multiple ? [...targets.images] : (targets.images[0] ?? null);
    case 'component': {
      const uid = attribute.component ?? '';
      if (!attribute.repeatable) return item(uid);
      return Array.from({ length: itemCount(attribute) }, () => item(uid));
    }
    case 'dynamiczone':
      return (attribute.components ?? []).map((uid) => ({ __component: uid, ...item(uid) }));
    default:
      return scalarSample(attribute);
  }
}

/** A body that sets every attribute, with each component of each zone, recursively. */
export function bodyOf(schema: SchemaText, attributes: Attributes, targets: Targets): Record<string, unknown> {
  const shown = Object.entries(attributes).filter(([, attribute]) => isShown(attribute));
  return Object.fromEntries(shown.map(([name, attribute]) => [name, sampleOf(schema, attribute, targets)]));
}

function wishOf(schema: SchemaText, { type, component, components = [] }: AttributeDefinition): unknown {
  const within = (uid: string) => {
    const populate = everythingOf(schema, schema.components?.[uid]?.attributes ?? {});
    return Object.keys(populate).length === 0 ? true : { populate };
  };
  if (type === 'component') return within(component ?? '');
  if (type === 'dynamiczone') return { on: Object.fromEntries(components.map((uid) => [uid, within(uid)])) };
  // Only the ids are compared.
  return type === 'relation' || type === 'media' ? true : undefined;
}

/** The `populate` for everything in these attributes and their components. */
export function everythingOf(schema: SchemaText, attributes: Attributes): Record<string, unknown> {
  const shown = Object.entries(attributes).filter(([, attribute]) => isShown(attribute));
  const wishes = shown.map(([name, attribute]) => [name, wishOf(schema, attribute)] as const);
  return Object.fromEntries(wishes.filter(([, wish]) => wish !== undefined));
}

function refOf(entry: { id: number; attributes: { __type?: string } }): unknown {
  const { __type: type } = entry.attributes;
  return type === undefined ? entry.id : { id: entry.id, type };
}

function valueAsBody(schema: SchemaText, attribute: AttributeDefinition, value: any): unknown {
  switch (attribute.type) {
    case 'relation':
    case 'media': {
      if (Array.isArray(value.data)) return value.data.map(refOf);
      return value.data && refOf(value.data);
    }
    case 'component': {
      const item = (one: unknown) => itemAsBody(schema, attribute.component ?? '', one);
      return Array.isArray(value) ? value.map(item) : value && item(value);
    }
    case 'dynamiczone':
      return value.map((one: any) => ({ __component: one.__component, ...itemAsBody(schema, one.__component, one) }));
    default:
      return value;
  }
}

function itemAsBody(schema: SchemaText, uid: string, item: unknown): Record<string, unknown> {
  return asBody(schema, schema.components?.[uid]?.attributes ?? {}, item);
}

/** The body that would produce a response: ids instead of entries, and no item ids. Throws if anything is missing. */
export function asBody(schema: SchemaText, attributes: Attributes, answered: any): Record<string, unknown> {
  const shown = Object.entries(attributes).filter(([, attribute]) => isShown(attribute));
  return Object.fromEntries(
    shown.map(([name, attribute]) => {
      if (!Object.hasOwn(answered, name)) throw new Error(`the response has no ${name}: ${JSON.stringify(answered)}`);
      return [name, valueAsBody(schema, attribute, answered[name])];
    }),
  );
}

/** The ids of all component items in a response, in order. */
export function itemIds(schema: SchemaText, attributes: Attributes, answered: any): number[] {
  return Object.entries(attributes).flatMap(([name, { type, component = '' }]) => {
    const isStructured = type === 'component' || type === 'dynamiczone';
    const value = isStructured ? answered[name] : null;
    const items: any[] = value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
    return items.flatMap((item) => {
      const within = schema.components?.[type === 'component' ? component : item.__component]?.attributes ?? {};
      return [item.id as number, ...itemIds(schema, within, item)];
    });
  });
}
