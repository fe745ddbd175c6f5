/** The schemas of what queries say about a type or component: which attributes there are to choose, filter, sort and populate. */
import { type JsonSchema, list, object, schemaRef, TEXT } from '#contract/routes/json-schema.ts';
import type { ScalarType } from '#contract/attribute-types/scalar-type.ts';
import type { Attribute, Component, ContentType } from '../../model/content-model.ts';
import { isVisible } from '../types/output-properties.ts';
import type { NamedSchema } from './entry-schemas.ts';
import { enumerationFilter, filterName } from './filter-schemas.ts';
import { nameOf, type NamesByUid, type SchemaWord } from './names.ts';

/** What a query may name of a type or component. */
interface Queried {
  readonly uid: string;
  readonly scalars: readonly { readonly name: string; readonly type: ScalarType; readonly enum: readonly string[] }[];
  readonly others: readonly Exclude<Attribute, { kind: 'scalar' }>[];
  readonly isEntry: boolean;
  readonly localized: boolean;
  readonly draftAndPublish: boolean;
}

type Properties = Readonly<Record<string, JsonSchema>>;

function closed(properties: Properties): JsonSchema {
  return { ...object(properties, []), additionalProperties: false };
}

const WHOLE: JsonSchema = { type: 'integer' };

/** Of what a query may name; undefined for none. */
function enumOf(names: readonly string[]): JsonSchema {
  return names.length > 0 ? { type: 'string', enum: names } : TEXT;
}

function system(name: string, type: ScalarType) {
  return { name, type, enum: [] };
}

function attributesOf(attributes: readonly Attribute[]): Pick<Queried, 'scalars' | 'others'> {
  const visible = attributes.filter(isVisible);
  return {
    scalars: visible.filter((attribute) => attribute.kind === 'scalar'),
    others: visible.filter((attribute) => attribute.kind !== 'scalar'),
  };
}

function queriedType({ uid, attributes, localized, draftAndPublish }: ContentType): Queried {
  const { scalars, others } = attributesOf(attributes);
  return {
    uid,
    scalars: [
      system('id', 'biginteger'),
      ...scalars,
      system('createdAt', 'datetime'),
      system('updatedAt', 'datetime'),
      ...(draftAndPublish ? [system('publishedAt', 'datetime')] : []),
      ...(localized ? [system('locale', 'string')] : []),
    ],
    others,
    isEntry: true,
    localized,
    draftAndPublish,
  };
}

function queriedComponent({ uid, attributes }: Component): Queried {
  const { scalars, others } = attributesOf(attributes);
  const all = [system('id', 'biginteger'), ...scalars];
  return { uid, scalars: all, others, isEntry: false, localized: false, draftAndPublish: false };
}

/** The one type or component behind an attribute by which it is filtered and sorted; undefined where there are several. */
function targetOf(attribute: Queried['others'][number]): string | undefined {
  switch (attribute.kind) {
    case 'relation':
      return attribute.targets.length === 1 && !attribute.relation.startsWith('morph')
        ? attribute.targets[0]
        : undefined;
    case 'media':
      return 'file';
    case 'component':
      return attribute.component;
    case 'dynamiczone':
      return undefined;
  }
}

/** The attributes behind which there is one type or component, each with that. */
function steps({ uid, others, localized }: Queried) {
  const own = others.flatMap((attribute) => {
    const target = targetOf(attribute);
    return target === undefined ? [] : [{ name: attribute.name, target }];
  });
  return localized ? [...own, { name: 'localizations', target: uid }] : own;
}

type Ref = (uid: string, word: SchemaWord) => JsonSchema;

function filters(queried: Queried, ref: Ref): JsonSchema {
  const self = ref(queried.uid, 'Filters');
  const filterOf = ({ type, enum: values }: Queried['scalars'][number]): JsonSchema =>
    values.length > 0 ? enumerationFilter(values) : schemaRef(filterName(type));
  const scalars = queried.scalars.map((scalar) => [scalar.name, filterOf(scalar)] as const);
  // Whether there is one is a condition on its id: `{ author: { id: { $null: true } } }`.
  const others = steps(queried).map(({ name, target }) => [name, ref(target, 'Filters')] as const);
  return closed({
    $and: list(self),
    $or: list(self),
    $not: self,
    ...Object.fromEntries(scalars),
    ...Object.fromEntries(others),
  });
}

function sortSchemas(queried: Queried, name: (word: SchemaWord) => string, ref: Ref): readonly NamedSchema[] {
  const keys = queried.scalars.flatMap((scalar) => [scalar.name, `${scalar.name}:asc`, `${scalar.name}:desc`]);
  const order = schemaRef('SortOrder');
  const scalars = queried.scalars.map((scalar) => [scalar.name, order] as const);
  const others = steps(queried)
    .filter((step) => step.name !== 'localizations')
    .map((step) => [step.name, ref(step.target, 'SortTree')] as const);
  const [key, tree] = [schemaRef(name('SortKey')), schemaRef(name('SortTree'))];
  return [
    [name('SortKey'), enumOf(keys)],
    [name('SortTree'), closed(Object.fromEntries([...scalars, ...others]))],
    [name('Sort'), { anyOf: [key, list(key), tree] }],
  ];
}

/** How much of a list is populated. */
const WINDOW: Properties = { start: WHOLE, limit: WHOLE, pagination: schemaRef('PaginationQuery') };

/** What is asked of each of the targets by itself. */
function fragments(targets: readonly string[], ref: Ref): JsonSchema {
  const on = Object.fromEntries(targets.map((uid) => [uid, ref(uid, 'PopulateFragment')]));
  return options({ on: closed(on), ...WINDOW });
}

function optionsOf(attribute: Queried['others'][number], ref: Ref): JsonSchema {
  if (attribute.kind === 'dynamiczone') return fragments(attribute.components, ref);
  const target = targetOf(attribute);
  if (target === undefined) {
    return fragments(attribute.kind === 'relation' ? attribute.targets : [], ref);
  }
  return ref(target, 'PopulateOptions');
}

/** What is populated: as it is by default, or with options. */
function options(properties: Properties): JsonSchema {
  return { anyOf: [{ type: 'boolean' }, closed(properties)] };
}

function populateSchemas(queried: Queried, name: (word: SchemaWord) => string, ref: Ref): readonly NamedSchema[] {
  const { uid, others, isEntry, localized, draftAndPublish } = queried;
  const tree = [
    ...others.map((attribute) => [attribute.name, optionsOf(attribute, ref)] as const),
    ...(localized ? [['localizations', ref(uid, 'PopulateOptions')] as const] : []),
  ];
  const fragment = { fields: list(ref(uid, 'Field')), populate: ref(uid, 'PopulateTree') };
  const all = {
    ...fragment,
    filters: ref(uid, 'Filters'),
    sort: list(ref(uid, 'SortKey')),
    ...WINDOW,
    ...(isEntry && { count: { type: 'boolean', description: 'Of a list: how many there are, in place of them.' } }),
    ...(draftAndPublish && { publicationState: schemaRef('PublicationState') }),
  };
  const key = enumOf(['*', ...tree.map(([attribute]) => attribute)]);
  return [
    [name('PopulateTree'), closed(Object.fromEntries(tree))],
    [name('Populate'), { anyOf: [key, list(key), ref(uid, 'PopulateTree')] }],
    [name('PopulateFragment'), options(fragment)],
    [name('PopulateOptions'), options(all)],
  ];
}

function querySchemas(queried: Queried, names: NamesByUid): readonly NamedSchema[] {
  const name = (word: SchemaWord): string => nameOf(names, queried.uid, word);
  const ref: Ref = (uid, word) => schemaRef(nameOf(names, uid, word));
  return [
    [name('Field'), enumOf(queried.scalars.map((scalar) => scalar.name))],
    [name('Filters'), filters(queried, ref)],
    ...sortSchemas(queried, name, ref),
    ...populateSchemas(queried, name, ref),
  ];
}

/** The schemas of queries about a type. */
export function typeQuerySchemas(type: ContentType, names: NamesByUid): readonly NamedSchema[] {
  return querySchemas(queriedType(type), names);
}

/** Those about a component. */
export function componentQuerySchemas(component: Component, names: NamesByUid): readonly NamedSchema[] {
  return querySchemas(queriedComponent(component), names);
}
