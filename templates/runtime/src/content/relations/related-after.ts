/** What a list of related entries will be after a change, for hooks. */
import type { RelationChanges, RelationElement } from '../../contract/entry.ts';
import { planList } from './plan-list.ts';

function idOf(element: RelationElement | { readonly id: number }): number {
  return typeof element === 'number' ? element : element.id;
}

function positionOf(element: RelationElement | { readonly id: number; readonly position?: object }) {
  const position = typeof element === 'object' && 'position' in element ? element.position : undefined;
  const [kind, anchor] = Object.entries(position ?? { end: true })[0] ?? [];
  if (kind === 'before' || kind === 'after') return { kind, anchor: String(idOf(anchor as RelationElement)) } as const;
  return { kind: kind === 'start' ? 'start' : 'end' } as const;
}

/**
 * The ids of a list after a change: `related` are those that it has now, in order. For relations with one target type. Throws an Error
 * if an anchor is not in the list.
 */
export function relatedAfter(related: readonly number[], change: RelationChanges | undefined): readonly number[] {
  if (change === undefined) return related;
  if (change.set !== undefined) return change.set.map(idOf);
  const members = related.map((id, index) => ({
    key: String(id),
    position: index,
    previous: index === 0 ? undefined : index - 1,
    next: index === related.length - 1 ? undefined : index + 1,
  }));
  const edges = { first: members[0]?.position, last: members.at(-1)?.position };
  const connect = change.connect.map((element) => ({ key: String(idOf(element)), position: positionOf(element) }));
  const plan = planList(
    { members, ...edges },
    { connect, disconnect: change.disconnect.map((one) => String(idOf(one))) },
  );
  const [fault] = plan.faults;
  if (fault) throw new Error(`no member of the list is where ${connect[fault.index]?.key ?? ''} is connected`);
  const moved = new Set([...plan.removed, ...connect.map(({ key }) => key)]);
  const keysAfter = (position: number | undefined) =>
    plan.runs.filter(({ after }) => after === position).flatMap(({ keys }) => keys);
  const result = [...keysAfter(undefined)];
  for (const { key, position } of members) {
    if (!moved.has(key)) result.push(key, ...keysAfter(position));
  }
  return result.map(Number);
}
