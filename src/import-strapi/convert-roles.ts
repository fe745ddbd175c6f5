/** Converts Strapi roles to permissions. */
import { BUILT_IN_ROLES } from '#contract/policy/built-in-roles.ts';
import { SCHEMA_ENDPOINTS } from '#contract/routes/built-in.ts';
import { entryActions } from '#contract/routes/entries.ts';
import { roleName } from '../strapi/names.ts';
import { builtInPermission, isOpenToAll, type Permission } from '../strapi/permissions.ts';
import type { ConvertContext } from './convert-context.ts';
import type { DraftRole } from './draft.ts';
import { member, type StrapiRole, type StrapiType } from './strapi-project.ts';

function builtIn(action: string): Permission | undefined {
  const permission = builtInPermission(action);
  return permission && SCHEMA_ENDPOINTS.get(permission[0])?.includes(permission[1]) === true ? permission : undefined;
}

function hasDrafts({ options }: StrapiType): boolean {
  return member(options, 'draftAndPublish') === true;
}

function ofType(action: string, { project, names }: ConvertContext): readonly Permission[] | undefined {
  const cut = action.lastIndexOf('.');
  const type = project.types.find(({ uid }) => uid === action.slice(0, cut));
  const name = type && names.type(type.uid);
  const verb = action.slice(cut + 1);
  if (type === undefined || name === undefined) return undefined;
  if (!entryActions({ kind: type.kind, draftAndPublish: false }).includes(verb)) return undefined;
  // In Strapi, whoever may read published entries may also read drafts.
  const isRead = verb === 'find' || verb === 'findOne';
  return [[name, verb], ...(isRead && hasDrafts(type) ? [[name, 'preview'] as const] : [])];
}

function permissionsOf(role: StrapiRole, context: ConvertContext): ReadonlyMap<string, readonly string[]> {
  const permissions = new Map<string, Set<string>>();
  const unknown: string[] = [];
  for (const action of role.actions) {
    const own = builtIn(action);
    const given = own ? [own] : ofType(action, context);
    if (given === undefined && !isOpenToAll(action)) unknown.push(action);
    for (const [subject, verb] of given ?? []) {
      permissions.set(subject, (permissions.get(subject) ?? new Set()).add(verb));
    }
  }
  if (unknown.length > 0) {
    const message = `has unsupported permissions: ${unknown.join(', ')}`;
    context.find({ kind: 'unsupported', what: `role ${role.type}`, message });
  }
  return new Map(
    [...permissions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([subject, verbs]) => [subject, inOrder(verbs)]),
  );
}

const ORDER = ['find', 'findOne', 'create', 'update', 'delete', 'destroy', 'upload', 'me', 'preview', 'draft'];

function inOrder(verbs: ReadonlySet<string>): readonly string[] {
  return [...verbs].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

function nameOf({ type }: StrapiRole, { find }: ConvertContext): string {
  const name = roleName(type);
  if (name !== type) find({ kind: 'changed', what: `role ${type}`, message: `renamed to ${name}` });
  return name;
}

type Permissions = ReadonlyMap<string, readonly string[]>;

/** Removes `users.me`, which signed-in users have in any case. */
function withoutOwn(permissions: Permissions): Permissions {
  return new Map(
    [...permissions].flatMap(([subject, verbs]) => {
      const rest = subject === 'users' ? verbs.filter((verb) => verb !== 'me') : verbs;
      return rest.length === 0 ? [] : [[subject, rest] as const];
    }),
  );
}

/**
 * The permissions that `permissions` has in addition to those of an extended role; undefined if the extended role
 * allows more.
 */
function beyond(permissions: Permissions, base: Permissions): Permissions | undefined {
  const rest = new Map(permissions);
  for (const [subject, verbs] of base) {
    const own = permissions.get(subject) ?? [];
    if (!verbs.every((verb) => own.includes(verb))) return undefined;
    const more = own.filter((verb) => !verbs.includes(verb));
    if (more.length > 0) rest.set(subject, more);
    else rest.delete(subject);
  }
  return rest;
}

function byImportance(a: StrapiRole, b: StrapiRole): number {
  const [first, second] = [a, b].map(({ type }) =>
    BUILT_IN_ROLES.includes(type) ? BUILT_IN_ROLES.indexOf(type) : BUILT_IN_ROLES.length,
  ) as [number, number];
  return first - second || (a.type < b.type ? -1 : 1);
}

/** The roles, `public` and `authenticated` first. Roles that include all permissions of one of these extend it. */
export function convertRoles(context: ConvertContext): readonly DraftRole[] {
  const { roles = [] } = context.project;
  const all = [...roles].sort(byImportance).map((role) => ({
    role,
    name: nameOf(role, context),
    permissions: withoutOwn(permissionsOf(role, context)),
  }));
  return all.map(({ role, name, permissions }, index) => {
    const comments = role.description === '' || BUILT_IN_ROLES.includes(name) ? [] : [role.description];
    for (const base of all.slice(0, Math.min(index, BUILT_IN_ROLES.length)).reverse()) {
      const rest = base.permissions.size > 0 ? beyond(permissions, base.permissions) : undefined;
      if (rest) return { name, extends: base.name, permissions: rest, comments };
    }
    return { name, extends: undefined, permissions, comments };
  });
}
