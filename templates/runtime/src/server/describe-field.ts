/** Describes an endpoint as a field of GraphQL. */
import type { OwnField } from '../contract/graphql/own-fields.ts';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import { inlineSchemaOf } from './describe-endpoints.ts';
import type { Endpoint } from './endpoints.ts';

function refuse({ method, path }: Endpoint, why: string): never {
  throw new Error(`the endpoint ${method} ${path} can't be a field of GraphQL: ${why}`);
}

function objectSchema(endpoint: Endpoint, name: 'query' | 'body'): JsonSchema | undefined {
  const schema = endpoint[name];
  if (schema === undefined) return undefined;
  if (typeof schema === 'string') return refuse(endpoint, 'its body is bytes');
  // What a query is converted to: in a URL, everything is text.
  const json = inlineSchemaOf(schema, name === 'query' ? 'output' : 'input');
  return json['type'] === 'object' ? json : refuse(endpoint, `its ${name} is no object`);
}

/** Throws for an endpoint of bytes. */
export function fieldOf(endpoint: Endpoint): OwnField {
  const { method, path, graphql = '', summary, answer } = endpoint;
  if (answer === 'stream') return refuse(endpoint, 'its answer is bytes');
  return {
    name: graphql,
    of: method === 'GET' ? 'Query' : 'Mutation',
    summary,
    params: [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name),
    query: objectSchema(endpoint, 'query'),
    body: objectSchema(endpoint, 'body'),
    answer: answer && inlineSchemaOf(answer, 'output'),
  };
}
