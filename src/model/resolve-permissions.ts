/** Permissions: a list for each role, with every `*` expanded, and the rules of those that have one. */
import { isDeepStrictEqual } from 'node:util';
import { BUILT_IN_ROLES, PUBLIC } from '#contract/policy/built-in-roles.ts';
import type { Rules } from '#contract/policy/rule.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { PermissionDefinition, RoleDefinition } from '../schema/definition.ts';
import { checkFiles, checkRoleName, checkVisitors } from './check-roles.ts';
import { adviseIndexes } from './advise-indexes.ts';
import type { Component, ContentType, RolePermissions } from './content-model.ts';
import type { ModelContext } from './model-context.ts';
import { ADMIN_PANEL, EVERYTHING, type Grant, type GrantContext, resolveGrants } from './resolve-grants.ts';
import type { LocatedCondition } from './resolve-rule.ts';
import { ruleTypesOf } from './rule-types.ts';
import { ALL_TENANTS, withTenantRules } from './tenant-rules.ts';

/** By permission. */
type Grants = ReadonlyMap<string, Grant>;

/** A role with its own permissions and its definition, which lists the roles it extends. */
interface Role {
  readonly definition: RoleDefinition;
  readonly own: Grants;
}

type Roles = ReadonlyMap<string, Role>;

/** Whether this is `tenants: '*'`, and no permission for a type of that name. */
function isAllTenants({ types }: ModelContext, { subject, actions }: PermissionDefinition): boolean {
  return subject.value === ALL_TENANTS && actions === EVERYTHING && !types.has(ALL_TENANTS);
}

/** Whether a role, or one that it extends, reaches the entries of all tenants. */
function reachesAllTenants(context: ModelContext, roles: Roles, name: string, path: readonly string[] = []): boolean {
  const definition = roles.get(name)?.definition;
  if (!definition || path.includes(name)) return false;
  const isOwn = definition.permissions.some((permission) => isAllTenants(context, permission));
  return isOwn || definition.extends.some(({ value }) => reachesAllTenants(context, roles, value, [...path, name]));
}

/** Signed-in users may read and change their own account. */
function ownAccount(role: string, location: SourceLocation): readonly Grant[] {
  return role === PUBLIC ? [] : [{ permission: 'users.me', location }];
}

function byPermission(grants: readonly Grant[]): Grants {
  return new Map(grants.map((grant) => [grant.permission, grant]));
}

function resolveRole(context: Omit<GrantContext, 'role'>, definition: RoleDefinition): Role {
  const { role } = definition;
  checkRoleName(context, role);
  const permissions = definition.permissions.filter((one) => !isAllTenants(context, one));
  // What is given for one type replaces what `*` gives, so it comes last.
  const isGeneral = ({ subject }: (typeof permissions)[number]): boolean => subject.value === EVERYTHING;
  const ordered = [...permissions.filter(isGeneral), ...permissions.filter((one) => !isGeneral(one))];
  const own = ordered.flatMap((permission) => resolveGrants({ ...context, role: role.value }, permission));
  return { definition, own: byPermission([...ownAccount(role.value, role.location), ...own]) };
}

/** Reports bases of a role that do not exist. */
function checkBases({ report }: ModelContext, roles: Roles, { definition }: Role): void {
  const names = [...new Set([...BUILT_IN_ROLES, ...roles.keys()])].filter((name) => name !== definition.role.value);
  for (const { value, location } of definition.extends) {
    if (names.includes(value) || value === definition.role.value) continue;
    reportError(report, {
      code: 'permission/unknown-role',
      message: `${named(definition.role.value)} extends ${named(value)}, which is not a role`,
      location,
      hint: suggestion(value, names),
    });
  }
}

/** Reports a permission that two bases of a role give with different rules. */
function reportConflict({ report }: ModelContext, { definition }: Role, [one, other]: readonly [Grant, Grant]): void {
  const { role } = definition;
  const [subject = '', action = ''] = one.permission.split('.');
  reportError(report, {
    code: 'permission/rule',
    message: `${named(role.value)} inherits ${named(one.permission)} with different rules`,
    location: definition.extends[0]?.location ?? role.location,
    related: [one, other].map(({ location, rule }) => ({
      message: rule ? 'given here with a rule' : 'given here without a rule',
      location,
    })),
    hint: `state it for ${named(role.value)} itself: \`${subject}: [{ ${action}: … }]\``,
  });
}

/** What the bases of a role give it: the permissions of all of them. */
function inheritedBy(context: ModelContext, roles: Roles, role: Role, path: readonly string[]): Grants {
  const inherited = new Map<string, Grant>();
  for (const { value, location } of role.definition.extends) {
    const isCycle = path.includes(value);
    const isFirst = value === path[0] && path.every((member) => value <= member);
    if (isCycle && isFirst) reportCycle(context, [...path, value], location);
    if (isCycle) continue;
    for (const grant of grantsOf(context, roles, value, path).values()) {
      const other = inherited.get(grant.permission);
      inherited.set(grant.permission, other ?? grant);
      // Reported once: for the role that has both bases, not for those that extend it.
      const isDecided = path.length > 1 || role.own.has(grant.permission);
      if (!other || isDecided || isDeepStrictEqual(other.rule, grant.rule)) continue;
      reportConflict(context, role, [other, grant]);
    }
  }
  return inherited;
}

/** All permissions of a role. `path`: the roles that led here. A cycle is reported once, at its first member by name. */
function grantsOf(context: ModelContext, roles: Roles, name: string, path: readonly string[] = []): Grants {
  const role = roles.get(name);
  const start: SourceLocation = context.schema.name.location;
  if (!role) return byPermission(BUILT_IN_ROLES.includes(name) ? ownAccount(name, start) : []);
  return new Map([...inheritedBy(context, roles, role, [...path, name]), ...role.own]);
}

function reportCycle({ report }: ModelContext, cycle: readonly string[], location: SourceLocation): void {
  reportError(report, {
    code: 'permission/role-cycle',
    message: `roles extend each other in a cycle: ${cycle.map(named).join(' → ')}`,
    location,
    hint: 'remove one of these `extends`',
  });
}

/** Visitors can't use the admin panel, which requires a session: neither by a permission of their own nor by an inherited one. */
function checkAdminPanel(context: ModelContext, roles: Roles): void {
  const definition = roles.get(PUBLIC)?.definition;
  if (!definition) return;
  const own = definition.permissions.filter(({ subject }) => subject.value === ADMIN_PANEL);
  const panel = `${ADMIN_PANEL}.access`;
  const bases = definition.extends.filter(({ value }) => grantsOf(context, roles, value, [PUBLIC]).has(panel));
  for (const { location, base } of [
    ...own.map(({ subject }) => ({ location: subject.location, base: undefined })),
    ...bases.map(({ value, location }) => ({ location, base: value })),
  ]) {
    const how = base === undefined ? '' : `, but ${named(PUBLIC)} inherits it from ${named(base)}`;
    reportError(context.report, {
      code: 'permission/admin',
      message: `visitors can't use the admin panel, which requires an account${how}`,
      location,
      hint: `grant it to a separate role: \`editor: { ${ADMIN_PANEL}: [access] }\``,
    });
  }
}

function rolePermissions(role: string, grants: Grants): RolePermissions {
  const permissions = [...grants.keys()].sort();
  const rules: Rules = Object.fromEntries(
    permissions.flatMap((permission) => {
      const rule = grants.get(permission)?.rule;
      return rule ? [[permission, rule]] : [];
    }),
  );
  return { role, permissions, ...(Object.keys(rules).length > 0 && { rules }) };
}

/** All roles: `public` and `authenticated` first, even if the schema omits them. Problems are reported. */
export function resolvePermissions(
  context: ModelContext,
  contentTypes: readonly ContentType[],
  components: readonly Component[],
): readonly RolePermissions[] {
  const conditions: LocatedCondition[] = [];
  const onCondition = (condition: LocatedCondition): void => void conditions.push(condition);
  const resolving = { ...context, ruleTypes: ruleTypesOf(contentTypes, components), onCondition };
  const roles = new Map(context.schema.roles.map((role) => [role.role.value, resolveRole(resolving, role)]));
  for (const role of roles.values()) checkBases(context, roles, role);
  const further = [...roles.keys()].filter((role) => !BUILT_IN_ROLES.includes(role)).sort();
  const given = [...BUILT_IN_ROLES, ...further].map((role) => rolePermissions(role, grantsOf(context, roles, role)));
  const resolved = withTenantRules(context, contentTypes, given, (role) => reachesAllTenants(context, roles, role));
  checkAdminPanel(context, roles);
  checkVisitors(context, resolved);
  checkFiles(context, resolved);
  adviseIndexes(context, contentTypes, conditions);
  return resolved;
}
