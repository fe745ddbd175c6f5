/** Content that is difficult to query: a schema with every kind of attribute, values at the edges of each type, and their entries. */
import fc from 'fast-check';
import type { Node } from './fuzz-queries.ts';
import { type AttributeDefinition, type Attributes, definitionsOf, type SchemaText } from './whole-entries.ts';

const SCALARS = `
      string: { type: string }
      indexed: { type: string, index: true }
      text: { type: text }
      email: { type: email }
      kind: { type: enumeration, enum: [b, a, Ab, c d] }
      integer: { type: integer }
      rank: { type: integer, index: true }
      big: { type: biginteger }
      float: { type: float }
      decimal: { type: decimal }
      price: { type: decimal, index: true }
      open: { type: boolean }
      date: { type: date }
      moment: { type: datetime }
      time: { type: time }
      json: { type: json }`;

export const SCHEMA = `
name: queried
databases: [sqlite, postgres, mysql]
locales: [en, fr]
contentTypes:
  item:
    indexes: [[seo.string], [kind, -rank]]
    attributes:${SCALARS}
      slug: { type: uid }
      parent: { type: relation, relation: manyToOne, target: item, inversedBy: children }
      children: { type: relation, relation: oneToMany, target: item, mappedBy: parent }
      peers: { type: relation, relation: manyToMany, target: item, inversedBy: peersOf }
      peersOf: { type: relation, relation: manyToMany, target: item, mappedBy: peers }
      twin: { type: relation, relation: oneToOne, target: item, inversedBy: twinOf }
      twinOf: { type: relation, relation: oneToOne, target: item, mappedBy: twin }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: items }
      owner: { type: relation, relation: oneWay, target: tag }
      favourites: { type: relation, relation: manyWay, target: story }
      stories: { type: relation, relation: oneToMany, target: story, mappedBy: item }
      seo: { type: component, component: shared.part }
      parts: { type: component, component: shared.part, repeatable: true }
      zone: { type: dynamiczone, components: [shared.part, shared.link] }
  story:
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, localized: true }
      rank: { type: integer, localized: true }
      item: { type: relation, relation: manyToOne, target: item, inversedBy: stories, localized: true }
      tags: { type: relation, relation: manyWay, target: tag, localized: true }
      next: { type: relation, relation: oneWay, target: story, localized: true }
      links: { type: component, component: shared.link, repeatable: true, localized: true }
  tag:
    attributes:
      name: { type: string }
      weight: { type: decimal }
      items: { type: relation, relation: manyToMany, target: item, mappedBy: tags }
components:
  shared.part:
    attributes:${SCALARS.replaceAll(', index: true', '')}
      link: { type: component, component: shared.link }
      links: { type: component, component: shared.link, repeatable: true }
      tags: { type: relation, relation: manyWay, target: tag }
      owner: { type: relation, relation: oneWay, target: story }
  shared.link:
    attributes:
      label: { type: string }
      rank: { type: integer }
      weight: { type: decimal }
      tag: { type: relation, relation: oneWay, target: tag }
permissions:
  public: { '*': '*' }
`;

const inSchema = definitionsOf(SCHEMA);
const story = inSchema.contentTypes['story'];
if (!story) throw new Error('no story');

/** The schema, with the attributes that the server adds and that content can set. */
export const schema: SchemaText = {
  ...inSchema,
  contentTypes: {
    ...inSchema.contentTypes,
    story: {
      ...story,
      attributes: {
        ...story.attributes,
        publishedAt: { type: 'datetime' },
        locale: { type: 'string' },
        localizations: { type: 'relation', relation: 'manyWay', target: 'story' },
      },
    },
  },
};

const LETTERS = [
  'a',
  'A',
  'á',
  'Á',
  'a\u0301',
  'ab',
  'aB',
  'b',
  'ß',
  'ẞ',
  'ss',
  'İ',
  'i',
  'I',
  'ı',
  'ς',
  'Σ',
  'ſ',
  'K',
  'k',
];
const SIGNS = [
  '%',
  '_',
  'a_b',
  'a%b',
  '\\',
  'a\\b',
  '\\\\',
  "'",
  '"',
  '*',
  '[a]',
  '?',
  '^a',
  '$',
  '.',
  '-',
  '|',
  '(',
  '{}',
  '&',
  '~',
  '#',
];
const OTHERS = [
  '',
  ' ',
  ' a',
  'a ',
  'null',
  'true',
  '0',
  '007',
  '7',
  '-0',
  '1e3',
  'a\nb',
  'a\n',
  '\t',
  '\u00a0',
  '😀',
  'a😀',
  '\uffee',
  '\u2028',
  '日本',
];
const TEXTS = [...LETTERS, ...SIGNS, ...OTHERS];

/** Values of each type in canonical form, as responses have them; decimals as text, which has all of their digits. */
const VALUES: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  string: TEXTS,
  text: [...TEXTS, `${'x'.repeat(400)}a`, 'A\r\nB'],
  email: ['a@x.co', 'A@x.co', 'ab@x.co', 'a_b@x.co', 'a%b@x.co'],
  integer: [0, 1, -1, 2, 7, 10, 100, 2_147_483_647, -2_147_483_648],
  biginteger: [
    '0',
    '1',
    '-1',
    '10',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775806',
    '9223372036854775807',
    '-9223372036854775808',
  ],
  float: [0, 0.1, 0.3, 0.1 + 0.2, -0.5, 1, 1e21, 1e-7, 1.5e300, -1.5e300, 1e-300, 9_007_199_254_740_993],
  decimal: [
    '0',
    '1',
    '-1',
    '10',
    '9',
    '0.1',
    '0.3',
    '0.30000000000000004',
    '0.00000000000000000000000000001',
    '-0.00000000000000000000000000001',
    '12345678901234567890.123456788',
    '12345678901234567890.123456789',
    '-12345678901234567890.123456788',
    '-12345678901234567890.123456789',
    '99.999999999999999999',
    '100',
    '100.000000000000000001',
    '-99.999999999999999999',
    '-100',
    '-100.000000000000000001',
    '99999999999999999999999999999999999',
    '99999999999999999999999999999999998.999',
  ],
  boolean: [true, false],
  date: ['2024-02-29', '2024-03-01', '1970-01-01', '1969-12-31', '1000-01-01', '9999-12-31', '2024-12-31'],
  datetime: [
    '2024-02-29T23:59:59.999Z',
    '2024-03-01T00:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '2024-03-31T01:30:00.000Z',
  ],
  time: ['00:00:00.000', '23:59:59.999', '12:00:00.000', '12:00:00.001', '08:30:00.000'],
};

/** Other spellings of these values in queries. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  integer: ['007', '-0', '+1', ' 1 ', '1.0', '1e1', '2147483646'],
  biginteger: ['007', '-0', '+1', ' 10 ', '9223372036854775805'],
  float: ['-0', '.1', '1e0', '0.30', '5e-324', '1.7976931348623157e308', '12345678901234567890'],
  decimal: ['-0', '0.10', '.3', '1e0', '0.30000000000000000001', '12345678901234567890.1234567885', '5e-30'],
  boolean: ['TRUE', '1', '0'],
  date: ['2024-02-29T10:00:00Z', '2023-02-28'],
  datetime: ['2024-03-01', '2024-03-01T02:00:00+02:00', '0', '-1', '2024-02-29T23:59:59.9999Z'],
  time: ['12:00:00', '12:00:00.0', '23:59:59.99'],
};

/** What texts of the other types contain. */
const PARTS = ['0', '1', '-', '.', '99', ':00', 'T', '2024-0', '-0', '00', '5Z', ' ', 'e', '%'];

const SPELLED: ReadonlySet<string> = new Set(['integer', 'biginteger', 'decimal', 'date', 'datetime', 'time']);

/** A value in a query: of the entries, or close to them; for types that are searched as text, sometimes a part of one. */
export function queriedValue({ type, enum: words }: AttributeDefinition): fc.Arbitrary<string> {
  const values = words ?? (VALUES[type] ?? ['a-1', 'a', 'B', 'c-2', '-']).map(String);
  return fc.constantFrom(...values, ...(SPELLINGS[type] ?? []), ...(words ? ['A', 'd'] : []));
}

const COMPARISONS = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$not', '$eqi', '$nei'];
const SEARCHES = ['$contains', '$notContains', '$startsWith', '$endsWith'].flatMap((name) => [name, `${name}i`]);
/** Types that can't be searched as text. */
const COMPARED: ReadonlySet<string> = new Set(['boolean', 'float']);

/** An operator that applies to the attribute, with its operand. */
export function queriedOperation(attribute: AttributeDefinition): fc.Arbitrary<readonly [string, Node]> {
  const { type } = attribute;
  const part = SPELLED.has(type) ? fc.constantFrom(...PARTS) : fc.constantFrom(...TEXTS, 'x.co', '@', 'bb');
  const flag = fc.constantFrom('true', 'false', '1', '0', 't', 'f', 'x');
  const plain = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...COMPARISONS), queriedValue(attribute)) },
    { weight: COMPARED.has(type) ? 0 : 5, arbitrary: fc.tuple(fc.constantFrom(...SEARCHES), part) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('$null', '$notNull'), flag) },
  );
  const negated = plain.map((operation): readonly [string, Node] => ['$not', Object.fromEntries([operation])]);
  return fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: negated });
}

export const queriedWords = fc.constantFrom(...TEXTS, 'x.co', 'X');

/** An entry or an item as it is sent: relations are indexes of entries of their type that precede it. */
type Sent = Record<string, unknown>;

/** Values are drawn from a small set for each entry, so that some are equal. */
function scalarOf(name: string, { type, enum: words }: AttributeDefinition): fc.Arbitrary<unknown> {
  if (type === 'json') return fc.constantFrom(null, {}, [], 'x', 0, { a: [1, 'é', null] });
  const values = name === 'locale' ? ['en', 'en', 'fr'] : (words ?? VALUES[type] ?? []);
  const common = values.slice(0, 4);
  return fc.oneof(
    ...(name === 'locale' ? [] : [{ weight: 2, arbitrary: fc.constant(null) }]),
    { weight: 4, arbitrary: fc.constantFrom(...values) },
    { weight: 3, arbitrary: fc.constantFrom(...common) },
  );
}

const MANY: ReadonlySet<string> = new Set(['oneToMany', 'manyToMany', 'manyWay']);

/** The number of entries of each type, in the order of their creation: relations refer to entries that exist already. */
const COUNTS = { tag: 7, story: 14, item: 26 } as const;
export type TypeName = keyof typeof COUNTS;
export const TYPE_NAMES = ['tag', 'story', 'item'] as const;

function relationOf({ relation = '', target = '' }: AttributeDefinition, before: number): fc.Arbitrary<unknown> {
  const count = target === 'tag' ? COUNTS.tag : target === 'story' ? Math.min(before, COUNTS.story) : before;
  if (count === 0) return fc.constant([]);
  const index = fc.nat(count - 1);
  return MANY.has(relation)
    ? fc.oneof(fc.constant([]), fc.uniqueArray(index, { maxLength: 4 }))
    : fc.array(index, { maxLength: 1 });
}

/** `before`: the number of entries of the type itself that can be named. */
function attributesOf(attributes: Attributes, before: number): fc.Arbitrary<Sent> {
  const all = Object.entries(attributes).flatMap(([name, attribute]) => {
    const arbitrary = attributeOf(name, attribute, before);
    return arbitrary ? [[name, arbitrary] as const] : [];
  });
  return fc.record(Object.fromEntries(all));
}

function itemOf(uid: string): fc.Arbitrary<Sent> {
  return attributesOf(schema.components?.[uid]?.attributes ?? {}, COUNTS.story);
}

function attributeOf(name: string, attribute: AttributeDefinition, before: number): fc.Arbitrary<unknown> | undefined {
  switch (attribute.type) {
    case 'relation':
      if (name === LATER) return fc.array(fc.nat(COUNTS.item - 1), { maxLength: 1 });
      return name === 'twin' || name === 'localizations' || Object.hasOwn(INVERSES, name)
        ? undefined
        : relationOf(attribute, before);
    case 'component': {
      const item = itemOf(attribute.component ?? '');
      return attribute.repeatable ? fc.array(item, { maxLength: 3 }) : fc.option(item, { freq: 3 });
    }
    case 'dynamiczone': {
      const kinds = (attribute.components ?? []).map((uid) =>
        itemOf(uid).map((item) => ({ __component: uid, ...item })),
      );
      return fc.array(fc.oneof(...kinds), { maxLength: 3 });
    }
    case 'uid':
      return undefined;
    default:
      return scalarOf(name, attribute);
  }
}

/** Relations that are set from their other side, by which attribute. */
export const INVERSES: Readonly<Record<string, string>> = {
  children: 'parent',
  peersOf: 'peers',
  twinOf: 'twin',
  stories: 'item',
  items: 'tags',
};

/** The relation of stories to items, which are created later: it is set after all entries are there. */
export const LATER = 'item';

/** The entries of each type, from a seed. */
export function contentFrom(seed: number): Readonly<Record<TypeName, readonly Sent[]>> {
  const of = (uid: TypeName) =>
    Array.from({ length: COUNTS[uid] }, (_, index) => {
      const [sent] = fc.sample(attributesOf(schema.contentTypes[uid]?.attributes ?? {}, index), {
        numRuns: 1,
        seed: seed * 1000 + index,
      });
      return sent ?? {};
    });
  const items = of('item').map((sent, index) => ({
    ...sent,
    slug: index % 3 === 0 ? null : `${'aBc'[index % 3]}-${index}`,
    twin: index % 2 === 1 ? [index - 1] : [],
  }));
  return { tag: of('tag'), story: of('story'), item: items };
}
