/** From the value of a relation attribute in a request, in any of its shapes, to the change that it asks for. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { ErrorPath, Issue } from '../../contract/errors.ts';
import { isShownKey } from './echoed-keys.ts';
import { isObject, type JsonObject, parseEntryRef, type RelationTargets } from './entry-ref.ts';
import { createIssueList, type IssueList } from './issue-list.ts';
import { parsePosition } from './position-value.ts';
import { type Connect, keyOf, type RelationChange, type Target } from './relation-change.ts';

export interface RelationValueInput {
  readonly attribute: RelationTargets & { readonly many: boolean };
  /** As it came with the request. */
  readonly value: unknown;
  /** Of the attribute. */
  readonly path: ErrorPath;
  /** What to do with keys of an element that no element has. */
  readonly unknownKeys: 'reject' | 'ignore';
  /** By which it is known what clients read of a target, and send back. Undefined: nothing counts as that. */
  readonly types?: ContentTypes | undefined;
}

/** `change` is undefined where there is nothing to do, and where there are issues. */
export interface RelationValueResult {
  readonly change: RelationChange | undefined;
  readonly issues: readonly Issue[];
}

/** What all parts of a value are checked with. */
export interface ValueContext {
  readonly attribute: RelationTargets;
  readonly unknownKeys: 'reject' | 'ignore';
  readonly types: ContentTypes | undefined;
  /** Whether an entry may be named twice in what replaces all. */
  readonly repeats: 'allow' | 'reject';
  readonly issues: IssueList;
}

type Verb = 'set' | 'connect' | 'disconnect';

const VERBS: ReadonlySet<string> = new Set<Verb>(['set', 'connect', 'disconnect']);
const ELEMENT_KEYS: ReadonlySet<string> = new Set(['id', 'type', '__type', 'position']);

/** Checks the keys of an element that names an entry of `type`, whatever it is used for. */
function checkKeys(element: JsonObject, verb: Verb, path: ErrorPath, type: string, context: ValueContext): void {
  const { issues, unknownKeys, types } = context;
  const isShown = (key: string): boolean => types !== undefined && isShownKey(types, type, key);
  if (verb !== 'connect' && Object.hasOwn(element, 'position') && !isShown('position')) {
    issues.add(path, `must not have a position: only elements of connect have one`);
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

/** Elements of an array; those that fail are reported and left out. */
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
    if (seen.has(key)) issues.add(target.path, `names the entry ${target.id} again: each can be named once`);
    seen.add(key);
  }
}

function parseSet(elements: readonly unknown[], path: ErrorPath, context: ValueContext): RelationChange {
  const targets = parseElements(elements, path, (element, at) => parseTarget(element, 'set', at, context));
  if (context.repeats === 'reject') reportDuplicates(targets, context.issues);
  return { kind: 'set', targets };
}

/** The array under `connect` or `disconnect`; null and a missing one are empty. */
function elementsOf(value: JsonObject, verb: Verb, path: ErrorPath, { issues }: ValueContext): readonly unknown[] {
  const elements = Object.hasOwn(value, verb) ? (value[verb] ?? []) : [];
  if (Array.isArray(elements)) return elements;
  issues.add([...path, verb], 'must be an array');
  return [];
}

function parsePartial(value: JsonObject, path: ErrorPath, context: ValueContext): RelationChange | undefined {
  const connect = parseElements(elementsOf(value, 'connect', path, context), [...path, 'connect'], (element, at) =>
    parseConnect(element, at, context),
  );
  reportDuplicates(connect, context.issues);
  const disconnect = parseElements(
    elementsOf(value, 'disconnect', path, context),
    [...path, 'disconnect'],
    (element, at) => parseTarget(element, 'disconnect', at, context),
  );
  return connect.length + disconnect.length === 0 ? undefined : { kind: 'change', connect, disconnect };
}

function parseVerbs(value: JsonObject, path: ErrorPath, context: ValueContext): RelationChange | undefined {
  const { issues } = context;
  const unknown = Object.keys(value).find((key) => !VERBS.has(key));
  if (unknown !== undefined) {
    issues.add(
      path,
      `has the unknown key ${JSON.stringify(unknown.slice(0, 50))}: id, set, connect and disconnect are known`,
    );
  }
  if (!Object.hasOwn(value, 'set')) return parsePartial(value, path, context);
  if (Object.hasOwn(value, 'connect') || Object.hasOwn(value, 'disconnect')) {
    issues.add(path, 'must not have set beside connect or disconnect');
  }
  const elements = value['set'];
  if (Array.isArray(elements)) return parseSet(elements, [...path, 'set'], context);
  issues.add([...path, 'set'], 'must be an array');
  return undefined;
}

/** The change that a value of any shape asks for, as far as it could be read: only good if there are no issues. */
export function parseChange(value: unknown, path: ErrorPath, context: ValueContext): RelationChange | undefined {
  if (value === undefined) return undefined;
  if (value === null) return { kind: 'set', targets: [] };
  if (Array.isArray(value)) return parseSet(value, path, context);
  if (isObject(value) && !Object.hasOwn(value, 'id')) return parseVerbs(value, path, context);
  const target = parseTarget(value, 'set', path, context);
  return target && { kind: 'set', targets: [target] };
}

/**
 * Checks the shape of a relation's value and normalises it. Whether the entries exist, and whether a list has the
 * anchors that are named, is for the planner to say.
 */
export function parseRelationValue(input: RelationValueInput): RelationValueResult {
  const { attribute, value, path, unknownKeys, types } = input;
  const issues = createIssueList();
  const change = parseChange(value, path, { attribute, unknownKeys, types, issues, repeats: 'reject' });
  return { change: issues.all.length === 0 ? change : undefined, issues: issues.all };
}
