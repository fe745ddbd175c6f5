/** The schema of a server, for validating and for translating documents. */
import {
  buildASTSchema,
  GraphQLEnumType,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  parse,
} from 'graphql';
import type { ContentTypes } from '../../contract/content-type.ts';
import { describeGraphql } from '../../contract/graphql/describe-schema.ts';
import type {
  EnumDefinition,
  Field,
  GraphqlModel,
  InputDefinition,
  ObjectDefinition,
} from '../../contract/graphql/model.ts';
import { type OwnField, withOwnFields } from '../../contract/graphql/own-fields.ts';
import { printGraphql } from '../../contract/graphql/print-schema.ts';
import { graphqlScope } from '../../contract/graphql/scope.ts';
import type { GraphqlSettings } from '../../contract/graphql/settings.ts';
import { scalarValues, zoneValues } from './scalars.ts';

/** A described object, with its fields by name. */
export interface KnownObject extends ObjectDefinition {
  readonly byName: ReadonlyMap<string, Field>;
  /** Its own name, and the names of the unions that it is a member of. */
  readonly names: ReadonlySet<string>;
}

export interface ServerSchema {
  readonly format: 'v4' | 'v5';
  readonly types: ContentTypes;
  readonly settings: GraphqlSettings;
  readonly schema: GraphQLSchema;
  readonly objects: ReadonlyMap<string, KnownObject>;
  readonly inputs: ReadonlyMap<string, InputDefinition>;
  readonly enums: ReadonlyMap<string, EnumDefinition>;
  /** Name of a union → its members. */
  readonly unions: ReadonlyMap<string, readonly string[]>;
  /** Uid of a content type or component → the name of its object. */
  readonly nameOf: ReadonlyMap<string, string>;
}

/** Gives scalars and enumerations the values that the server's own code takes. */
function defineValues(schema: GraphQLSchema, model: GraphqlModel, format: 'v4' | 'v5'): void {
  for (const definition of model) {
    const type = schema.getType(definition.name);
    if (definition.kind === 'enum' && type instanceof GraphQLEnumType) {
      for (const value of type.getValues()) value.value = definition.values.get(value.name) ?? value.name;
    }
    if (definition.kind === 'scalar' && type instanceof GraphQLScalarType) {
      Object.assign(type, definition.components ? zoneValues(definition) : scalarValues(definition.name, format));
    }
  }
}

/** Default values that name a value of an enumeration: they were read before `defineValues`. */
function defineDefaults(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType)) continue;
    for (const { args } of Object.values(type.getFields())) {
      for (const argument of args) {
        const of = argument.type;
        if (of instanceof GraphQLEnumType && typeof argument.defaultValue === 'string') {
          argument.defaultValue = of.getValue(argument.defaultValue)?.value ?? argument.defaultValue;
        }
      }
    }
  }
}

function byName<Of extends { readonly name: string }>(all: readonly Of[]): ReadonlyMap<string, Of> {
  return new Map(all.map((one) => [one.name, one]));
}

function known(definition: ObjectDefinition, unions: ReadonlyMap<string, readonly string[]>): KnownObject {
  const containing = [...unions].filter(([, members]) => members.includes(definition.name)).map(([name]) => name);
  return { ...definition, byName: byName(definition.fields), names: new Set([definition.name, ...containing]) };
}

function ofKind<Kind extends GraphqlModel[number]['kind']>(model: GraphqlModel, kind: Kind) {
  return model.filter((one): one is Extract<GraphqlModel[number], { kind: Kind }> => one.kind === kind);
}

/** The schema of these types, with fields of the project's own. */
export function createServerSchema(
  types: ContentTypes,
  format: 'v4' | 'v5',
  settings: GraphqlSettings,
  own: readonly OwnField[],
): ServerSchema {
  const model = withOwnFields(describeGraphql(graphqlScope(types, format, settings)), own);
  const schema = buildASTSchema(parse(printGraphql(model), { noLocation: true }), { assumeValidSDL: true });
  defineValues(schema, model, format);
  defineDefaults(schema);
  const unions = new Map(ofKind(model, 'union').map(({ name, members }) => [name, members]));
  const objects = ofKind(model, 'object').map((definition) => known(definition, unions));
  const names = objects.flatMap(({ name, of }): [string, string][] => {
    if (!of) return [];
    return [['type' in of ? of.type : of.component, name]];
  });
  return {
    format,
    types,
    settings,
    schema,
    objects: byName(objects),
    inputs: byName(ofKind(model, 'input')),
    enums: byName(ofKind(model, 'enum')),
    unions,
    nameOf: new Map(names),
  };
}
