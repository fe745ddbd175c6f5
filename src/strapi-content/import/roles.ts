/** Roles and their permissions: the schema takes precedence; roles that it does not have keep the permissions of the archive. */
import { SUBJECTS } from '#contract/policy/permission-name.ts';
import { knownPermissions } from '#contract/policy/permissions.ts';
import type { ContentTypes } from '#contract/content-type.ts';
import type { ProjectContent } from '#contract/content-transfer.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { roleName } from '../../strapi/names.ts';
import { PERMISSION, ROLE } from '../../strapi/own-names.ts';
import { builtInPermission, isOpenToAll } from '../../strapi/permissions.ts';
import { member } from '../../strapi/records.ts';
import type { Findings } from '../findings.ts';
import type { SourceTypes } from './source-types.ts';

/** A role in the archive. */
export interface ArchivedRole {
  readonly id: number;
  /** Its name on this server. */
  readonly type: string;
  /** Actions with their names in the archive. */
  readonly actions: readonly string[];
}

/** Reads roles and their permissions, which are few enough to keep in memory. */
export async function readArchivedRoles(archive: StrapiArchive): Promise<readonly ArchivedRole[]> {
  const roles = new Map<number, { id: number; type: string; actions: string[] }>();
  const actions = new Map<number, string>();
  const links: (readonly [permission: number, role: number])[] = [];
  for await (const item of archive.read(['entity', 'link'], 'plugin::users-permissions.')) {
    if (item.kind === 'entity') {
      const { type, id, data } = item.entity;
      const [action, name] = [member(data, 'action'), member(data, 'type')];
      if (type === PERMISSION && typeof action === 'string') actions.set(id, action);
      if (type === ROLE && typeof name === 'string') roles.set(id, { id, type: roleName(name), actions: [] });
    } else if (item.kind === 'link' && item.link.left.type === PERMISSION && item.link.left.field === 'role') {
      links.push([Number(item.link.left.ref), Number(item.link.right.ref)]);
    }
  }
  for (const [permission, role] of links) {
    const action = actions.get(permission);
    if (action !== undefined) roles.get(role)?.actions.push(action);
  }
  return [...roles.values()];
}

/** The permission on this server that corresponds to an action; undefined if there is none. */
function permissionOf({ types }: SourceTypes, action: string): string | undefined {
  const builtIn = builtInPermission(action);
  if (builtIn) return builtIn.join('.');
  const dot = action.lastIndexOf('.');
  const [owner, name] = [action.slice(0, dot), action.slice(dot + 1)];
  const type = types.get(owner)?.type.uid;
  return type === undefined || SUBJECTS.has(type) ? undefined : `${type}.${name}`;
}

export interface PlannedRole {
  /** Undefined for a role that exists only in the schema. */
  readonly id: number | undefined;
  readonly type: string;
  readonly permissions: readonly string[];
}

function mapped(
  source: SourceTypes,
  known: ReadonlySet<string>,
  { actions }: ArchivedRole,
): { permissions: Set<string>; unknown: readonly string[] } {
  const named = actions.map((action) => [action, permissionOf(source, action)] as const);
  const isKnown = (name: string | undefined): name is string => name !== undefined && known.has(name);
  const permissions = new Set(named.flatMap(([, name]) => (isKnown(name) ? [name] : [])));
  // Strapi shows drafts to everyone who may read.
  for (const name of [...permissions]) {
    const preview = name.endsWith('.find') ? `${name.slice(0, -'.find'.length)}.preview` : '';
    if (known.has(preview)) permissions.add(preview);
  }
  return {
    permissions,
    unknown: named.flatMap(([action, name]) => (isKnown(name) || isOpenToAll(action) ? [] : [action])),
  };
}

/** The permissions of each role. The schema takes precedence; differences to the archive are reported. */
export function planRolePermissions(
  contentTypes: ContentTypes,
  source: SourceTypes,
  { roles, archived }: { readonly roles: ProjectContent['roles']; readonly archived: readonly ArchivedRole[] },
  findings: Findings,
): readonly PlannedRole[] {
  const known = new Set(knownPermissions(contentTypes));
  const planned = archived.map((role): PlannedRole => {
    const { permissions, unknown } = mapped(source, known, role);
    for (const action of unknown) {
      findings.add('left', 'permissions that this server does not have', `${role.type}: ${action}`);
    }
    const own = Object.hasOwn(roles, role.type) ? roles[role.type] : undefined;
    if (!own) return { id: role.id, type: role.type, permissions: [...permissions].sort() };
    for (const name of permissions) {
      if (!own.includes(name)) {
        findings.add('changed', 'permissions of the archive that the schema does not grant', `${role.type}: ${name}`);
      }
    }
    for (const name of own) {
      if (!permissions.has(name)) {
        findings.add('changed', 'permissions of the schema that the archive does not grant', `${role.type}: ${name}`);
      }
    }
    return { id: role.id, type: role.type, permissions: own };
  });
  const types = new Set(archived.map(({ type }) => type));
  const further = Object.entries(roles).filter(([type]) => !types.has(type));
  return [...planned, ...further.map(([type, permissions]) => ({ id: undefined, type, permissions }))];
}
