/** The part of a GraphQL schema that a role can use. */
import { permissionName } from '../policy/permission-name.ts';
import { type BuiltIn, type Definition, type Field, type GraphqlModel, innerName, type Meaning } from './model.ts';

/** The permissions of fields that call built-in routes; everybody may use the others. */
const BUILT_IN: Readonly<Partial<Record<BuiltIn, readonly [uid: string, action: string]>>> = {
  me: ['user', 'me'],
  user: ['user', 'findOne'],
  users: ['user', 'find'],
  usersConnection: ['user', 'find'],
  createUser: ['user', 'create'],
  updateUser: ['user', 'update'],
  deleteUser: ['user', 'delete'],
  createRole: ['user-role', 'create'],
  updateRole: ['user-role', 'update'],
  deleteRole: ['user-role', 'delete'],
  file: ['file', 'findOne'],
  files: ['file', 'find'],
  filesConnection: ['file', 'find'],
  updateFile: ['file', 'upload'],
  uploadFile: ['file', 'upload'],
  uploadFiles: ['file', 'upload'],
  deleteFile: ['file', 'delete'],
  locale: ['locales', 'find'],
  locales: ['locales', 'find'],
  localesConnection: ['locales', 'find'],
};

/** The permission that a field asks for. `own`: those of endpoints, by field. */
function permissionOf(means: Meaning, own: ReadonlyMap<string, string | undefined>): string | undefined {
  switch (means.is) {
    case 'read':
      return permissionName(means.uid, means.read === 'one' ? 'findOne' : 'find');
    case 'write':
      return permissionName(means.uid, means.write === 'localize' ? 'create' : means.write);
    case 'relation':
      return means.media ? undefined : permissionName(means.target, 'find');
    case 'localizations':
      return permissionName(means.target, 'find');
    case 'builtIn': {
      const [uid, action] = BUILT_IN[means.name] ?? [];
      return uid === undefined || action === undefined ? undefined : permissionName(uid, action);
    }
    case 'own':
      return own.get(means.name);
    default:
      return undefined;
  }
}

function namesIn(definition: Definition): readonly string[] {
  switch (definition.kind) {
    case 'object':
      return definition.fields.flatMap(({ type, args = [] }) => [type, ...args.map((one) => one.type)].map(innerName));
    case 'input':
      return definition.fields.map(({ type }) => innerName(type));
    case 'union':
      return definition.members;
    case 'enum':
    case 'scalar':
      return [];
  }
}

/** Without what can't be reached from Query and Mutation. */
function reachable(model: GraphqlModel): GraphqlModel {
  const byName = new Map(model.map((definition) => [definition.name, definition]));
  const found = new Set<string>();
  const waiting = ['Query', 'Mutation'];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = byName.get(name);
    if (!definition || found.has(name)) continue;
    found.add(name);
    waiting.push(...namesIn(definition));
  }
  return model.filter(({ name }) => found.has(name));
}

export function modelOfRole(
  model: GraphqlModel,
  permissions: ReadonlySet<string>,
  own: ReadonlyMap<string, string | undefined>,
): GraphqlModel {
  const isPermitted = ({ means }: Field): boolean => {
    const permission = permissionOf(means, own);
    return permission === undefined || permissions.has(permission);
  };
  const isHidden = (definition: Definition): boolean =>
    definition.kind === 'object' &&
    definition.of !== undefined &&
    'type' in definition.of &&
    !permissions.has(permissionName(definition.of.type, 'find'));
  const hiddenFilters = new Set(model.filter(isHidden).map(({ name }) => `${name}FiltersInput`));
  const narrowed = model.flatMap((definition): Definition[] => {
    if (definition.kind === 'input') {
      return [{ ...definition, fields: definition.fields.filter(({ type }) => !hiddenFilters.has(innerName(type))) }];
    }
    if (definition.kind !== 'object') return [definition];
    const fields = definition.fields.filter(isPermitted);
    // GraphQL has no objects without fields.
    return fields.length === 0 ? [] : [{ ...definition, fields }];
  });
  return reachable(narrowed);
}
