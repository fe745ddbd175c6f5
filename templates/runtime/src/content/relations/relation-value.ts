/** Parses the value of a relation attribute in a request, in any of its shapes, into the change that it describes. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { ErrorPath, Issue } from '../../contract/errors.ts';
import { isShownKey } from './echoed-keys.ts';
import { isObject, type JsonObject, parseEntryRef, type RelationTargets } from './entry-ref.ts';
import { createIssueList, type IssueList } from './issue-list.ts';
import { parsePosition } from './position-value.ts';
import { type Connect, keyOf, type RelationChange, type Target } from './relation-change.ts';

/** The value of a relation attribute, and how to parse it. */
export interface RelationValueInput {
  readonly attribute: RelationTargets & { readonly many: boolean };
  /** The raw value in the body. */
  readonly value: unknown;
  /** The attribute's path in the body. */
  readonly path: ErrorPath;
  /** What to do with unknown keys of an element. */
  readonly unknownKeys: 'reject' | 'ignore';
  /** To recognize keys of targets that clients have read and send back; if undefined, such keys count as unknown. */
  readonly types?: ContentTypes | undefined;
}

/** `change` is undefined if there is nothing to change or if there are issues. */
export interface RelationValueResult {
  readonly change: RelationChange | undefined;
  readonly issues: readonly Issue[];
}

/** The context in which the parts of a value are checked. */
export interface ValueContext {
  readonly attribute: RelationTargets;
  readonly unknownKeys: 'reject' | 'ignore';
  readonly types: ContentTypes | undefined;
  /** Whether `set` may name an entry twice. */
  readonly repeats: 'allow' | 'reject';
  readonly issues: IssueList;
}

type Verb = 'set' | 'connect' | 'disconnect';

const VERBS: ReadonlySet<string> = new Set<Verb>(['set', 'connect', 'disconnect']);
const ELEMENT_KEYS: ReadonlySet<string> = new Set(['id', 'type', '__type', 'position']);

/** Checks the keys of an element that names an entry of `type`. */
function checkKeys(element: JsonObject, verb: Verb, path: ErrorPath, type: string, context: ValueContext): void {
  const { issues, unknownKeys, types } = context;
  const isShown = (key: string): boolean => types !== undefined && isShownKey(types, type, key);
  if (verb !== 'connect' && Object.hasOwn(element, 'position') && !isShown('position')) {
    issues.add(path, `must not have a position: only elements of connect may have one`);
  }
  const unknown = Object.keys(element).find((key) => !ELEMENT_KEYS.has(key) && !isShown(key));
  if (unknown === undefined) return;
  if (VERBS.has(unknown)) issues.add(path, `must not have both an id and ${unknown}`);
  else if (unknownKeys === 'reject') issues.add(path, `has the unknown key ${JSON.stringify(unknown.slice(0, 50))}`);
}

function parseTarget(element: unknown, verb: Verb, path: ErrorPath, context: ValueContext): Target | undefined {
  const ref = parseEntryRef(element, context.attribute, context.types);
  if (!ref.ok) {
    context.issues.add(path, ref.problem);
    return undefined;
  }
  if (isObject(element)) checkKeys(element, verb, path, ref.value.type, context);
  return { path, ...ref.value };
}

function parseConnect(element: unknown, path: ErrorPath, context: ValueContext): Connect | undefined {
  const target = parseTarget(element, 'connect', path, context);
  if (!target) return undefined;
  const position = parsePosition(isObject(element) ? element : {}, target, context.attribute);
  if (!position.ok) {
    context.issues.add(path, position.problem);
    return undefined;
  }
  return { position: position.value, ...target };
}

/** Parses the elements of an array; invalid ones are reported and left out. */
function parseElements<T>(
  elements: readonly unknown[],
  path: ErrorPath,
  parse: (element: unknown, path: ErrorPath) => T | undefined,
): T[] {
  const parsed: T[] = [];
  for (const [index, element] of elements.entries()) {
    const one = parse(element, [...path, String(index)]);
    if (one !== undefined) parsed.push(one);
  }
  return parsed;
}

function reportDuplicates(targets: readonly Target[], issues: IssueList): void {
  const seen = new Set<string>();
  for (const target of targets) {
    const key = keyOf(target);
    if (seen.has(key)) issues.add(target.path, `names the entry ${target.id} again: an entry may be named only once`);
    seen.add(key);
  }
}

function parseSet(elements: readonly unknown[], path: ErrorPath, context: ValueContext): RelationChange {
  const targets = parseElements(elements, path, (element, at) => parseTarget(element, 'set', at, context));
  if (context.repeats === 'reject') reportDuplicates(targets, context.issues);
  return { kind: 'set', targets };
}

/** The elements of a verb: one value counts as an array of one; `connect` and `disconnect` may be null. */
function elementsOf(value: JsonObject, verb: Verb): readonly unknown[] {
  const given = Object.hasOwn(value, verb) ? (value[verb] ?? []) : [];
  return Array.isArray(given) ? given : [given];
}

function parsePartial(value: JsonObject, path: ErrorPath, context: ValueContext): RelationChange | undefined {
  const connect = parseElements(elementsOf(value, 'connect'), [...path, 'connect'], (element, at) =>
    parseConnect(element, at, context),
  );
  reportDuplicates(connect, context.issues);
  const disconnect = parseElements(elementsOf(value, 'disconnect'), [...path, 'disconnect'], (element, at) =>
    parseTarget(element, 'disconnect', at, context),
  );
  return connect.length + disconnect.length === 0 ? undefined : { kind: 'change', connect, disconnect };
}

function parseVerbs(value: JsonObject, path: ErrorPath, context: ValueContext): RelationChange | undefined {
  const { issues } = context;
  const unknown = Object.keys(value).find((key) => !VERBS.has(key));
  if (unknown !== undefined) {
    issues.add(
      path,
      `has the unknown key ${JSON.stringify(unknown.slice(0, 50))}: the known keys are id, set, connect and disconnect`,
    );
  }
  if (!Object.hasOwn(value, 'set')) return parsePartial(value, path, context);
  if (Object.hasOwn(value, 'connect') || Object.hasOwn(value, 'disconnect')) {
    issues.add(path, 'must not combine set with connect or disconnect');
  }
  if ((value['set'] ?? null) !== null) return parseSet(elementsOf(value, 'set'), [...path, 'set'], context);
  issues.add([...path, 'set'], 'must be an array: an empty one clears the relation');
  return undefined;
}

/** `{data: …}`, as answers of the v4 format show a populated relation. */
function isAsRead(value: JsonObject): boolean {
  const { data } = value;
  if (Object.keys(value).length !== 1 || data === undefined) return false;
  return data === null || Array.isArray(data) || (isObject(data) && Object.hasOwn(data, 'id'));
}

/** Parses a value of any shape. The result is valid only if there are no issues. */
export function parseChange(value: unknown, path: ErrorPath, context: ValueContext): RelationChange | undefined {
  if (value === undefined) return undefined;
  if (value === null) return { kind: 'set', targets: [] };
  if (Array.isArray(value)) return parseSet(value, path, context);
  if (isObject(value) && !Object.hasOwn(value, 'id')) {
    return isAsRead(value) ? parseChange(value['data'], [...path, 'data'], context) : parseVerbs(value, path, context);
  }
  const target = parseTarget(value, 'set', path, context);
  return target && { kind: 'set', targets: [target] };
}

/**
 * Checks the shape of a relation's value and normalizes it. The planner checks whether the entries exist and whether anchors are
 * in the list.
 */
export function parseRelationValue(input: RelationValueInput): RelationValueResult {
  const { attribute, value, path, unknownKeys, types } = input;
  const issues = createIssueList();
  const change = parseChange(value, path, { attribute, unknownKeys, types, issues, repeats: 'reject' });
  return { change: issues.all.length === 0 ? change : undefined, issues: issues.all };
}
