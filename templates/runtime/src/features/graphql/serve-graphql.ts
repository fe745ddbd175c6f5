/** `/graphql`: GraphQL over HTTP. */
import { OperationTypeNode } from 'graphql';
import type { Context, Middleware } from 'koa';
import { lazyImport } from '../../base/lazy-import.ts';
import type { FeatureHost } from '../../http/feature.ts';
import { callerOf } from '../../http/request.ts';
import { createDocuments } from './documents.ts';
import { RequestError, requestError } from './errors.ts';
import { type Parameters, parametersOfBody, parametersOfUrl } from './read-request.ts';
import { createRunner, type GraphqlAnswer, operationOf } from './run-operation.ts';
import { createServerSchema } from './server-schema.ts';

const PATH = /^\/graphql\/?$/u;
const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

export type GraphqlHost = FeatureHost<{ readonly production: boolean }>;

/** The media type of the answer: that of GraphQL only for clients that ask for it. Undefined: the client takes none. */
function answerType(ctx: Context): string | undefined {
  const wanted = ctx.get('accept');
  if (wanted === '' || wanted === '*/*') return JSON_TYPE;
  const chosen = ctx.accepts('application/json', 'application/graphql-response+json');
  if (chosen === false) return undefined;
  return chosen === 'application/json' ? JSON_TYPE : GRAPHQL_TYPE;
}

function send(ctx: Context, type: string, status: number, answer: object): void {
  ctx.status = status;
  ctx.body = `${JSON.stringify(answer)}\n`;
  ctx.set('Content-Type', type);
}

function openServer(host: GraphqlHost) {
  const { definition, settings } = host;
  const graphql = definition.graphql ?? { introspection: 'development' };
  const server = createServerSchema(definition.contentTypes, definition.api.format ?? 'v4', graphql);
  const introspection = graphql.introspection === 'always' || !settings.production;
  const documents = createDocuments(server, introspection);
  const run = createRunner(server, host);

  return async function answer(ctx: Context, parameters: Parameters): Promise<GraphqlAnswer> {
    const { query, operationName, variables, extensions } = parameters;
    if (query === undefined || query === '') throw requestError('GraphQL operations must contain a non-empty `query`.');
    const known = documents.read(query, () => introspection);
    const operation = operationOf(known, operationName);
    if (ctx.method === 'GET' && operation.operation !== OperationTypeNode.QUERY) {
      ctx.set('Allow', 'POST');
      throw requestError('GET supports only query operation', 'BAD_REQUEST', 405);
    }
    const answered = await run(ctx, known, { operationName, variables });
    return extensions['cost'] === true ? { ...answered, extensions: { cost: known.cost } } : answered;
  };
}

export function serveGraphql(host: GraphqlHost): Middleware {
  const open = lazyImport(async () => openServer(host));
  const format = host.definition.api.format ?? 'v4';
  return async (ctx, next) => {
    if (!PATH.test(ctx.path)) return next();
    // Invalid credentials are refused, whatever the document asks for.
    callerOf(ctx);
    const type = answerType(ctx);
    try {
      if (ctx.method !== 'POST' && ctx.method !== 'GET') {
        ctx.set('Allow', 'GET, POST');
        throw requestError('GraphQL supports only GET and POST requests', 'BAD_REQUEST', 405);
      }
      if (type === undefined) throw requestError(`The answer is ${JSON_TYPE} or ${GRAPHQL_TYPE}`, 'BAD_REQUEST', 406);
      const parameters = ctx.method === 'GET' ? parametersOfUrl(ctx, format) : await parametersOfBody(ctx, format);
      const answer = await open();
      send(ctx, type, 200, await answer(ctx, parameters));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      send(ctx, type ?? JSON_TYPE, error.status, { errors: error.errors });
    }
  };
}
