/** Reads the parameters of a GraphQL request: GraphQL over HTTP. */
import type { Context } from 'koa';
import { isObject } from '../../content/relations/entry-ref.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/values/parse-json.ts';
import { hasJson, readObject } from '../../http/body.ts';
import { requestError } from './errors.ts';

export interface Parameters {
  readonly query: string | undefined;
  /** The name of a trusted document, in place of `query`. */
  readonly documentId: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

function textIn(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw requestError(`\`${name}\` in a POST body must be a string if provided.`);
}

/** `mayBeText`: clients of v4 also send it as JSON text. */
function objectIn(
  given: Readonly<Record<string, unknown>>,
  name: string,
  mayBeText = false,
): Readonly<Record<string, unknown>> {
  const value = given[name];
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  if (typeof value === 'string') {
    if (mayBeText) return objectIn({ [name]: parsedJson(value, name) }, name);
    throw requestError(
      `\`${name}\` in a POST body should be provided as an object, not a recursively JSON-encoded string.`,
    );
  }
  throw requestError(`\`${name}\` in a POST body must be an object if provided.`);
}

function parametersIn(given: Readonly<Record<string, unknown>>, format: 'v4' | 'v5'): Parameters {
  return {
    query: textIn(given, 'query'),
    // Relay calls it `doc_id`.
    documentId: textIn(given, 'documentId') ?? textIn(given, 'doc_id'),
    operationName: textIn(given, 'operationName'),
    variables: objectIn(given, 'variables', format === 'v4'),
    extensions: objectIn(given, 'extensions'),
  };
}

function parsedJson(text: string, name: string): unknown {
  try {
    return parseJson(text, `\`${name}\``);
  } catch (error) {
    if (error instanceof BadRequestError) throw requestError(error.message);
    throw error;
  }
}

function jsonIn(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name);
  return text === null || text === '' ? undefined : parsedJson(text, name);
}

/** The parameters in the URL. */
export function parametersOfUrl(ctx: Context, format: 'v4' | 'v5'): Parameters {
  const parameters = new URLSearchParams(ctx.querystring);
  for (const name of ['query', 'documentId', 'doc_id', 'operationName', 'variables', 'extensions']) {
    if (parameters.getAll(name).length > 1) throw requestError(`The \`${name}\` search parameter must be given once.`);
  }
  const given = {
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    doc_id: parameters.get('doc_id'),
    operationName: parameters.get('operationName'),
    variables: jsonIn(parameters, 'variables'),
    extensions: jsonIn(parameters, 'extensions'),
  };
  return parametersIn(given, format);
}

/** The parameters in a body. */
export function parametersOf(body: object, format: 'v4' | 'v5'): Parameters {
  return parametersIn(body as Readonly<Record<string, unknown>>, format);
}

/** The parameters in the body, which is JSON: no form can send it from another site. Throws HttpError. */
export async function parametersOfBody(ctx: Context, format: 'v4' | 'v5'): Promise<Parameters> {
  if (!hasJson(ctx)) {
    throw requestError('The body must be application/json: other types could be sent from other sites (CSRF)');
  }
  return parametersOf(await readObject(ctx), format);
}
