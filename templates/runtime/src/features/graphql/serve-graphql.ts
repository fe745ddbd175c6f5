/** `/graphql`: GraphQL over HTTP. */
import { Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { Context, Middleware } from 'koa';
import type { FeatureHost } from '../../http/feature.ts';
import { keyed } from '../../http/keyed.ts';
import { reply } from '../../http/reply.ts';
import { callerOf } from '../../http/request.ts';
import * as state from '../../http/state.ts';
import { createDocuments } from './documents.ts';
import { RequestError, requestError } from './errors.ts';
import { serveGraphiql } from './graphiql.ts';
import { type Parameters, parametersOf, parametersOfBody, parametersOfUrl } from './read-request.ts';
import { createRunner, type GraphqlAnswer, operationOf } from './run-operation.ts';
import { documentTexts } from './trusted-documents.ts';
import { withUploads } from './uploaded-files.ts';
import { createServerSchema } from './server-schema.ts';

const PATH = /^\/graphql\/?$/u;
const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

export type GraphqlHost = FeatureHost<{ readonly production: boolean }>;

/**
 * The media type of the answer: that of GraphQL only for clients that ask for it. Undefined for a client that takes none, to which the
 * plugin of v4 answers JSON all the same.
 */
function answerType(ctx: Context, format: 'v4' | 'v5'): string | undefined {
  const wanted = ctx.get('accept');
  if (wanted === '' || wanted === '*/*') return JSON_TYPE;
  const chosen = ctx.accepts('application/json', 'application/graphql-response+json');
  if (chosen === false && format === 'v5') return undefined;
  return chosen === 'application/graphql-response+json' ? GRAPHQL_TYPE : JSON_TYPE;
}

/** An answer that clients and caches may keep, and ask for again by its ETag. */
function sendCached(ctx: Context, type: string, answer: object): void {
  ctx.vary('Accept');
  reply(ctx, { body: `${JSON.stringify(answer)}\n`, tag: undefined });
  if (ctx.status !== 304) ctx.set('Content-Type', type);
}

function send(ctx: Context, type: string, status: number, answer: object): void {
  ctx.status = status;
  // Before the body, whose type would otherwise be guessed.
  ctx.set('Content-Type', type);
  ctx.body = `${JSON.stringify(answer)}\n`;
}

/** Throws RequestError for a mutation by GET, and for a key with a document of several writes. */
function checkMethod(ctx: Context, { operation, selectionSet }: OperationDefinitionNode): void {
  const isQuery = operation === OperationTypeNode.QUERY;
  if (ctx.method === 'GET' && !isQuery) {
    ctx.set('Allow', 'POST');
    throw requestError('GET supports only query operation', 'BAD_REQUEST', 405);
  }
  const isOneField = selectionSet.selections.length === 1 && selectionSet.selections[0]?.kind === Kind.FIELD;
  if (state.requestKey.get(ctx) && !isQuery && !isOneField) {
    throw requestError('A request with an Idempotency-Key has one field of Mutation: each is a write of its own');
  }
}

type Answering = (ctx: Context, parameters: Parameters) => Promise<GraphqlAnswer>;

export function openServer(host: GraphqlHost): Answering {
  const { definition, settings } = host;
  const graphql = definition.graphql ?? { introspection: 'development' };
  const server = createServerSchema(
    definition.contentTypes,
    definition.api.format ?? 'v4',
    graphql,
    host.ownFields.map(({ field }) => field),
  );
  const introspection = graphql.introspection === 'always' || !settings.production;
  const documents = createDocuments(server, introspection);
  const texts = documentTexts(host.trustedDocuments, graphql.trusted === 'only' && settings.production);
  const run = createRunner(server, host);

  return async function answer(ctx: Context, parameters: Parameters): Promise<GraphqlAnswer> {
    const { operationName, variables, extensions } = parameters;
    const known = documents.read(texts.of(parameters), () => introspection);
    const operation = operationOf(known, operationName);
    checkMethod(ctx, operation);
    const answered = await run(ctx, known, { operationName, variables });
    return extensions['cost'] === true ? { ...answered, extensions: { cost: known.cost } } : answered;
  };
}

/** `open`: what `openServer` returns, on first use. */
export function serveGraphql(host: GraphqlHost, open: () => Promise<Answering>): Middleware {
  const format = host.definition.api.format ?? 'v4';
  // As the plugins of the formats do.
  const takesFiles = format === 'v4' && host.definition.contentTypes.types['file'] !== undefined;
  const handle: Middleware = async (ctx) => {
    // Invalid credentials are refused, whatever the document asks for.
    callerOf(ctx);
    const type = answerType(ctx, format);
    try {
      if (ctx.method !== 'POST' && ctx.method !== 'GET') {
        ctx.set('Allow', 'GET, POST');
        throw requestError('GraphQL supports only GET and POST requests', 'BAD_REQUEST', 405);
      }
      if (type === undefined) throw requestError(`The answer is ${JSON_TYPE} or ${GRAPHQL_TYPE}`, 'BAD_REQUEST', 406);
      const answer = await open();
      if (takesFiles && ctx.is('multipart/form-data')) {
        const answered = await withUploads(ctx, (body) => answer(ctx, parametersOf(body, format)));
        return send(ctx, type, 200, answered);
      }
      const parameters = ctx.method === 'GET' ? parametersOfUrl(ctx, format) : await parametersOfBody(ctx, format);
      const answered = await answer(ctx, parameters);
      if (ctx.method === 'GET' && !answered.errors) sendCached(ctx, type, answered);
      else send(ctx, type, 200, answered);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      send(ctx, type ?? JSON_TYPE, error.status, { errors: error.errors });
    }
  };
  const { production } = host.settings;
  return async (ctx, next) => {
    if (!production && ctx.path.startsWith('/graphql') && (await serveGraphiql(ctx))) return undefined;
    if (!PATH.test(ctx.path)) return next();
    return keyed(ctx, () => Promise.resolve(handle(ctx, next)));
  };
}
