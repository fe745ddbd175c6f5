/** Which roles of the schema may send which request: to content types, built-in routes, and the project's endpoints. */
import type { AdminSettings } from '../contract/admin.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import { usedGroups } from '../contract/routes/built-in.ts';
import type { MountedRoute } from '../contract/routes/entries.ts';
import type { RolePermissions } from '../access/role-rows.ts';
import { schemaRoutes } from './check-routers.ts';
import { declaredEndpoints, type DeclaresEndpoints, mountedOf } from './mount-endpoints.ts';

/** The part of the server definition that the matrix is derived from. */
export interface PermittingDefinition {
  readonly contentTypes: ContentTypes;
  readonly roles: RolePermissions;
  readonly admin?: AdminSettings;
}

/** A request, and the roles of the schema whose users may send it. */
export interface PermissionRow {
  /** `POST` */
  readonly method: string;
  /** `/api/articles/{id}/like` */
  readonly path: string;
  /** `article.update`; undefined: everybody may send it. */
  readonly permission: string | undefined;
  readonly roles: readonly string[];
}

function rowsOf(routes: readonly MountedRoute[], roles: RolePermissions): readonly PermissionRow[] {
  return routes.map(({ method, path, permission }) => ({
    method,
    path,
    permission,
    roles: Object.keys(roles).filter((role) => permission === undefined || roles[role]?.includes(permission)),
  }));
}

/** The rows of the endpoints declared in code. */
export function endpointPermissions(
  { roles }: Pick<PermittingDefinition, 'roles'>,
  extensions: DeclaresEndpoints,
): readonly PermissionRow[] {
  return rowsOf(declaredEndpoints(extensions).map(mountedOf), roles);
}

/** The rows of all requests. */
export function permissionMatrix(
  { contentTypes, roles, admin }: PermittingDefinition,
  extensions: DeclaresEndpoints,
): readonly PermissionRow[] {
  const uids = new Set(Object.keys(contentTypes.types));
  const builtIn = usedGroups(uids, new Set(admin ? ['admin'] : [])).flatMap(({ routes }) => routes);
  return [...rowsOf([...schemaRoutes(contentTypes), ...builtIn], roles), ...endpointPermissions({ roles }, extensions)];
}
