/** Bounds of a document, which are checked before it is validated: validating takes time, too. */
import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { MAX_JSON_DEPTH } from '../../contract/values/json.ts';
import { requestError } from './errors.ts';

/** Maximum length of a document in characters. */
export const MAX_DOCUMENT = 64 * 1024;
/** Maximum number of tokens: names, punctuation and values. */
export const MAX_TOKENS = 10_000;
/** Maximum number of fields, with those of fragments as often as they are used. */
const MAX_FIELDS = 3000;
/** Maximum number of fields of Query or Mutation: each is a statement. */
const MAX_ROOTS = 50;
const MAX_FRAGMENTS = 200;
const MAX_DIRECTIVES = 200;
/** Fields that are compared with each other, when those of the same name are merged. */
const MAX_COMPARED = 250_000;

/** What a document asks for, at most. */
export interface DocumentCost {
  readonly fields: number;
  readonly depth: number;
}

interface Size {
  fields: number;
  depth: number;
}

interface Counting {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly sizes: Map<string, Size>;
  /** Fragments that are being counted: one of them that contains itself is refused by validation. */
  readonly open: Set<string>;
  readonly maxDepth: number;
}

function tooMuch(what: string, limit: number): never {
  throw requestError(`The document has ${what} than ${limit}`, 'GRAPHQL_VALIDATION_FAILED');
}

function fragmentSize(name: string, counting: Counting): Size {
  const known = counting.sizes.get(name);
  if (known) return known;
  const fragment = counting.fragments.get(name);
  if (!fragment || counting.open.has(name)) return { fields: 0, depth: 0 };
  counting.open.add(name);
  const size = sizeOf(fragment.selectionSet, 0, counting);
  counting.open.delete(name);
  counting.sizes.set(name, size);
  return size;
}

/** The fields in a selection, and how deep they are nested. `above` are the levels around it. */
function sizeOf({ selections }: SelectionSetNode, above: number, counting: Counting): Size {
  const size: Size = { fields: 0, depth: 0 };
  // Without a level of its own, a fragment in a fragment could still be nested without end.
  if (above > 4 * counting.maxDepth) tooMuch('selections that are nested deeper', counting.maxDepth);
  for (const selection of selections) {
    let inner: Size = { fields: 0, depth: 0 };
    if (selection.kind === Kind.FRAGMENT_SPREAD) inner = fragmentSize(selection.name.value, counting);
    else if (selection.selectionSet) inner = sizeOf(selection.selectionSet, above + 1, counting);
    const own = selection.kind === Kind.FIELD ? 1 : 0;
    size.fields += own + inner.fields;
    size.depth = Math.max(size.depth, own + inner.depth);
    if (size.fields > MAX_FIELDS) tooMuch('more fields', MAX_FIELDS);
    if (size.depth > counting.maxDepth) tooMuch('fields that are nested deeper', counting.maxDepth);
  }
  return size;
}

/** Lists and objects in values, which are read recursively. `depth`: the number of those around it. */
function checkValue(value: ValueNode, depth = 1): void {
  if (value.kind !== Kind.LIST && value.kind !== Kind.OBJECT) return;
  if (depth > MAX_JSON_DEPTH) tooMuch('values that are nested deeper', MAX_JSON_DEPTH);
  if (value.kind === Kind.LIST) for (const element of value.values) checkValue(element, depth + 1);
  else for (const field of value.fields) checkValue(field.value, depth + 1);
}

function checkArguments(node: { readonly arguments?: readonly { readonly value: ValueNode }[] | undefined }): void {
  for (const { value } of node.arguments ?? []) checkValue(value);
}

/** What merging fields of the same name compares, at most; the directives of the document; and the values that it gives. */
function checkWhole(document: DocumentNode): void {
  const names = new Map<string, number>();
  let directives = 0;
  const takeDirectives = (all: readonly DirectiveNode[] = []): void => {
    directives += all.length;
    for (const directive of all) checkArguments(directive);
  };
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      takeDirectives(selection.directives);
      if (selection.kind === Kind.FIELD) {
        checkArguments(selection);
        const key = selection.alias?.value ?? selection.name.value;
        names.set(key, (names.get(key) ?? 0) + 1);
      }
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet) walk(selection.selectionSet);
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    takeDirectives(definition.directives);
    for (const { defaultValue } of definition.variableDefinitions ?? []) if (defaultValue) checkValue(defaultValue);
    walk(definition.selectionSet);
  }
  if (directives > MAX_DIRECTIVES) tooMuch('more directives', MAX_DIRECTIVES);
  let compared = 0;
  for (const count of names.values()) compared += count * count;
  if (compared > MAX_COMPARED) tooMuch('more fields of the same name', Math.floor(Math.sqrt(MAX_COMPARED)));
}

function rootsOf(operation: OperationDefinitionNode, counting: Counting): number {
  const seen = new Set<string>();
  let roots = 0;
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) roots += 1;
      else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = counting.fragments.get(selection.name.value);
        if (fragment) walk(fragment.selectionSet);
      }
    }
  };
  walk(operation.selectionSet);
  return roots;
}

/** Throws RequestError for a document that is too large to be validated. `maxDepth`: the levels that fields may be nested. */
export function checkBounds(document: DocumentNode, maxDepth: number): DocumentCost {
  const definitions = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  if (definitions.length > MAX_FRAGMENTS) tooMuch('more fragments', MAX_FRAGMENTS);
  const fragments = new Map(definitions.map((fragment) => [fragment.name.value, fragment]));
  const counting: Counting = { fragments, sizes: new Map(), open: new Set(), maxDepth };
  checkWhole(document);
  const cost: Size = { fields: 0, depth: 0 };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragmentSize(definition.name.value, counting);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { fields, depth } = sizeOf(definition.selectionSet, 0, counting);
    cost.fields = Math.max(cost.fields, fields);
    cost.depth = Math.max(cost.depth, depth);
    if (rootsOf(definition, counting) > MAX_ROOTS) tooMuch('more fields of Query or Mutation', MAX_ROOTS);
  }
  return cost;
}
