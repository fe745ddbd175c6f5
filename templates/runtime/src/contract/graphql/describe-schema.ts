/** The GraphQL schema of a server, from the descriptors of its content types. */
import { builtInMutations, builtInQueries, builtInTypes } from './built-in-fields.ts';
import { commonTypes } from './common-types.ts';
import { componentTypes, entryTypes } from './entry-types.ts';
import type { Definition, GraphqlModel, UnionDefinition } from './model.ts';
import { componentName, typeName } from './naming.ts';
import { entryMutations, entryQueries } from './root-fields.ts';
import { type GraphqlScope, ownTypes } from './scope.ts';

function genericMorph(scope: GraphqlScope): UnionDefinition {
  const components = Object.keys(scope.types.components).map(componentName);
  const types = Object.keys(scope.types.types).map(typeName);
  return { kind: 'union', name: 'GenericMorph', members: [...components, ...types] };
}

export function describeGraphql(scope: GraphqlScope): GraphqlModel {
  const { types, components } = scope.types;
  const builtIn = ['file', 'user-role', 'user'].flatMap((uid) => types[uid] ?? []);
  const definitions: Definition[] = [
    ...commonTypes(scope),
    ...Object.values(components).flatMap((component) => componentTypes(scope, component)),
    ...builtIn.flatMap((type) => entryTypes(scope, type)),
    ...ownTypes(scope).flatMap((type) => entryTypes(scope, type)),
    genericMorph(scope),
    ...builtInTypes(scope),
    { kind: 'object', name: 'Query', fields: [...builtInQueries(scope), ...entryQueries(scope)] },
    { kind: 'object', name: 'Mutation', fields: [...entryMutations(scope), ...builtInMutations(scope)] },
  ];
  return definitions;
}
