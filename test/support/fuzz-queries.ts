/** Grammar-based fuzzing of query strings: valid ones for a type, plausible ones, and corrupt ones. */
import fc from 'fast-check';
import qs from 'qs';
import { anyText, damaged, namesOf, ordinaryText } from './fuzz-values.ts';
import type { AttributeDefinition, Attributes, SchemaText } from './whole-entries.ts';

/** A part of a query, as in a query string. */
export type Node = string | Node[] | { [name: string]: Node };

const LOGIC = ['$and', '$or', '$not'];
const TEXT_OPERATORS = [
  '$eqi',
  '$nei',
  '$contains',
  '$notContains',
  '$containsi',
  '$notContainsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
];
const OPERATORS = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$null', '$notNull', '$not', ...TEXT_OPERATORS];
const LIST_OPERATORS = ['$in', '$notIn', '$between'];
const ALL_OPERATORS = [...OPERATORS, ...LIST_OPERATORS, '$regex', '$where', '$jsonSupersetOf', '$'];

const DIRECTIONS = ['asc', 'desc', 'ASC', 'Desc', 'up', ''];

function objectOf(pairs: readonly (readonly [string, Node])[]): Node {
  return Object.fromEntries(pairs);
}

function record(name: fc.Arbitrary<string>, inner: fc.Arbitrary<Node>, maxLength = 3): fc.Arbitrary<Node> {
  return fc.array(fc.tuple(name, inner), { minLength: 1, maxLength }).map(objectOf);
}

function list(inner: fc.Arbitrary<Node>, maxLength = 3): fc.Arbitrary<Node> {
  return fc.array(inner, { maxLength });
}

/** Some of the parameters, at most `most`. */
function someOf(parameters: Readonly<Record<string, fc.Arbitrary<Node>>>, most: number): fc.Arbitrary<Node> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(parameters)), { maxLength: most })
    .chain((names) =>
      fc.tuple(...names.map((name) => (parameters[name] ?? anyText).map((node) => [name, node] as const))),
    )
    .map(objectOf);
}

const count = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '1', '2', '25', '1000', '-1', '') },
  { weight: 1, arbitrary: fc.constantFrom('1.5', 'x', '9e9', '9007199254740993') },
);

function paginationOf(count: fc.Arbitrary<string>, flag: fc.Arbitrary<string>): fc.Arbitrary<Node> {
  return fc.oneof(
    someOf({ page: count, pageSize: count, withCount: flag }, 3),
    someOf({ start: count, limit: count, withCount: flag }, 3),
  );
}

const pagination = paginationOf(count, ordinaryText);

/** Well-formed queries with names from any type. */
function looseQueries(schema: SchemaText): fc.Arbitrary<Node> {
  const names = namesOf(schema);
  const kinds = Object.keys(schema.components ?? {});
  const kind = fc.constantFrom(...kinds, 'article', 'api::topic.topic', 'author', 'no.such');
  const path = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const paths = fc.oneof(
    path,
    fc.array(path, { maxLength: 3 }).map((parts) => parts.join(',')),
    fc.constant('*'),
  );
  const direction = fc.constantFrom(...DIRECTIONS);
  const sortText = fc.oneof(
    path,
    fc.tuple(path, direction).map((parts) => parts.join(':')),
  );
  const depth = { maxDepth: 5, depthIdentifier: fc.createDepthIdentifier() };
  const trees = fc.letrec<Record<'filter' | 'condition' | 'sort' | 'populate' | 'options', Node>>((tie) => ({
    condition: fc.oneof(
      depth,
      anyText,
      list(anyText),
      record(fc.constantFrom(...ALL_OPERATORS), fc.oneof(depth, anyText, list(anyText), tie('condition'))),
      tie('filter'),
    ),
    filter: fc.oneof(
      depth,
      record(names, anyText),
      record(names, tie('condition')),
      record(fc.constantFrom(...LOGIC), fc.oneof(depth, list(tie('filter')), tie('filter'))),
    ),
    sort: fc.oneof(depth, sortText, list(sortText), record(names, fc.oneof(depth, direction, tie('sort')), 2)),
    options: someOf(
      {
        fields: fc.oneof(names, list(names), anyText),
        filters: tie('filter'),
        sort: tie('sort'),
        populate: tie('populate'),
        start: count,
        limit: count,
        pagination,
        publicationState: anyText,
        on: record(kind, fc.oneof(depth, fc.constant('true'), tie('options'))),
        nope: anyText,
      },
      3,
    ),
    populate: fc.oneof(
      depth,
      paths,
      list(paths),
      record(names, fc.oneof(depth, fc.constantFrom('true', '*'), anyText, tie('options'))),
    ),
  }));
  return someOf(
    {
      filters: trees.filter,
      sort: trees.sort,
      fields: fc.oneof(names, list(names), fc.constant('*')),
      populate: trees.populate,
      pagination,
      locale: anyText,
      publicationState: anyText,
      _q: anyText,
      where: anyText,
      nope: anyText,
    },
    4,
  );
}

/** Values of each type, and sometimes of another. */
function valueFor({ type, enum: values }: AttributeDefinition): fc.Arbitrary<string> {
  const own: Readonly<Record<string, readonly string[]>> = {
    integer: ['0', '1', '3', '-1'],
    biginteger: ['9007199254740993', '0', '-1'],
    decimal: ['2.25', '0', '-0.5'],
    date: ['2024-02-29', '1970-01-01'],
    datetime: ['2024-02-29T08:30:00.000Z', '2024-02-29'],
    boolean: ['true', 'false', '1'],
    enumeration: values ?? [],
  };
  const known = own[type] ?? ['Text 1', 't', 'T', '%', 'é', 'uid', 'e', ''];
  return fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: anyText });
}

/** The building blocks of queries. */
export interface Grammar {
  readonly schema: SchemaText;
  /** The attributes of every type, besides those in the schema. */
  readonly system: Attributes;
  /** A value in a condition on the attribute. */
  valueFor(attribute: AttributeDefinition): fc.Arbitrary<string>;
  /** An operator for the attribute, with its operand. */
  operationFor(attribute: AttributeDefinition): fc.Arbitrary<readonly [string, Node]>;
  /** Parameters of pages. */
  readonly count: fc.Arbitrary<string>;
  readonly flag: fc.Arbitrary<string>;
  /** Strings to search for. */
  readonly words: fc.Arbitrary<string>;
}

const TEXTS: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'uid', 'email', 'enumeration']);

/** Queries that a server may refuse. */
function strangeGrammar(schema: SchemaText): Grammar {
  return {
    schema,
    system: { id: { type: 'integer' }, createdAt: { type: 'datetime' }, updatedAt: { type: 'datetime' } },
    valueFor,
    operationFor(attribute) {
      const operators = TEXTS.has(attribute.type) ? OPERATORS : OPERATORS.slice(0, 8);
      return fc.tuple(fc.constantFrom(...operators), valueFor(attribute));
    },
    count,
    flag: ordinaryText,
    words: ordinaryText,
  };
}

const STRUCTURED: ReadonlySet<string> = new Set(['relation', 'media', 'component', 'dynamiczone']);

/** The attributes of the target of an attribute; none for files and zones. */
function behind(schema: SchemaText, { target, component }: AttributeDefinition): Attributes {
  if (component !== undefined) return schema.components?.[component]?.attributes ?? {};
  return target === undefined ? {} : (schema.contentTypes[target]?.attributes ?? {});
}

function attributeOf(
  { system }: Grammar,
  attributes: Attributes,
  isWanted: (type: string) => boolean,
): fc.Arbitrary<readonly [string, AttributeDefinition]> {
  const all = Object.entries({ ...attributes, ...system }).filter(([, one]) => isWanted(one.type) && !one.private);
  return fc.constantFrom(...(all.length === 0 ? Object.entries(system) : all));
}

function conditionFor(grammar: Grammar, attribute: AttributeDefinition): fc.Arbitrary<Node> {
  const value = grammar.valueFor(attribute);
  const operations = fc.array(grammar.operationFor(attribute), { minLength: 1, maxLength: 2 });
  return fc.oneof(
    value,
    list(value),
    operations.map(objectOf),
    record(fc.constantFrom('$in', '$notIn'), list(value, 4), 1),
    fc.tuple(value, value).map((pair): Node => ({ $between: pair })),
  );
}

/** Whether there is a related entry or an item. */
const presence = fc.constantFrom<Node>({ $null: 'true' }, { $null: 'false' }, { $notNull: 'true' });

/** Whether the attribute is a list, to which `$some`, `$none` and `$every` apply. */
function isList({ relation = '', repeatable = false, multiple = false }: AttributeDefinition): boolean {
  return repeatable || multiple || relation.endsWith('Many') || relation === 'manyWay';
}

/** Filters on the rows of a list, each for some, none or all of them. */
function quantified(filter: fc.Arbitrary<Node>): fc.Arbitrary<Node> {
  return record(fc.constantFrom('$some', '$none', '$every'), filter, 2);
}

function merged(nodes: readonly Node[]): Node {
  return Object.assign({}, ...nodes) as Node;
}

function filterFor(grammar: Grammar, attributes: Attributes, depth: number): fc.Arbitrary<Node> {
  const isDeep = depth > 0;
  const isWanted = (type: string) => !['dynamiczone', 'json'].includes(type) && (isDeep || !STRUCTURED.has(type));
  const one = attributeOf(grammar, attributes, isWanted).chain(([name, attribute]) => {
    if (!STRUCTURED.has(attribute.type)) {
      return conditionFor(grammar, attribute).map((node): Node => ({ [name]: node }));
    }
    const reached = filterFor(grammar, behind(grammar.schema, attribute), depth - 1);
    const inner = fc.oneof(
      { weight: 7, arbitrary: reached },
      { weight: 1, arbitrary: presence },
      ...(isList(attribute)
        ? [
            { weight: 3, arbitrary: quantified(reached) },
            { weight: 1, arbitrary: fc.tuple(reached, quantified(reached)).map(merged) },
          ]
        : []),
    );
    return inner.map((node): Node => ({ [name]: node }));
  });
  const all = fc.array(one, { minLength: 1, maxLength: 2 }).map(merged);
  if (!isDeep) return all;
  const logic = fc.tuple(fc.constantFrom(...LOGIC), fc.integer({ min: 1, max: 3 })).chain(([name, length]) => {
    const parts = Array.from({ length }, () => filterFor(grammar, attributes, depth - 1));
    return fc.tuple(...parts).map((nodes): Node => ({ [name]: nodes }));
  });
  return fc.oneof({ weight: 3, arbitrary: all }, { weight: 1, arbitrary: logic });
}

function sortFor(grammar: Grammar, attributes: Attributes, depth: number): fc.Arbitrary<string> {
  const never = ['dynamiczone', 'media', 'json'];
  const isWanted = (type: string) => !never.includes(type) && (depth > 0 || !STRUCTURED.has(type));
  return attributeOf(grammar, attributes, isWanted).chain(([name, attribute]) =>
    STRUCTURED.has(attribute.type)
      ? sortFor(grammar, behind(grammar.schema, attribute), depth - 1).map((rest) => `${name}.${rest}`)
      : fc.constantFrom(name, `${name}:asc`, `${name}:desc`),
  );
}

function fieldsFor(grammar: Grammar, attributes: Attributes): fc.Arbitrary<Node> {
  return list(attributeOf(grammar, attributes, (type) => !STRUCTURED.has(type)).map(([name]) => name));
}

const plainWish = fc.constantFrom<Node>('true', '*', '1');

/** Options for a populated zone. */
function zoneOptions(grammar: Grammar, kinds: readonly string[], depth: number): fc.Arbitrary<Node> {
  const fragment = fc.constantFrom(...kinds).chain((uid) => {
    const within = grammar.schema.components?.[uid]?.attributes ?? {};
    const options = someOf(
      { populate: populateFor(grammar, within, depth - 1), fields: fieldsFor(grammar, within) },
      2,
    );
    return fc.oneof(plainWish, options).map((node): Node => ({ [uid]: node }));
  });
  const on = fc.array(fragment, { maxLength: 3 }).map((nodes): Node => ({ on: merged(nodes) }));
  return fc.oneof(
    plainWish,
    on,
    fc.constant<Node>({ populate: '*' }),
    someOf({ start: grammar.count, limit: grammar.count }, 2),
  );
}

/** Options for one populated attribute. */
function optionsFor(grammar: Grammar, attribute: AttributeDefinition, depth: number): fc.Arbitrary<Node> {
  if (depth <= 0 || attribute.type === 'media' || attribute.targets !== undefined) return plainWish;
  if (attribute.type === 'dynamiczone') return zoneOptions(grammar, attribute.components ?? [], depth);
  const attributes = behind(grammar.schema, attribute);
  const options = someOf(
    {
      fields: fieldsFor(grammar, attributes),
      filters: filterFor(grammar, attributes, depth - 1),
      sort: list(sortFor(grammar, attributes, 1), 2),
      populate: populateFor(grammar, attributes, depth - 1),
      start: grammar.count,
      limit: grammar.count,
      pagination: paginationOf(grammar.count, grammar.flag),
    },
    3,
  );
  return fc.oneof({ weight: 1, arbitrary: plainWish }, { weight: 3, arbitrary: options });
}

function populateFor(grammar: Grammar, attributes: Attributes, depth: number): fc.Arbitrary<Node> {
  const linked = Object.entries(attributes).filter(([, { type }]) => STRUCTURED.has(type));
  if (linked.length === 0) return fc.constantFrom<Node>('*', [], '');
  const one = fc
    .constantFrom(...linked)
    .chain(([name, attribute]) => optionsFor(grammar, attribute, depth).map((node): Node => ({ [name]: node })));
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(one, { minLength: 1, maxLength: 3 }).map(merged) },
    { weight: 1, arbitrary: list(fc.constantFrom(...linked.map(([name]) => name))) },
    { weight: 1, arbitrary: fc.constant<Node>('*') },
  );
}

/** Queries for a content type, with the names of its attributes and of related types. */
export function typedQueries(grammar: Grammar, uid: string): fc.Arbitrary<Node> {
  const attributes = grammar.schema.contentTypes[uid]?.attributes ?? {};
  return someOf(
    {
      filters: filterFor(grammar, attributes, 3),
      sort: list(sortFor(grammar, attributes, 2)),
      fields: fieldsFor(grammar, attributes),
      populate: populateFor(grammar, attributes, 3),
      pagination: paginationOf(grammar.count, grammar.flag),
      locale: fc.constantFrom('en', 'fr', 'all'),
      publicationState: fc.constantFrom('live', 'preview'),
      _q: grammar.words,
    },
    4,
  );
}

/**
 * Queries for the entries of a content type, each with a filter through at most `depth` relations and components. If `depth` is 0,
 * filters also have no `$and`, `$or` or `$not` of several attributes.
 */
export function filteredQueries(grammar: Grammar, uid: string, depth: number): fc.Arbitrary<Node> {
  const attributes = grammar.schema.contentTypes[uid]?.attributes ?? {};
  const filters = fc.integer({ min: 0, max: depth }).chain((most) => filterFor(grammar, attributes, most));
  const rest = { sort: list(sortFor(grammar, attributes, 1), 2), publicationState: fc.constant('preview') };
  return fc
    .tuple(filters, someOf(rest, 2), fc.constantFrom('en', 'all'))
    .map(([filter, others, locale]) => merged([others, { filters: filter, locale }]));
}

const PIECES = [
  '[',
  ']',
  '[]',
  '[[',
  '][',
  '&',
  '&&',
  '=',
  '==',
  '%',
  '%zz',
  '%00',
  '%5B',
  '.',
  ',',
  ':',
  '#',
  '?',
  '+',
  '[0]',
  '[__proto__]',
  ';',
  '[$not]',
  '[$or][0]',
  '$',
  '*',
];

/** Characters that an HTTP client accepts. */
function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? '?' : character),
  );
}

/** Query strings for a content type. */
export function queryStrings(schema: SchemaText, uid: string): fc.Arbitrary<string> {
  const format = fc.constantFrom('indices' as const, 'brackets' as const, 'repeat' as const);
  const written = (query: fc.Arbitrary<Node>) =>
    fc
      .tuple(query, fc.boolean(), format)
      .map(([node, encode, arrayFormat]) => qs.stringify(node, { encode, arrayFormat, allowEmptyArrays: true }));
  const typed = written(typedQueries(strangeGrammar(schema), uid));
  const loose = written(looseQueries(schema));
  return fc
    .oneof(
      { weight: 6, arbitrary: typed },
      { weight: 3, arbitrary: loose },
      { weight: 1, arbitrary: damaged(fc.oneof(typed, loose), PIECES) },
    )
    .map(visible);
}
