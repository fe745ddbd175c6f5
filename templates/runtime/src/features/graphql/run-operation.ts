/** Runs an operation of a document: its fields of Query at once, those of Mutation one after the other. */
import {
  execute,
  getVariableValues,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { Context } from 'koa';
import { createAnswerBudget } from '../../base/cost/answer-budget.ts';
import type { ApiSettings } from '../../contract/api-settings.ts';
import { HttpError } from '../../contract/errors.ts';
import { innerName } from '../../contract/graphql/model.ts';
import { countRefusal } from '../../http/audit.ts';
import type { FeatureHost } from '../../http/feature.ts';
import { callerOf } from '../../http/request.ts';
import * as state from '../../http/state.ts';
import { type BuiltInScope, runBuiltIn } from './built-in-fields.ts';
import { collectFields } from './collect-fields.ts';
import type { KnownDocument } from './documents.ts';
import { readEntries, type RootField, type Shape, writeEntry } from './entry-fields.ts';
import { type AnswerError, documentErrors, fieldError, requestError } from './errors.ts';
import { runOwnField } from './own-fields.ts';
import { createPlans } from './plans.ts';
import { objectNamed } from './selection.ts';
import type { KnownObject, ServerSchema } from './server-schema.ts';
import { addError, MISSING, type Shaping } from './shape.ts';

/** What a request asks for. */
export interface GraphqlRequest {
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface GraphqlAnswer {
  readonly errors?: readonly AnswerError[];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Fields of Query that are read at once. */
const AT_ONCE = 4;

/** The operation that a request names, or the only one. Throws RequestError. */
export function operationOf({ operations }: KnownDocument, name: string | undefined): OperationDefinitionNode {
  const [only, ...others] = operations;
  if (name === undefined || name === '') {
    if (!only) throw requestError('Must provide an operation.', 'OPERATION_RESOLUTION_FAILURE');
    if (others.length === 0) return only;
    throw requestError(
      'Must provide operation name if query contains multiple operations.',
      'OPERATION_RESOLUTION_FAILURE',
    );
  }
  const found = operations.find((operation) => operation.name?.value === name);
  if (!found) throw requestError(`Unknown operation named "${name}".`, 'OPERATION_RESOLUTION_FAILURE');
  return found;
}

/** Scalars whose values are taken as they are, if they have this type. */
const PLAIN: Readonly<Record<string, string>> = { ID: 'string', String: 'string', Boolean: 'boolean' };

/** The values of variables, if all of them are given and plain: which needs no look into the schema. */
function plainVariables(
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const values: Record<string, unknown> = {};
  for (const { variable, type } of definitions) {
    const { value: name } = variable.name;
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (named.kind !== Kind.NAMED_TYPE || typeof value !== PLAIN[named.name.value]) return undefined;
    values[name] = value;
  }
  return values;
}

function variablesOf(
  { schema }: ServerSchema,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const plain = plainVariables(operation.variableDefinitions ?? [], given);
  if (plain) return plain;
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 50 });
  if (errors) throw documentErrors(errors, 'BAD_USER_INPUT');
  return coerced;
}

/** The answers of fields about the schema itself. */
async function introspect(
  { schema }: ServerSchema,
  { document }: KnownDocument,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const selections = operation.selectionSet.selections.filter(
    (one) => one.kind !== Kind.FIELD || one.name.value.startsWith('__'),
  );
  const about = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const others = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const { data } = await execute({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [about, ...others] },
    variableValues: variables,
  });
  return data ?? {};
}

/** A budget that stays exceeded once it is: then no further field is read or written. */
function lastingBudget(api: ApiSettings): Shaping['budget'] & { require(): void } {
  const { size } = createAnswerBudget(api);
  let exceeded: unknown;
  return {
    size(count, path) {
      try {
        size(count, path);
      } catch (error) {
        exceeded = error;
        throw error;
      }
    },
    require() {
      if (exceeded !== undefined) throw exceeded;
    },
  };
}

type Host = Pick<FeatureHost<unknown>, 'definition' | 'logger' | 'reader' | 'calls' | 'route' | 'ownFields' | 'audit'>;

/** Creates the function that runs operations. */
export function createRunner(server: ServerSchema, host: Host) {
  const { logger } = host;
  const plansOf = createPlans();
  const ownFields = new Map(host.ownFields.map((own) => [own.field.name, own]));

  async function runField(scope: BuiltInScope, parent: KnownObject, field: RootField): Promise<Shape> {
    const means = parent.byName.get(field.node.name.value)?.means;
    if (means?.is === 'read') return readEntries(scope, field, means);
    if (means?.is === 'write') return writeEntry(scope, field, means);
    if (means?.is === 'builtIn') return runBuiltIn(scope, field, means.name);
    const own = means?.is === 'own' ? ownFields.get(means.name) : undefined;
    if (own) return runOwnField(scope, field, own);
    throw new Error(`${field.key} is no field of ${parent.name}`);
  }

  return async function run(ctx: Context, known: KnownDocument, request: GraphqlRequest): Promise<GraphqlAnswer> {
    const operation = operationOf(known, request.operationName);
    const variables = variablesOf(server, operation, request.variables);
    const scope: BuiltInScope = {
      server,
      api: host.definition.api,
      caller: callerOf(ctx),
      fragments: known.fragments,
      variables,
      ctx,
      planOf: plansOf({ operation, fragments: known.fragments }),
      services: host.calls,
      reader: host.reader,
      route: (id) => host.route(id),
    };
    const parent = objectNamed(scope, operation.operation === OperationTypeNode.MUTATION ? 'Mutation' : 'Query');
    const fields = [...collectFields(scope, parent.names, [operation.selectionSet])];
    const budget = lastingBudget(host.definition.api);
    const shaping: Shaping = { errors: [], budget };
    const data: Record<string, unknown> = {};
    let about: Promise<Readonly<Record<string, unknown>>> | undefined;
    // A field that must not be null, and is: then nothing is left of the answer, and later mutations are not run.
    let isLost = false;
    const answer = async ([key, nodes]: (typeof fields)[number]): Promise<void> => {
      const [node] = nodes;
      if (!node || isLost) return;
      const name = node.name.value;
      if (name === '__typename') {
        data[key] = parent.name;
        return;
      }
      if (name.startsWith('__')) {
        about ??= introspect(server, known, operation, request.variables);
        data[key] = (await about)[key] ?? null;
        return;
      }
      const type = parent.byName.get(name)?.type ?? '';
      const inner = innerName(type);
      const path = { before: undefined, key };
      try {
        budget.require();
        const shape = await runField(scope, parent, { key, nodes, node, parent: parent.name, inner });
        const value = shape(path, shaping);
        data[key] = value === MISSING || value === undefined ? null : value;
      } catch (error) {
        countRefusal(host.audit, error);
        // Whoever repeats the request must be able to tell that it was not, or maybe not, carried out.
        const isDecided = error instanceof GraphQLError || (error instanceof HttpError && error.status < 500);
        if (!isDecided && state.requestKey.get(ctx)) throw error;
        data[key] = null;
        addError(shaping, fieldError(error, [key], { logger, requestId: state.requestId.get(ctx) }));
      }
      isLost ||= data[key] === null && type.endsWith('!');
    };
    // In the order of the document, whichever is answered first.
    for (const [key] of fields) data[key] = null;
    const atOnce = operation.operation === OperationTypeNode.QUERY ? AT_ONCE : 1;
    for (let start = 0; start < fields.length; start += atOnce) {
      await Promise.all(fields.slice(start, start + atOnce).map(answer));
    }
    const answered = isLost ? null : data;
    return shaping.errors.length > 0 ? { errors: shaping.errors, data: answered } : { data: answered };
  };
}
