/** Permissions in Strapi's format: a tree of plugins, controllers and actions with flags. */
import { addIssue, type Issue, ValidationError } from '../../contract/errors.ts';

type TreePath = readonly [scope: string, controller: string, action: string];

/** The tree of `GET …/roles/:id`: `{"api::article": {"controllers": {"article": {"find": {"enabled": true}}}}}`. */
export type PermissionTree = Readonly<
  Record<
    string,
    { readonly controllers: Readonly<Record<string, Readonly<Record<string, { readonly enabled: boolean }>>>> }
  >
>;

const SCOPES: Readonly<Record<string, readonly [scope: string, controller: string]>> = {
  users: ['plugin::users-permissions', 'user'],
  roles: ['plugin::users-permissions', 'role'],
  tokens: ['plugin::users-permissions', 'token'],
  upload: ['plugin::upload', 'content-api'],
  locales: ['plugin::i18n', 'locales'],
};

const ACTIONS: Readonly<Record<string, string>> = {
  'roles.create': 'createRole',
  'roles.update': 'updateRole',
  'roles.destroy': 'deleteRole',
  'locales.find': 'listLocales',
};

function treePathOf(permission: string): TreePath {
  const [subject = '', action = ''] = permission.split('.');
  const [scope, controller] = (Object.hasOwn(SCOPES, subject) && SCOPES[subject]) || [`api::${subject}`, subject];
  return [scope, controller, ACTIONS[permission] ?? action];
}

/** The tree of all permissions of a server; those in `given` are enabled. */
export function permissionTree(all: readonly string[], given: ReadonlySet<string>): PermissionTree {
  const tree: Record<string, { controllers: Record<string, Record<string, { enabled: boolean; policy: string }>> }> =
    {};
  for (const permission of all) {
    const [scope, controller, action] = treePathOf(permission);
    const { controllers } = (tree[scope] ??= { controllers: {} });
    (controllers[controller] ??= {})[action] = { enabled: given.has(permission), policy: '' };
  }
  return tree;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object. Throws a ValidationError with `path` for anything else. */
function membersOf(value: unknown, path: readonly string[]): (readonly [key: string, member: unknown])[] {
  if (isObject(value)) return Object.entries(value);
  throw new ValidationError([{ path, message: `${path.join('.')} must be an object` }]);
}

/** The enabled actions of a tree, as paths. */
function enabledPaths(tree: unknown): string[] {
  return membersOf(tree, ['permissions']).flatMap(([scope, plugin]) => {
    const controllers = isObject(plugin) && Object.hasOwn(plugin, 'controllers') ? plugin['controllers'] : {};
    return membersOf(controllers, ['permissions', scope]).flatMap(([controller, actions]) =>
      membersOf(actions, ['permissions', scope, controller]).flatMap(([action, setting]) =>
        isObject(setting) && setting['enabled'] === true ? [[scope, controller, action].join(' ')] : [],
      ),
    );
  });
}

/** Validates a list of names. Throws ValidationError. */
function namesIn(list: readonly unknown[]): string[] {
  return list.map((name, index) => {
    if (typeof name === 'string') return name;
    throw new ValidationError([
      { path: ['permissions', String(index)], message: `permissions.${index} must be the name of a permission` },
    ]);
  });
}

/**
 * The permissions of a body: a tree, or a list of names such as `article.find`. Throws ValidationError if it is
 * neither, and for unknown permissions.
 */
export function parsePermissions(value: unknown, all: readonly string[]): readonly string[] {
  const isList = Array.isArray(value);
  const names = isList ? namesIn(value) : enabledPaths(value);
  const known = new Map(all.map((name) => [isList ? name : treePathOf(name).join(' '), name]));
  const issues: Issue[] = [];
  for (const name of names) {
    if (!known.has(name)) addIssue(issues, ['permissions'], () => `there is no permission ${name.slice(0, 100)}`);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return [...new Set(names)].flatMap((name) => known.get(name) ?? []);
}
