/** What each role may do, in memory: as it is in the database, at most a second ago. */
import { NO_SIBLINGS, type Siblings } from '../base/siblings.ts';
import type { Database } from '../database/database.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { createPermissionSets, type PermissionSets } from './permission-sets.ts';
import { accessVersion, fillRoles, PUBLIC, readRoles, type RolePermissions } from './role-rows.ts';

export interface Role {
  readonly id: number;
  readonly type: string;
  readonly permissions: ReadonlySet<string>;
}

export interface Access {
  /** Who calls without credentials. */
  publicCaller(): Caller;
  role(id: number): Role | undefined;
  roleOfType(type: string): Role | undefined;
  readonly sets: PermissionSets;
  /** What a request waits for first; undefined, most of the time, where nothing is to be looked up. */
  refresh(): Promise<void> | undefined;
  /** Reads roles and permissions again, after this instance changed them. */
  reload(): Promise<void>;
}

interface Loaded {
  readonly version: number;
  readonly byId: ReadonlyMap<number, Role>;
  readonly byType: ReadonlyMap<string, Role>;
  readonly publicCaller: Caller;
}

/** How long what was read is good, in milliseconds. */
const FRESH = 1000;
const TOPIC = 'access';

function callerOf(role: Role | undefined, sets: PermissionSets): Caller {
  return Object.freeze({ kind: 'public', role: PUBLIC, permissions: role?.permissions ?? sets([]) });
}

/**
 * Reads the roles when they are first needed; `roles` are those of the schema, which fill tables that are empty. Other
 * instances, and other processes such as the command line, are noticed by a counter in the database, which is looked at
 * once a second while requests come; `others` tell at once.
 */
export function createAccess(
  database: Database,
  roles: RolePermissions,
  others: Pick<Siblings, 'tell' | 'onTold'> = NO_SIBLINGS,
  now: () => number = Date.now,
): Access {
  const sets = createPermissionSets();
  let loaded: Loaded | undefined;
  let checkedAt = -Infinity;
  let told = 0;
  let running: Promise<void> | undefined;

  async function load(): Promise<void> {
    // Before the rows: a change in between is then noticed next time.
    const version = await accessVersion(database);
    const read = (await readRoles(database)).map((role): Role => ({ ...role, permissions: sets(role.permissions) }));
    const byType = new Map(read.map((role) => [role.type, role]));
    const publicCaller = callerOf(byType.get(PUBLIC), sets);
    loaded = { version, byId: new Map(read.map((role) => [role.id, role])), byType, publicCaller };
  }

  async function look(): Promise<void> {
    const [startedAt, heard] = [now(), told];
    if (!loaded) {
      await fillRoles(database, roles);
      await load();
    } else if ((await accessVersion(database)) !== loaded.version) {
      await load();
    }
    // What was told meanwhile may be missing in what was read.
    if (told === heard) checkedAt = startedAt;
  }

  // The next request looks, rather than the first one a second later.
  others.onTold(TOPIC, () => {
    checkedAt = -Infinity;
    told += 1;
  });

  return {
    sets,
    publicCaller: () => loaded?.publicCaller ?? callerOf(undefined, sets),
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
      others.tell(TOPIC, null);
    },
  };
}
