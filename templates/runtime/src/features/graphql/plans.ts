/**
 * What a document asks for, translated once: its selections are the same for all requests of the same permissions, whatever the arguments
 * of its fields of Query and Mutation.
 */
import {
  type ASTNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { EntryQuery } from '../../query/entry-query.ts';
import { queryOf } from '../../query/query-of.ts';
import { selectionsOf } from './collect-fields.ts';
import { Level, type PopulatedNode } from './level.ts';
import { objectNamed, type SelectionScope, selectObject } from './selection.ts';
import type { ObjectShape } from './shape.ts';

const MAX_FIELDS = 20_000;
/** Values of variables, or options of a query, that are longer in JSON are not remembered. */
const MAX_KEY = 2000;

/** A field of Query or Mutation in a document. */
export interface PlannedField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  /** The name of the type of its answer, without `!` and `[]`. */
  readonly inner: string;
}

/** A translated selection: what is read, and what is shown of it. */
export class Plan {
  readonly shape: ObjectShape;
  /** What a query shows. */
  readonly shown: PopulatedNode;
  /** Whether the number of entries on all pages is asked for. */
  readonly isCounted: boolean;
  /** In fields. */
  readonly size: number;
  #last: { readonly key: string; readonly query: EntryQuery } | undefined;

  constructor(scope: SelectionScope, field: PlannedField) {
    const level = new Level();
    let size = 1;
    const count = (fields: number): void => void (size += fields);
    const object = objectNamed(scope, field.inner);
    this.shape = selectObject({ ...scope, count }, object, selectionsOf(field.nodes), level);
    this.shown = level.query();
    this.isCounted = level.isCounted;
    this.size = size;
  }

  /** The query of this selection with `options`. That of the last options is kept: often, they are always the same. */
  query(options: Readonly<Record<string, unknown>>): EntryQuery {
    const key = JSON.stringify(options);
    if (this.#last?.key === key) return this.#last.query;
    const query = queryOf({ ...this.shown, ...options }, { aliases: true });
    // Values that are compared are each request's own.
    if (query.values.length === 0 && key.length <= MAX_KEY) this.#last = { key, query };
    return query;
  }
}

/** An operation, with what its selections depend on. */
export interface Planned {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation']);

/** The parts of selections of Query or Mutation that decide what is read and shown: all but the arguments of their fields. */
function deciding(selections: readonly SelectionNode[]): ASTNode[] {
  return selections.flatMap((one): ASTNode[] => {
    const directives = one.directives ?? [];
    if (one.kind === Kind.FIELD) return [...directives, ...(one.selectionSet ? [one.selectionSet] : [])];
    if (one.kind === Kind.INLINE_FRAGMENT) return [...directives, ...deciding(one.selectionSet.selections)];
    return [...directives];
  });
}

/** The names of the variables that decide what is read and shown. */
function decidingVariables({ operation, fragments }: Planned): readonly string[] {
  if ((operation.variableDefinitions ?? []).length === 0) return [];
  const parts = [...fragments.values()].flatMap(({ typeCondition, selectionSet }) =>
    ROOTS.has(typeCondition.name.value) ? deciding(selectionSet.selections) : [selectionSet],
  );
  const names = new Set<string>();
  for (const part of [...deciding(operation.selectionSet.selections), ...parts]) {
    visit(part, { Variable: ({ name }) => void names.add(name.value) });
  }
  return [...names];
}

/** The plan of a field of Query or Mutation. Throws GraphQLError for arguments inside it that are not valid. */
export type PlanOf = (scope: SelectionScope, field: PlannedField) => Plan;

/** Creates the function that makes the plans of an operation, or remembers them. `most`: all remembered plans together, in fields. */
export function createPlans(most = MAX_FIELDS): (planned: Planned) => PlanOf {
  const known = new LRUCache<string, Plan>({ maxSize: most, sizeCalculation: ({ size }) => size });
  const numbers = new WeakMap<object, number>();
  const decidedBy = new WeakMap<OperationDefinitionNode, readonly string[]>();
  let last = 0;
  const numberOf = (object: object): number => {
    const number = numbers.get(object) ?? (last += 1);
    numbers.set(object, number);
    return number;
  };
  return (planned) => {
    const { operation } = planned;
    const names = decidedBy.get(operation) ?? decidingVariables(planned);
    decidedBy.set(operation, names);
    return ({ server, api, caller, fragments, reads, variables: all }, field) => {
      const given = names.filter((name) => Object.hasOwn(all, name));
      const variables = Object.fromEntries(given.map((name) => [name, all[name]]));
      const values = names.length === 0 ? '' : JSON.stringify(variables);
      const key = `${numberOf(operation)} ${numberOf(caller.permissions)} ${field.key} ${values}`;
      const found = known.get(key);
      if (found) return found;
      // Without the request, which a remembered plan must not keep.
      const { permissions } = caller;
      const made = new Plan({ server, api, caller: { permissions }, reads, fragments, variables }, field);
      if (values.length <= MAX_KEY) known.set(key, made);
      return made;
    };
  };
}
