/** Roles and their permissions, cached in memory. Changes in the database are seen within a second. */
import { NO_SIBLINGS, type Siblings } from '../base/siblings.ts';
import type { Database } from '../database/database.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { createPermissionInterner, type InternPermissions } from './intern-permissions.ts';
import type { Permissions } from '../contract/policy/rule.ts';
import { PUBLIC } from '../contract/policy/built-in-roles.ts';
import { accessVersion, fillRoles, readRoles, type SchemaRoles } from './role-rows.ts';

export interface Role {
  readonly id: number;
  readonly type: string;
  readonly permissions: Permissions;
}

export interface Access {
  /** The caller of requests without credentials. */
  publicCaller(): Caller;
  role(id: number): Role | undefined;
  roleOfType(type: string): Role | undefined;
  readonly internPermissions: InternPermissions;
  /** Requests await this first. Undefined, as most of the time, if the cache is fresh. */
  refresh(): Promise<void> | undefined;
  /** Reloads roles and permissions after this process changed them, and notifies the other workers. */
  reload(): Promise<void>;
}

interface Loaded {
  readonly version: number;
  readonly byId: ReadonlyMap<number, Role>;
  readonly byType: ReadonlyMap<string, Role>;
  readonly publicCaller: Caller;
}

/** How long the cache is used before it is checked again, in milliseconds. */
const FRESH = 1000;
const TOPIC = 'access';

function callerOf(role: Role | undefined, sets: InternPermissions): Caller {
  return Object.freeze({ kind: 'public', role: PUBLIC, permissions: role?.permissions ?? sets([]) });
}

/**
 * Loads the roles lazily. Those of the schema fill empty tables. Changes by other instances, and by other
 * processes such as the command line, are detected by a counter in the database, which is checked once a second while requests
 * arrive. Workers of the same server, `others`, notify at once.
 */
export function createAccess(
  database: Database,
  schema: SchemaRoles,
  others: Pick<Siblings, 'publish' | 'subscribe'> = NO_SIBLINGS,
  now: () => number = Date.now,
): Access {
  const internPermissions = createPermissionInterner();
  let loaded: Loaded | undefined;
  let checkedAt = -Infinity;
  let told = 0;
  let running: Promise<void> | undefined;

  async function load(): Promise<void> {
    // Read before the rows, so that a change in between is detected by the next check.
    const version = await accessVersion(database);
    const read = (await readRoles(database, schema.rules !== undefined)).map(
      ({ id, type, permissions, rules }): Role => ({
        id,
        type,
        permissions: internPermissions(permissions, rules),
      }),
    );
    const byType = new Map(read.map((role) => [role.type, role]));
    const publicCaller = callerOf(byType.get(PUBLIC), internPermissions);
    loaded = { version, byId: new Map(read.map((role) => [role.id, role])), byType, publicCaller };
  }

  async function look(): Promise<void> {
    const [startedAt, heard] = [now(), told];
    if (!loaded) {
      await fillRoles(database, schema);
      await load();
    } else if ((await accessVersion(database)) !== loaded.version) {
      await load();
    }
    // If a notification arrived meanwhile, the rows may lack that change: then the next request checks again.
    if (told === heard) checkedAt = startedAt;
  }

  // Makes the next request check, without waiting for the interval to pass.
  others.subscribe(TOPIC, () => {
    checkedAt = -Infinity;
    told += 1;
  });

  return {
    internPermissions,
    publicCaller: () => loaded?.publicCaller ?? callerOf(undefined, internPermissions),
    role: (id) => loaded?.byId.get(id),
    roleOfType: (type) => loaded?.byType.get(type),
    refresh() {
      if (now() - checkedAt < FRESH) return undefined;
      running ??= look().finally(() => {
        running = undefined;
      });
      return running;
    },
    async reload() {
      await load();
      others.publish(TOPIC, null);
    },
  };
}
