/** Random requests that change relations in every valid way, and in some invalid ones. */
import fc from 'fast-check';
import { attributeOf, uidOf } from './relation-model.ts';

/** A body for an entry, which may not exist. */
export interface RelationRequest {
  readonly uid: string;
  readonly data: Record<string, unknown>;
  readonly id: number;
}

function withType<T extends object>(isMorph: boolean, record: fc.Arbitrary<T>): fc.Arbitrary<T> {
  if (!isMorph) return record;
  return fc.tuple(record, fc.constantFrom('hub', 'leaf')).map(([value, type]) => ({ ...value, type }));
}

/** A value of the attribute `name`, such as `hub.manyMany`; targets have the ids from 1 to `count`. */
function someValue(name: string, count: number): fc.Arbitrary<unknown> {
  const attribute = attributeOf(name);
  const isMorph = attribute?.type === 'relation' && attribute.target === undefined;
  const id = fc.integer({ min: 1, max: count });
  const target = withType(isMorph, fc.record({ id }));
  const unique = {
    selector: (value: { id: number; type?: string }) => `${value.type}:${value.id}`,
    maxLength: count,
  };
  const set = fc.uniqueArray(target, unique);
  if (attribute?.type === 'media') return fc.oneof(fc.constant(null), set);
  const position = fc.oneof(
    fc.constant({ start: true }),
    fc.constant({ end: true }),
    target.map((before) => ({ before })),
    target.map((after) => ({ after })),
  );
  const element = withType(isMorph, fc.record({ id, position }, { requiredKeys: ['id'] }));
  const partial = fc.record({
    connect: fc.uniqueArray(element, unique),
    disconnect: fc.array(target, { maxLength: 3 }),
  });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: set },
    { weight: 6, arbitrary: partial },
  );
}

/** Requests that change `names`, mostly two at once, to cover both sides of one relation in one request. */
export function someRequests(names: readonly string[], count: number): fc.Arbitrary<RelationRequest> {
  const uids = [...new Set(names.map(uidOf))];
  return fc.oneof(
    ...uids.map((uid) => {
      const own = names.filter((name) => uidOf(name) === uid);
      const values = own.map((name) => [name.split('.')[1], someValue(name, count)]);
      const data = fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [],
      });
      return fc.record({ uid: fc.constant(uid), data, id: fc.integer({ min: 1, max: count }) });
    }),
  );
}
