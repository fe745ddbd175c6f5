/** The fields that a selection asks for: fragments are resolved, and fields of the same response key are merged. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** An operation with the values of its variables. */
export interface OperationScope {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Response key → its fields. */
export type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>;

function isIncluded(node: SelectionNode, { variables }: OperationScope): boolean {
  if (!node.directives || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

interface Collecting {
  readonly scope: OperationScope;
  /** Names of types whose fragments apply. */
  readonly names: ReadonlySet<string>;
  readonly fields: Map<string, FieldNode[]>;
  readonly visited: Set<string>;
}

function add(collecting: Collecting, { selections }: SelectionSetNode): void {
  const { scope, names, fields, visited } = collecting;
  for (const selection of selections) {
    if (!isIncluded(selection, scope)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const known = fields.get(key);
      if (known) known.push(selection);
      else fields.set(key, [selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const on = selection.typeCondition?.name.value;
      if (on === undefined || names.has(on)) add(collecting, selection.selectionSet);
    } else {
      const name = selection.name.value;
      const fragment = scope.fragments.get(name);
      if (!fragment || visited.has(name)) continue;
      visited.add(name);
      if (names.has(fragment.typeCondition.name.value)) add(collecting, fragment.selectionSet);
    }
  }
}

/** The fields of an object with these `names`: that of its type, and those of the unions that it is a member of. */
export function collectFields(
  scope: OperationScope,
  names: ReadonlySet<string>,
  selectionSets: Iterable<SelectionSetNode>,
): CollectedFields {
  const collecting: Collecting = { scope, names, fields: new Map(), visited: new Set() };
  for (const set of selectionSets) add(collecting, set);
  return collecting.fields;
}

/** The selections of fields of the same response key. */
export function selectionsOf(nodes: readonly FieldNode[]): SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
}
