/** Grammar-based fuzzing of bodies: valid ones with a few mutations, and corrupt ones. */
import fc from 'fast-check';
import { damaged, namesOf, ordinaryText, strangeText } from './fuzz-values.ts';
import { bodyOf, type SchemaText, type Targets } from './whole-entries.ts';

/** JSON of every kind. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, -1, 1.5, 1e300, 2 ** 53, '', 'x', [], {}, [[]], [null], [1, 1]),
  fc.constantFrom<unknown>(
    { id: 1 },
    { id: 99_999 },
    { connect: [1] },
    {
      connect: [
        { id: 1, position: { before: 2 } },
        { id: 2, position: { after: 1 } },
      ],
    },
    { connect: [{ id: 2, position: { start: true } }], disconnect: [1, 99] },
    { set: [2, '1'] },
    { set: [1], connect: [2] },
    { connect: [{ id: 1, position: {} }] },
    { connect: { id: 1 } },
    { disconnect: 'x' },
    { id: 1, type: 'topic' },
    [{ id: 1, type: 'api::author.author' }],
    [{ __component: 'blocks.text', body: 'x' }],
    [{ __component: 'blocks.text', id: 1 }],
    [{ __component: 'no.such' }],
    [{ __component: ['blocks.text'] }],
    { __component: 'blocks.hero' },
    [{ id: 5 }, { id: 5 }],
    { metaTitle: 'x', social: { file: 1, credits: { connect: [1] } } },
  ),
  strangeText,
  ordinaryText,
  fc.jsonValue({ maxDepth: 3 }),
);

interface Change {
  readonly steps: readonly number[];
  readonly action: 'replace' | 'remove' | 'add' | 'rename';
  readonly name: string;
  readonly value: unknown;
}

/** Descends into a value along a path of numbers, as far as possible, and mutates it there. */
function changed(whole: unknown, { steps, action, name, value }: Change): unknown {
  const [step = 0, ...rest] = steps;
  if (typeof whole !== 'object' || whole === null) return action === 'replace' ? value : whole;
  const pairs = Object.entries(whole);
  const at = pairs.length === 0 ? 0 : step % pairs.length;
  const [key, inner] = pairs[at] ?? [name, undefined];
  if (rest.length > 0) pairs[at] = [key, changed(inner, { steps: rest, action, name, value })];
  else if (action === 'add') pairs.push([name, value]);
  else if (action === 'remove') pairs.splice(at, 1);
  else pairs[at] = action === 'replace' ? [key, value] : [name, inner];
  return Array.isArray(whole) ? pairs.map(([, element]) => element) : Object.fromEntries(pairs);
}

/** The `data` of an entry: some valid attributes, with a few mutations at any depth. */
function data(schema: SchemaText, uid: string, targets: Targets): fc.Arbitrary<unknown> {
  const attributes = schema.contentTypes[uid]?.attributes ?? {};
  const change: fc.Arbitrary<Change> = fc.record({
    steps: fc.array(fc.nat(30), { minLength: 1, maxLength: 7 }),
    action: fc.constantFrom('replace', 'replace', 'remove', 'add', 'rename'),
    name: namesOf(schema),
    value: anyValue,
  });
  const changes = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 2, maxLength: 4 }) },
  );
  const required = ['title', 'name', 'siteName', 'headline'];
  return fc.tuple(fc.subarray(Object.keys(attributes)), changes).map(([names, all]) => {
    const whole = Object.entries(bodyOf(schema, attributes, targets));
    const some = whole.filter(([name]) => names.includes(name) || required.includes(name));
    return all.reduce<unknown>(changed, Object.fromEntries(some));
  });
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u0000',
  '\\ud800',
  '0',
  '1e999',
  'null',
  '\u0000',
  '"id":1,',
  '"__proto__":{"a":1},',
  '"constructor":{},',
];

/** Body texts; `wrap` turns data into a whole body. */
export function bodyTexts(
  { schema, targets }: { readonly schema: SchemaText; readonly targets: Targets },
  uid: string,
  wrap: (data: unknown) => unknown,
): fc.Arbitrary<string> {
  const good = data(schema, uid, targets).map((given) => JSON.stringify(wrap(given)));
  return fc.oneof(
    { weight: 12, arbitrary: good },
    { weight: 2, arbitrary: damaged(good, PIECES) },
    { weight: 1, arbitrary: fc.jsonValue().map((json) => JSON.stringify(json)) },
  );
}
