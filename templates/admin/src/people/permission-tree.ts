/** Permissions in the format of the API: by plug-in, controller and action. */

interface Permission {
  readonly enabled: boolean;
  readonly policy?: string;
}

export interface PermissionTree {
  readonly [plugin: string]: {
    readonly controllers: { readonly [controller: string]: { readonly [action: string]: Permission } };
  };
}

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly nb_users?: number;
}

export interface RoleWithPermissions extends Role {
  readonly permissions: PermissionTree;
}

/** A row of the matrix: one type or endpoint. */
export interface PermissionRow {
  readonly plugin: string;
  readonly controller: string;
  /** What people call it: `content-api` of `plugin::upload` is `upload`. */
  readonly name: string;
  readonly actions: Readonly<Record<string, boolean>>;
}

export function rowsOf(tree: PermissionTree): readonly PermissionRow[] {
  return Object.entries(tree).flatMap(([plugin, { controllers }]) =>
    Object.entries(controllers).map(([controller, actions]) => ({
      plugin,
      controller,
      name: controller === 'content-api' ? plugin.replace('plugin::', '') : controller,
      actions: Object.fromEntries(Object.entries(actions).map(([action, { enabled }]) => [action, enabled])),
    })),
  );
}

export function withPermission(
  tree: PermissionTree,
  row: PermissionRow,
  action: string,
  enabled: boolean,
): PermissionTree {
  const { plugin, controller } = row;
  const controllers = tree[plugin]?.controllers ?? {};
  const changed = { ...controllers[controller], [action]: { enabled, policy: '' } };
  return { ...tree, [plugin]: { controllers: { ...controllers, [controller]: changed } } };
}
