/** Schemas of query parameters for a type or component: the attributes to select, filter, sort and populate. */
import { type JsonSchema, list, object, schemaRef, TEXT } from '#contract/routes/json-schema.ts';
import type { ScalarType } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import type { Attribute, Component, ContentType } from '../../model/content-model.ts';
import { isVisible } from '../types/output-properties.ts';
import type { NamedSchema } from './entry-schemas.ts';
import { enumerationFilter, filterName } from './filter-schemas.ts';
import { isMany } from './is-many.ts';
import { isShort, nameOf, type SchemaWord, type Scope } from './names.ts';
import type { Shape } from './shapes.ts';

/** The parts of a type or component that a query can refer to. */
interface Queried {
  readonly uid: string;
  readonly scalars: readonly { readonly name: string; readonly type: ScalarType; readonly enum: readonly string[] }[];
  readonly others: readonly Exclude<Attribute, { kind: 'scalar' }>[];
  readonly isEntry: boolean;
  readonly localized: boolean;
  /** Whether population can be restricted by publication state. */
  readonly hasPublicationState: boolean;
}

type Properties = Readonly<Record<string, JsonSchema>>;

function closed(properties: Properties): JsonSchema {
  return { ...object(properties, []), additionalProperties: false };
}

const WHOLE: JsonSchema = { type: 'integer' };

/** A string that is one of `names`; any string if there are none. */
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

function queriedType(
  { uid, attributes, localized, draftAndPublish, documentIds }: ContentType,
  { format }: Shape,
): Queried {
  const isV5 = format === 'v5';
  const { scalars, others } = attributesOf(attributes);
  return {
    uid,
    scalars: [
      system('id', 'biginteger'),
      ...(isV5 && documentIds ? [system('documentId', 'string')] : []),
      ...scalars,
      system('createdAt', 'datetime'),
      system('updatedAt', 'datetime'),
      ...(draftAndPublish || (isV5 && documentIds) ? [system('publishedAt', 'datetime')] : []),
      ...(localized ? [system('locale', 'string')] : []),
    ],
    others,
    isEntry: true,
    localized,
    hasPublicationState: draftAndPublish && !isV5,
  };
}

function queriedComponent({ uid, attributes }: Component): Queried {
  const { scalars, others } = attributesOf(attributes);
  const all = [system('id', 'biginteger'), ...scalars];
  return { uid, scalars: all, others, isEntry: false, localized: false, hasPublicationState: false };
}

/**
 * The target type or component of an attribute, by which entries can be filtered and sorted; undefined if it has
 * several.
 */
function targetOf(attribute: Queried['others'][number]): string | undefined {
  switch (attribute.kind) {
    case 'relation':
      return attribute.targets.length === 1 && !isPolymorphic(attribute.relation) ? attribute.targets[0] : undefined;
    case 'media':
      return 'file';
    case 'component':
      return attribute.component;
    case 'dynamiczone':
      return undefined;
  }
}

/** The attributes with a single target, each with that target. */
function steps({ uid, others, localized }: Queried) {
  const own = others.flatMap((attribute) => {
    const target = targetOf(attribute);
    return target === undefined ? [] : [{ name: attribute.name, target, many: isMany(attribute) }];
  });
  return localized ? [...own, { name: 'localizations', target: uid, many: true }] : own;
}

/** References to the schemas of the type or component itself, and of others. */
interface Refs {
  to(uid: string, word: SchemaWord): JsonSchema;
  /** Conditions on one entry or item or, if `many`, on the rows of a list. */
  filters(uid: string, many: boolean): JsonSchema;
  sort(uid: string): JsonSchema;
  populate(uid: string): JsonSchema;
  populateOptions(uid: string): JsonSchema;
}

/** Refers to other types by their short schemas, if they have any. */
function refsIn(scope: Scope): Refs {
  const to: Refs['to'] = (uid, word) => schemaRef(nameOf(scope, uid, word));
  return {
    to,
    filters(uid, many) {
      const one = to(uid, isShort(scope, uid) ? 'NestedFilters' : 'Filters');
      return many ? { anyOf: [one, closed({ $some: one, $none: one, $every: one })] } : one;
    },
    sort: (uid) => (isShort(scope, uid) ? schemaRef('NestedSort') : to(uid, 'SortTree')),
    populate: (uid) => (isShort(scope, uid) ? schemaRef('NestedPopulate') : to(uid, 'PopulateTree')),
    populateOptions: (uid) => (isShort(scope, uid) ? schemaRef('NestedPopulateOptions') : to(uid, 'PopulateOptions')),
  };
}

function scalarFilters({ scalars }: Queried): Properties {
  const filterOf = ({ type, enum: values }: Queried['scalars'][number]): JsonSchema =>
    values.length > 0 ? enumerationFilter(values) : schemaRef(filterName(type));
  return Object.fromEntries(scalars.map((scalar) => [scalar.name, filterOf(scalar)] as const));
}

function filters(queried: Queried, refs: Refs): JsonSchema {
  const self = refs.to(queried.uid, 'Filters');
  // Presence is tested with a condition on the id: `{ author: { id: { $null: true } } }`.
  const others = steps(queried).map(({ name, target, many }) => [name, refs.filters(target, many)] as const);
  return closed({
    $and: list(self),
    $or: list(self),
    $not: self,
    ...scalarFilters(queried),
    ...Object.fromEntries(others),
  });
}

function sortSchemas(queried: Queried, name: (word: SchemaWord) => string, refs: Refs): readonly NamedSchema[] {
  const keys = queried.scalars.flatMap((scalar) => [scalar.name, `${scalar.name}:asc`, `${scalar.name}:desc`]);
  const order = schemaRef('SortOrder');
  const scalars = queried.scalars.map((scalar) => [scalar.name, order] as const);
  const others = steps(queried)
    .filter((step) => step.name !== 'localizations')
    .map((step) => [step.name, refs.sort(step.target)] as const);
  const key = schemaRef(name('SortKey'));
  return [
    [name('SortKey'), enumOf(keys)],
    [name('SortTree'), closed(Object.fromEntries([...scalars, ...others]))],
    [name('Sort'), { anyOf: [key, list(key), refs.sort(queried.uid)] }],
  ];
}

/** Options that limit a populated list. */
const WINDOW: Properties = { start: WHOLE, limit: WHOLE, pagination: schemaRef('PaginationQuery') };

/** Population options for each target separately. */
function fragments(targets: readonly string[], refs: Refs): JsonSchema {
  const on = Object.fromEntries(targets.map((uid) => [uid, refs.to(uid, 'PopulateFragment')]));
  return options({ on: closed(on), ...WINDOW });
}

function optionsOf(attribute: Queried['others'][number], refs: Refs): JsonSchema {
  if (attribute.kind === 'dynamiczone') return fragments(attribute.components, refs);
  const target = targetOf(attribute);
  if (target === undefined) {
    return fragments(attribute.kind === 'relation' ? attribute.targets : [], refs);
  }
  return refs.populateOptions(target);
}

/** A population: `true` for the defaults, or options. */
function options(properties: Properties): JsonSchema {
  return { anyOf: [{ type: 'boolean' }, closed(properties)] };
}

function populateSchemas(queried: Queried, name: (word: SchemaWord) => string, refs: Refs): readonly NamedSchema[] {
  const { uid, others, isEntry, localized, hasPublicationState } = queried;
  const tree = [
    ...others.map((attribute) => [attribute.name, optionsOf(attribute, refs)] as const),
    ...(localized ? [['localizations', refs.populateOptions(uid)] as const] : []),
  ];
  const fragment = { fields: list(refs.to(uid, 'Field')), populate: refs.populate(uid) };
  const all = {
    ...fragment,
    filters: refs.to(uid, 'Filters'),
    sort: list(refs.to(uid, 'SortKey')),
    ...WINDOW,
    ...(isEntry && {
      count: { type: 'boolean', description: 'For a list: returns the number of entries instead of the entries.' },
    }),
    ...(hasPublicationState && { publicationState: schemaRef('PublicationState') }),
  };
  const key = enumOf(['*', ...tree.map(([attribute]) => attribute)]);
  return [
    [name('PopulateTree'), closed(Object.fromEntries(tree))],
    [name('Populate'), { anyOf: [key, list(key), refs.to(uid, 'PopulateTree')] }],
    [name('PopulateFragment'), options(fragment)],
    [name('PopulateOptions'), options(all)],
  ];
}

function querySchemas(queried: Queried, scope: Scope): readonly NamedSchema[] {
  const name = (word: SchemaWord): string => nameOf(scope, queried.uid, word);
  const refs = refsIn(scope);
  return [
    [name('Field'), enumOf(queried.scalars.map((scalar) => scalar.name))],
    [name('Filters'), filters(queried, refs)],
    [name('NestedFilters'), { ...object(scalarFilters(queried), []), additionalProperties: true }],
    ...sortSchemas(queried, name, refs),
    ...populateSchemas(queried, name, refs),
  ];
}

/** The query schemas of a type. */
export function typeQuerySchemas(type: ContentType, scope: Scope): readonly NamedSchema[] {
  return querySchemas(queriedType(type, scope.shape), scope);
}

/** The query schemas of a component. */
export function componentQuerySchemas(component: Component, scope: Scope): readonly NamedSchema[] {
  return querySchemas(queriedComponent(component), scope);
}
