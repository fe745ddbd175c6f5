/** The roles of the server: `/api/users-permissions/roles`. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from '../rest/request.ts';
import type { PermissionTree, Role, RoleWithPermissions } from './permission-tree.ts';

const PATH = 'users-permissions/roles';

export function useRoles() {
  return useQuery({
    queryKey: ['roles'],
    queryFn: async () => (await ask<{ readonly roles: readonly Role[] }>({ path: PATH })).roles,
    retry: false,
  });
}

/** A role with all available permissions; for a new role, all are disabled. */
export function useRole(id: number | undefined) {
  return useQuery({
    queryKey: ['roles', id],
    queryFn: async (): Promise<Partial<RoleWithPermissions> & { readonly permissions: PermissionTree }> => {
      if (id === undefined) return await ask({ path: 'users-permissions/permissions' });
      return (await ask<{ readonly role: RoleWithPermissions }>({ path: `${PATH}/${id}` })).role;
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
}

export interface RoleInput {
  readonly name: string;
  readonly description: string;
  readonly permissions: PermissionTree;
}

/** The functions throw HttpError with the server's message. */
export function useChangeRoles() {
  const client = useQueryClient();
  const forget = (): Promise<void> => client.invalidateQueries({ queryKey: ['roles'] });
  return {
    async save(id: number | undefined, role: RoleInput): Promise<void> {
      await ask({
        method: id === undefined ? 'POST' : 'PUT',
        path: id === undefined ? PATH : `${PATH}/${id}`,
        body: role,
      });
      await forget();
    },
    async remove(id: number): Promise<void> {
      await ask({ method: 'DELETE', path: `${PATH}/${id}` });
      await forget();
    },
  };
}
