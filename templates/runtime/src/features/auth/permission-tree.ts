/** Permissions in Strapi's format: a tree of plugins, controllers and actions with flags. */
import { addIssue, type ErrorPath, type Issue, ValidationError } from '../../contract/errors.ts';
import { permissionSet } from '../../contract/policy/permission-set.ts';
import { LINK, type Permissions, type Rule } from '../../contract/policy/rule.ts';

type TreePath = readonly [scope: string, controller: string, action: string];

interface TreeAction {
  readonly enabled: boolean;
  readonly policy: string;
  readonly rule?: Rule;
}

/** The tree of `GET …/roles/:id`: `{"api::article": {"controllers": {"article": {"find": {"enabled": true}}}}}`. */
export type PermissionTree = Readonly<
  Record<string, { readonly controllers: Readonly<Record<string, Readonly<Record<string, TreeAction>>>> }>
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
export function permissionTree(all: readonly string[], given: Permissions): PermissionTree {
  const tree: Record<string, { controllers: Record<string, Record<string, TreeAction>> }> = {};
  const { rules = {} } = given;
  for (const permission of new Set([...all, ...Object.keys(rules)])) {
    const rule = rules[permission];
    const [scope, controller, action] = treePathOf(permission);
    const { controllers } = (tree[scope] ??= { controllers: {} });
    (controllers[controller] ??= {})[action] = {
      enabled: given.has(permission),
      policy: '',
      ...(rule && { rule }),
    };
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

/** A permission as the body of a request has it: its name or its place in a tree, and its rule, if it has one. */
interface Named {
  readonly name: string;
  readonly path: ErrorPath;
  readonly rule?: unknown;
}

/** The enabled actions of a tree. */
function enabledIn(tree: unknown): Named[] {
  return membersOf(tree, ['permissions']).flatMap(([scope, plugin]) => {
    const controllers = isObject(plugin) && Object.hasOwn(plugin, 'controllers') ? plugin['controllers'] : {};
    return membersOf(controllers, ['permissions', scope]).flatMap(([controller, actions]) =>
      membersOf(actions, ['permissions', scope, controller]).flatMap(([action, setting]) =>
        isObject(setting) && setting['enabled'] === true
          ? [
              {
                name: [scope, controller, action].join(' '),
                path: ['permissions', scope, 'controllers', controller, action],
                rule: setting['rule'],
              },
            ]
          : [],
      ),
    );
  });
}

/** Validates a list of names, and of objects with the rule of an action. Throws ValidationError. */
function namedIn(list: readonly unknown[]): Named[] {
  return list.map((element, index) => {
    const path = ['permissions', String(index)];
    if (typeof element === 'string') return { name: element, path };
    if (isObject(element) && typeof element['action'] === 'string') {
      return { name: element['action'], path, rule: element['rule'] };
    }
    throw new ValidationError([
      { path, message: `${path.join('.')} must be the name of a permission, or an object with its action and rule` },
    ]);
  });
}

/** Reads the rule of a permission. Throws ValidationError with paths that begin with `path`. */
export type ReadRule = (rule: unknown, permission: string, path: ErrorPath) => Rule;

/** The name of the permission; undefined if there is none. `link` exists only with a rule. */
function nameFinder(all: readonly string[], isList: boolean): (named: Named) => string | undefined {
  const keyOf = (name: string): string => (isList ? name : treePathOf(name).join(' '));
  const known = new Map(all.map((name) => [keyOf(name), name]));
  const linked = new Set(all.map((name) => `${name.split('.')[0]}.${LINK}`));
  const links = new Map([...linked].map((name) => [keyOf(name), name]));
  return ({ name, rule }) => known.get(name) ?? (rule === undefined ? undefined : links.get(name));
}

/**
 * The permissions of a body: a tree, or a list of names such as `article.find` and of objects with a rule. Throws ValidationError if it
 * is neither, for unknown permissions, and what `readRule` throws; without it, rules are refused.
 */
export function parsePermissions(value: unknown, all: readonly string[], readRule?: ReadRule): Permissions {
  const isList = Array.isArray(value);
  const given = isList ? namedIn(value) : enabledIn(value);
  const nameOf = nameFinder(all, isList);
  const issues: Issue[] = [];
  const names: string[] = [];
  const rules: Record<string, Rule> = {};
  for (const named of given) {
    const { path, rule } = named;
    const name = nameOf(named);
    if (name === undefined) {
      addIssue(issues, ['permissions'], () => `there is no permission ${named.name.slice(0, 100)}`);
      continue;
    }
    names.push(name);
    if (rule === undefined || rule === null) continue;
    if (readRule) rules[name] = readRule(rule, name, [...path, 'rule']);
    else addIssue(issues, [...path, 'rule'], () => `${name} can't have a rule here`);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return permissionSet(names, rules);
}
