/** Fields of Query and Mutation that call endpoints of the project: their types, from JSON Schema. */
import type { JsonSchema } from '../routes/json-schema.ts';
import type { Argument, Definition, Field, GraphqlModel, InputField } from './model.ts';

/** An endpoint as a field. */
export interface OwnField {
  readonly name: string;
  readonly of: 'Query' | 'Mutation';
  readonly summary?: string | undefined;
  /** The names in its path. */
  readonly params: readonly string[];
  /** An object of its query parameters. */
  readonly query?: JsonSchema | undefined;
  /** An object: its members are arguments. */
  readonly body?: JsonSchema | undefined;
  /** Undefined: it answers nothing, and the field is true. */
  readonly answer?: JsonSchema | undefined;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'String',
  integer: 'Int',
  number: 'Float',
  boolean: 'Boolean',
};

/** What GraphQL allows as a name. */
const NAME = /^(?!__)[A-Za-z_]\w*$/u;

interface Written {
  readonly type: string;
  readonly isNullable: boolean;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A schema without `null`, and whether it allowed it. */
function withoutNull(schema: JsonSchema): { readonly schema: JsonSchema; readonly isNullable: boolean } {
  const { anyOf, type } = schema as { readonly anyOf?: readonly JsonSchema[]; readonly type?: unknown };
  if (Array.isArray(type) && type.includes('null')) {
    const [only, ...others] = type.filter((one) => one !== 'null');
    return { schema: others.length === 0 ? { ...schema, type: only as string } : {}, isNullable: true };
  }
  if (!anyOf) return { schema, isNullable: false };
  const rest = anyOf.filter((one) => one['type'] !== 'null');
  const [only, ...others] = rest;
  return { schema: only && others.length === 0 ? only : {}, isNullable: rest.length < anyOf.length };
}

function membersOf(schema: JsonSchema) {
  const { properties, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return { properties, required: new Set(required) };
}

/** Writes the types of one field. Anything that GraphQL has no type for, such as a union, is `JSON`. */
class Types {
  readonly definitions: Definition[] = [];
  readonly #kind: 'object' | 'input';

  constructor(kind: 'object' | 'input') {
    this.#kind = kind;
  }

  /** The type of a value; objects get `name`. */
  of(given: JsonSchema, name: string): Written {
    const { schema, isNullable } = withoutNull(given);
    return { type: this.#bare(schema, name), isNullable };
  }

  /** The members of an object as fields or arguments. */
  members(schema: JsonSchema, name: string): readonly Argument[] {
    const { properties = {}, required } = membersOf(schema);
    return Object.entries(properties).map(([key, member]) => {
      const { type, isNullable } = this.of(member, `${name}${capitalized(key)}`);
      const isRequired = required.has(key) && !isNullable && member['default'] === undefined;
      return { name: key, type: isRequired ? `${type}!` : type };
    });
  }

  #bare(schema: JsonSchema, name: string): string {
    const { type, items } = schema as { readonly type?: string; readonly items?: JsonSchema };
    if (type === 'array' && items) {
      const element = this.of(items, name);
      return `[${element.type}${element.isNullable ? '' : '!'}]`;
    }
    if (type === 'object') return this.#object(schema, name);
    return SCALARS[type ?? ''] ?? 'JSON';
  }

  #object(schema: JsonSchema, name: string): string {
    const { properties = {} } = membersOf(schema);
    const names = Object.keys(properties);
    if (names.length === 0 || !names.every((one) => NAME.test(one))) return 'JSON';
    const members = this.members(schema, name);
    if (this.#kind === 'object') {
      const fields = members.map((one): Field => ({ ...one, means: { is: 'member', name: one.name } }));
      this.definitions.push({ kind: 'object', name, fields });
    } else {
      const fields = members.map((one): InputField => ({ ...one, means: { is: 'value' } }));
      this.definitions.push({ kind: 'input', name, fields });
    }
    return name;
  }
}

function described(own: OwnField): { readonly field: Field; readonly types: readonly Definition[] } {
  const { name, summary, params, query, body, answer } = own;
  const inputs = new Types('input');
  const outputs = new Types('object');
  const args = [
    ...params.map((param) => ({ name: param, type: 'ID!' })),
    ...(query ? inputs.members(query, `${capitalized(name)}Query`) : []),
    ...(body ? inputs.members(body, `${capitalized(name)}Input`) : []),
  ];
  const names = args.map((one) => one.name);
  const bad = names.find((one, index) => !NAME.test(one) || names.indexOf(one) < index);
  if (bad !== undefined) throw new Error(`the field ${name} of GraphQL can't have the argument ${JSON.stringify(bad)}`);
  const type = answer ? outputs.of(answer, `${capitalized(name)}Answer`).type : 'Boolean';
  const field = { name, type, description: summary, means: { is: 'own', name } } as const;
  return {
    field: args.length > 0 ? { ...field, args } : field,
    types: [...inputs.definitions, ...outputs.definitions],
  };
}

/** The schema with the fields of endpoints. Throws for a name that is none, or that is taken. */
export function withOwnFields(model: GraphqlModel, own: readonly OwnField[]): GraphqlModel {
  if (own.length === 0) return model;
  const taken = new Set(model.map(({ name }) => name));
  const types: Definition[] = [];
  const added: Record<OwnField['of'], Field[]> = { Query: [], Mutation: [] };
  for (const one of own) {
    const { field, types: further } = described(one);
    if (!NAME.test(one.name)) throw new Error(`${JSON.stringify(one.name)} is no name of a field of GraphQL`);
    for (const { name } of further) {
      if (taken.has(name)) throw new Error(`the field ${one.name} of GraphQL would need a second type ${name}`);
      taken.add(name);
    }
    types.push(...further);
    added[one.of].push(field);
  }
  return [
    ...types,
    ...model.map((definition) => {
      if (definition.kind !== 'object' || (definition.name !== 'Query' && definition.name !== 'Mutation')) {
        return definition;
      }
      const further = added[definition.name];
      const known = new Set(definition.fields.map(({ name }) => name));
      const twice = further.find(
        ({ name }, index) => known.has(name) || further.findIndex((f) => f.name === name) < index,
      );
      if (twice) throw new Error(`${definition.name} of GraphQL has a field ${twice.name}: choose another name`);
      return { ...definition, fields: [...definition.fields, ...further] };
    }),
  ];
}
