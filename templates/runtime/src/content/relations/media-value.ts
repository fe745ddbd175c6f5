/** Parses the value of a media attribute in a request into the change that it describes. */
import { isAddedFiles } from './added-files.ts';
import { isObject, type JsonObject } from './entry-ref.ts';
import { createIssueList } from './issue-list.ts';
import { keyOf, type RelationChange, type Target } from './relation-change.ts';
import { parseChange, type RelationValueInput, type RelationValueResult } from './relation-value.ts';

/** The value of a media attribute, and how to parse it. */
export type MediaValueInput = Omit<RelationValueInput, 'attribute'> & {
  readonly attribute: { readonly many: boolean };
};

function changesStepwise(value: unknown): value is JsonObject {
  return isObject(value) && (Object.hasOwn(value, 'connect') || Object.hasOwn(value, 'disconnect'));
}

/** Removes duplicates, keeping first occurrences. For an attribute with one file, the first wins, as clients of Strapi 4 expect. */
function chosenFiles(targets: readonly Target[], many: boolean): readonly Target[] {
  const unique = new Map<string, Target>();
  for (const target of targets) {
    if (!unique.has(keyOf(target))) unique.set(keyOf(target), target);
  }
  return many ? [...unique.values()] : [...unique.values()].slice(0, 1);
}

function chosen(change: RelationChange | undefined, many: boolean, adds: boolean): RelationChange | undefined {
  if (change?.kind !== 'set') return change;
  const targets = chosenFiles(change.targets, many);
  if (!adds || !many) return { kind: 'set', targets };
  return {
    kind: 'change',
    connect: targets.map((target) => ({ ...target, position: { kind: 'end' } })),
    disconnect: [],
  };
}

/**
 * Like `parseRelationValue`, for files: they can only be replaced as a whole, so `connect` and `disconnect` are issues. A file
 * named twice counts once.
 */
export function parseMediaValue({ attribute, value, path, unknownKeys, types }: MediaValueInput): RelationValueResult {
  const issues = createIssueList();
  if (changesStepwise(value)) {
    issues.add(path, 'can only be replaced as a whole, not changed by connect or disconnect: no file was changed');
    return { change: undefined, issues: issues.all };
  }
  const files = { targets: ['file'], morph: false };
  const change = parseChange(value, path, { attribute: files, unknownKeys, types, issues, repeats: 'allow' });
  return {
    change: issues.all.length === 0 ? chosen(change, attribute.many, isAddedFiles(value)) : undefined,
    issues: issues.all,
  };
}
