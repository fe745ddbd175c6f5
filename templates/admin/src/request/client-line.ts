/** Formats a request as a call of the typed client. */
import type { ModelIndex } from '../model/model-context.tsx';
import { type ApiRequest, conditionOf } from '../rest/api-request.ts';

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A value as a JavaScript literal; property names are quoted only if necessary. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${NAME.test(name) ? name : quoted(name)}: ${literal(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The client's name of a type: `work-items` → `workItems`. */
function memberOf(resource: string): string {
  return resource.replaceAll(/-+(.)/gu, (_, letter: string) => letter.toUpperCase());
}

const METHODS = {
  collection: { GET: 'find', POST: 'create', PUT: undefined, PATCH: undefined, DELETE: undefined },
  entry: { GET: 'findOne', POST: undefined, PUT: 'update', PATCH: undefined, DELETE: 'delete' },
  single: { GET: 'find', POST: undefined, PUT: 'save', PATCH: undefined, DELETE: 'delete' },
} as const;

/** The query and options of a call; empty ones are left out, except before others. */
function lastArguments(request: ApiRequest): readonly string[] {
  const [query, options] = [literal(request.query ?? {}), literal(conditionOf(request))];
  if (options !== '{}') return [query, options];
  return query === '{}' ? [] : [query];
}

/** Undefined if the client has no method for the request, as for files and roles. */
export function clientLineOf(request: ApiRequest, index: ModelIndex): string | undefined {
  const { method = 'GET', path, body } = request;
  const [resource = '', id, further] = path.split('/');
  const type = index.model.types.find(({ endpoint }) => endpoint === `/api/${resource}`);
  if (!type || further !== undefined) return undefined;
  const name = METHODS[type.kind === 'single' ? 'single' : id === undefined ? 'collection' : 'entry'][method];
  if (name === undefined) return undefined;
  const data = body === undefined ? undefined : (body as { readonly data?: unknown }).data;
  const given = [
    // Document ids are strings.
    ...(id === undefined ? [] : [/^\d+$/u.test(id) ? id : quoted(id)]),
    ...(data === undefined ? [] : [literal(data)]),
    ...lastArguments(request),
  ];
  return `await api.${memberOf(resource)}.${name}(${given.join(', ')});`;
}
