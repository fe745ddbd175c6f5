import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedList, type ModelStep } from '../../../test-support/list-model.ts';
import { placeRuns, type PositionedKey } from './place-runs.ts';
import { type ListChange, planList, type StoredList } from './plan-list.ts';
import { allocatePositions } from './positions.ts';

function namedKeys({ connect, disconnect }: ListChange): Set<string> {
  return new Set([
    ...connect.flatMap(({ key, position }) => ('anchor' in position ? [key, position.anchor] : [key])),
    ...disconnect,
  ]);
}

/** The part of a list that is read for a change. */
function storedOf(list: readonly PositionedKey[], change: ListChange): StoredList {
  const named = namedKeys(change);
  const members = list.flatMap(({ key, position }, index) =>
    named.has(key) ? [{ key, position, previous: list[index - 1]?.position, next: list[index + 1]?.position }] : [],
  );
  return { members, first: list[0]?.position, last: list.at(-1)?.position };
}

/** Plans a change and applies it to the whole list; undefined if there are faults. */
async function apply(list: readonly PositionedKey[], change: ListChange, touched = { read: 0, written: 0 }) {
  const plan = planList(storedOf(list, change), change);
  if (plan.faults.length > 0) return undefined;
  const moving = new Set([...plan.removed, ...change.connect.map(({ key }) => key)]);
  const positions = await placeRuns(plan.runs, moving, async (after, before, limit) => {
    touched.read += 1;
    return {
      left: list.filter(({ position }) => position <= after).slice(-limit),
      right: list.filter(({ position }) => position >= before).slice(0, limit),
    };
  });
  touched.written += positions.size;
  const removed = new Set(plan.removed);
  const kept = list.filter(({ key }) => !removed.has(key) && !positions.has(key));
  const changed = [...kept, ...[...positions].map(([key, position]) => ({ key, position }))];
  return changed.sort((a, b) => a.position - b.position);
}

const keys = (list: readonly PositionedKey[] | undefined) => list?.map(({ key }) => key);
const listOf = (names: string, step = 65_536) =>
  [...names].map((key, index) => ({ key, position: (index + 1) * step }));

type Written = string | { id: string; before?: string; after?: string; start?: true };

function stepOf(written: Written): ModelStep {
  if (typeof written === 'string') return { key: written, position: { kind: 'end' } };
  const { id: key, before, after } = written;
  if (before !== undefined) return { key, position: { kind: 'before', anchor: before } };
  return { key, position: after === undefined ? { kind: 'start' } : { kind: 'after', anchor: after } };
}

describe('known cases', () => {
  const cases: [string, Written[], string, string][] = [
    ['abc', ['d'], '', 'abcd'],
    [
      'abc',
      [
        { id: 'd', start: true },
        { id: 'e', start: true },
      ],
      '',
      'edabc',
    ],
    [
      'abc',
      [
        { id: 'd', before: 'b' },
        { id: 'e', before: 'b' },
      ],
      '',
      'adebc',
    ],
    [
      'abc',
      [
        { id: 'd', after: 'a' },
        { id: 'e', after: 'a' },
      ],
      '',
      'aedbc',
    ],
    ['abc', ['a'], '', 'bca'],
    ['abc', [{ id: 'd', before: 'e' }, 'e'], '', 'abcde'],
    [
      'abc',
      [
        { id: 'd', after: 'e' },
        { id: 'e', after: 'b' },
      ],
      '',
      'abedc',
    ],
    [
      'abc',
      [
        { id: 'd', after: 'a' },
        { id: 'a', start: true },
      ],
      '',
      'adbc',
    ],
    [
      'a',
      [
        { id: 'a', before: 'x' },
        { id: 'x', after: 'a' },
      ],
      '',
      'ax',
    ],
    [
      'abc',
      [
        { id: 'd', before: 'b' },
        { id: 'e', after: 'b' },
        { id: 'f', before: 'b' },
      ],
      'b',
      'adfec',
    ],
    ['abc', ['b'], 'ab', 'cb'],
    ['abc', [{ id: 'd', after: 'b' }, 'b'], 'b', 'adcb'],
    ['', [{ id: 'a', before: 'c' }, { id: 'b', before: 'c' }, 'c'], 'z', 'abc'],
    ['', [{ id: 'c', after: 'b' }, { id: 'b', after: 'a' }, { id: 'd', after: 'a' }, 'a'], '', 'adbc'],
  ];
  it.each(cases)('%s: connect %j, disconnect %j makes %s', async (before, connect, disconnect, after) => {
    const result = await apply(listOf(before), { connect: connect.map(stepOf), disconnect: [...disconnect] });
    expect(keys(result)?.join('')).toBe(after);
  });

  it('reports the elements whose anchor is not in the list, and those in a cycle, but not those that wait for them', () => {
    const connect = [
      { id: 'd', after: 'z' },
      { id: 'e', after: 'd' },
      { id: 'f', before: 'g' },
      { id: 'g', after: 'h' },
      { id: 'h', before: 'g' },
      { id: 'i', before: 'i' },
      { id: 'a', before: 'a' },
      { id: 'j', before: 'k' },
    ].map(stepOf);
    const change = { connect, disconnect: ['k'] };
    expect(planList(storedOf(listOf('abc'), change), change).faults).toStrictEqual([
      { kind: 'unknownAnchor', index: 0 },
      { kind: 'cycle', index: 3 },
      { kind: 'cycle', index: 4 },
      { kind: 'cycle', index: 5 },
      { kind: 'cycle', index: 6 },
      { kind: 'unknownAnchor', index: 7 },
    ]);
  });
});

const someKey = fc.constantFrom(...'abcdefghijkl');
const someStep = fc.record({ key: someKey, kind: fc.constantFrom('start', 'end', 'before', 'after'), anchor: someKey });
const someConnect = fc.uniqueArray(someStep, { selector: ({ key }) => key, maxLength: 8 }).map((steps) =>
  steps.map(({ key, kind, anchor }): ModelStep => {
    return kind === 'start' || kind === 'end'
      ? { key, position: { kind } }
      : { key, position: { kind: kind === 'before' ? 'before' : 'after', anchor } };
  }),
);

/** Lists with little room between some members. */
const someList = fc
  .uniqueArray(fc.record({ key: someKey, gap: fc.constantFrom(1, 1, 2, 3, 70_000) }), {
    selector: ({ key }) => key,
    maxLength: 12,
  })
  .map((items) => {
    let position = -5;
    return items.map(({ key, gap }) => ({ key, position: (position += gap) }));
  });

describe('any change of any list', () => {
  it('has the same result as on a plain array, without duplicate positions', async () => {
    await fc.assert(
      fc.asyncProperty(
        someList,
        fc.array(fc.record({ connect: someConnect, disconnect: fc.array(someKey, { maxLength: 4 }) }), {
          maxLength: 6,
        }),
        async (start, changes) => {
          let list = start;
          for (const { connect, disconnect } of changes) {
            const expected = changedList(keys(list) ?? [], connect, disconnect);
            const result = await apply(list, { connect, disconnect });
            expect(keys(result)).toStrictEqual(expected);
            if (!result) continue;
            expect(new Set(result.map(({ position }) => position)).size).toBe(result.length);
            list = result;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('cost', () => {
  it.each(['each after the next', 'all after the last', 'a cycle'])('plans 10,000 elements, %s, quickly', (kind) => {
    const count = 10_000;
    const connect = Array.from({ length: count }, (_, index): ModelStep => {
      const last = index === count - 1;
      const anchor = kind === 'all after the last' ? String(count - 1) : String((index + 1) % count);
      return {
        key: String(index),
        position: last && kind !== 'a cycle' ? { kind: 'end' } : { kind: 'after', anchor },
      };
    });
    const started = performance.now();
    const { faults, runs } = planList({ members: [], first: 1, last: 9 }, { connect, disconnect: [] });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(faults).toHaveLength(kind === 'a cycle' ? count : 0);
    if (kind === 'each after the next') expect(runs[0]?.keys.slice(0, 2)).toStrictEqual(['9999', '9998']);
  });

  it('repeatedly makes room at one place by moving a few neighbors', async () => {
    let list: PositionedKey[] = Array.from({ length: 500 }, (_, index) => ({
      key: `m${index}`,
      position: index * 65_536,
    }));
    const touched = { read: 0, written: 0 };
    const inserts = 2000;
    for (let index = 0; index < inserts; index += 1) {
      const connect = [{ key: `n${index}`, position: { kind: 'after', anchor: 'm250' } }] as const;
      list = (await apply(list, { connect, disconnect: [] }, touched)) ?? [];
    }
    expect(keys(list)?.slice(250, 253)).toStrictEqual(['m250', 'n1999', 'n1998']);
    expect(touched.written / inserts).toBeLessThan(12);
    expect(touched.read / inserts).toBeLessThan(2);
  });

  it('makes room at many places at once with a bounded number of reads', async () => {
    const list = Array.from({ length: 5000 }, (_, index) => ({ key: `m${index}`, position: index }));
    const connect = Array.from({ length: 2000 }, (_, index) => {
      return { key: `n${index}`, position: { kind: 'after', anchor: `m${index * 2}` } } as const;
    });
    const touched = { read: 0, written: 0 };
    const result = await apply(list, { connect, disconnect: [] }, touched);
    expect(keys(result)?.slice(0, 5)).toStrictEqual(['m0', 'n0', 'm1', 'm2', 'n1']);
    expect(touched.read).toBeLessThan(150);
  });

  it('spreads positions evenly, and reports when there is no room', () => {
    expect(allocatePositions(2, undefined, undefined)).toStrictEqual([65_536, 131_072]);
    expect(allocatePositions(2, 10, undefined)).toStrictEqual([65_546, 131_082]);
    expect(allocatePositions(2, undefined, 0)).toStrictEqual([-131_072, -65_536]);
    expect(allocatePositions(3, 0, 4)).toStrictEqual([1, 2, 3]);
    expect(allocatePositions(4, 0, 4)).toBeUndefined();
    expect(allocatePositions(1, 0, 4, 3)).toBeUndefined();
  });
});
