/** The data of a mutation, as a body of the REST API has it. */
import type { InputDefinition, InputField } from '../../contract/graphql/model.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import type { ServerSchema } from './server-schema.ts';

type Data = Record<string, unknown>;

/** `[LeafInput]` → `LeafInput` */
function innerType(type: string): string {
  return type.replaceAll(/[[\]!]/gu, '');
}

function itemOf(value: unknown, input: InputDefinition, server: ServerSchema): unknown {
  return isObject(value) ? dataOf(value, input, server) : value;
}

/** An id of a row, as a number: GraphQL has them as text. */
function rowId(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/u.test(value) ? Number(value) : value;
}

function related(value: unknown, isMedia: boolean, server: ServerSchema): unknown {
  const one = (id: unknown): unknown => (isMedia || server.format === 'v4' ? rowId(id) : id);
  // As the plugin does, an id counts once.
  return Array.isArray(value) ? [...new Set(value.map(one))] : one(value);
}

/** Targets of changes, which have ids of rows in the v4 format. */
function changes(value: unknown, server: ServerSchema): unknown {
  if (server.format === 'v5' || !isObject(value)) return value;
  const target = (one: unknown): unknown => (isObject(one) ? { ...one, id: rowId(one['id']) } : one);
  return Object.fromEntries(
    Object.entries(value).map(([name, list]) => [name, Array.isArray(list) ? list.map(target) : list]),
  );
}

function memberOf({ means, name, type }: InputField, value: unknown, server: ServerSchema): Data {
  switch (means.is) {
    case 'ignored':
      return {};
    case 'id':
      return { id: rowId(value) };
    case 'related':
      return { [name]: related(value, means.media, server) };
    case 'changes':
      return value === null ? {} : { [means.attribute]: changes(value, server) };
    case 'component': {
      const input = server.inputs.get(innerType(type));
      if (!input) return {};
      return {
        [name]: Array.isArray(value) ? value.map((one) => itemOf(one, input, server)) : itemOf(value, input, server),
      };
    }
    default:
      return { [name]: value };
  }
}

/** The data of an entry or item of which `value` is the coerced input. */
export function dataOf(value: Readonly<Data>, input: InputDefinition, server: ServerSchema): Data {
  const fields = new Map(input.fields.map((field) => [field.name, field]));
  const data: Data = {};
  for (const [name, member] of Object.entries(value)) {
    const field = fields.get(name);
    if (field && member !== undefined) Object.assign(data, memberOf(field, member, server));
  }
  return data;
}
