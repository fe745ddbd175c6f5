/** Parses the `position` of an element of `connect`. */
import { isObject, type JsonObject, parseEntryRef, type ParseResult, type RelationTargets } from './entry-ref.ts';
import { type EntryRef, keyOf, type Position } from './relation-change.ts';

const MEMBERS: ReadonlySet<string> = new Set(['before', 'after', 'start', 'end']);

const END: ParseResult<Position> = { ok: true, value: { kind: 'end' } };

function failed(problem: string): ParseResult<never> {
  return { ok: false, problem };
}

function parseAnchor(
  kind: 'before' | 'after',
  value: unknown,
  own: EntryRef,
  targets: RelationTargets,
): ParseResult<Position> {
  const anchor = parseEntryRef(value, targets);
  if (!anchor.ok) return failed(`has an invalid position: ${kind} ${anchor.problem}`);
  if (keyOf(anchor.value) === keyOf(own)) return failed(`can't be placed ${kind} itself`);
  return { ok: true, value: { kind, anchor: anchor.value } };
}

/** The position of an element of `connect`. Without one, or with an empty one, it is the end of the list. */
export function parsePosition(element: JsonObject, own: EntryRef, targets: RelationTargets): ParseResult<Position> {
  const position = Object.hasOwn(element, 'position') ? (element['position'] ?? {}) : {};
  if (!isObject(position)) return failed('has a position that is not an object');
  const members = Object.keys(position);
  const [member] = members;
  if (member === undefined) return END;
  if (members.some((key) => !MEMBERS.has(key)) || members.length > 1) {
    return failed('must have a position with one of before, after, start and end');
  }
  const value = position[member];
  if (member === 'before' || member === 'after') return parseAnchor(member, value, own, targets);
  if (value !== true) return failed(`must have a position with ${member}: true`);
  return member === 'start' ? { ok: true, value: { kind: 'start' } } : END;
}
