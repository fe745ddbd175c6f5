/** Releases: entries that are published, or taken back, together. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import {
  ConflictError,
  ForbiddenError,
  type Issue,
  NotFoundError,
  PreconditionFailedError,
  ValidationError,
} from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import { type MovedClock, readNow } from '../../database/moved-clock.ts';
import { NewId } from '../../database/new-id.ts';
import { deleteRows, sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import type { HookedType } from '../../entries/context.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { insertInto } from '../../write/columns.ts';
import { actorOf } from './entry-schedule.ts';
import { requirePublishable, visibleItems } from './item-rights.ts';
import { byCaller, changedMeanwhile, checkItems, publishRelease, type ReleaseHost } from './publish-release.ts';
import { readTime, refuseUnknown } from './read-times.ts';
import { readItems } from './release-items.ts';
import {
  findRelease,
  type ItemRefusal,
  listReleases,
  plannedRelease,
  RELEASE_STATE,
  type ReleaseItem,
  type ReleaseRow,
  table,
} from './release-rows.ts';
import { revertRelease } from './revert-release.ts';
import { timeText } from './schedule-view.ts';
import { RELEASES_TABLE } from '../../contract/schedules/schedule-tables.ts';

/** Releases in one answer. */
const PAGE = 100;
const MAX_NAME = 255;
const KNOWN = ['name', 'items', 'at', 'version'];

interface Host extends ReleaseHost {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly clock: MovedClock;
  hooked(type: ContentType): HookedType;
}

export interface ReleaseView {
  readonly id: number;
  readonly name: string;
  readonly state: ReleaseRow['state'];
  readonly at: string | null;
  readonly items: readonly ReleaseItem[];
  readonly hidden: number;
  readonly version: number;
  readonly createdAt: string;
  readonly publishedAt: string | null;
  readonly refusals: readonly ItemRefusal[];
}

export interface Releases {
  list(before: number | undefined, call: CallContext): Promise<readonly ReleaseView[]>;
  get(id: number, call: CallContext): Promise<ReleaseView>;
  create(body: object, call: CallContext): Promise<ReleaseView>;
  update(id: number, body: object, call: CallContext): Promise<ReleaseView>;
  remove(id: number, call: CallContext): Promise<void>;
  check(id: number, call: CallContext): Promise<readonly ItemRefusal[]>;
  publish(id: number, call: CallContext): Promise<ReleaseView>;
  revert(id: number, call: CallContext): Promise<ReleaseView>;
}

/** What a body says of a release; undefined stays as it is. */
interface Given {
  readonly name: string | undefined;
  readonly items: readonly ReleaseItem[] | undefined;
  readonly at: number | null | undefined;
  readonly version: number | undefined;
}

async function readBody({ database, types, clock }: Host, given: object, isNew: boolean): Promise<Given> {
  const body = given as Readonly<Record<string, unknown>>;
  const issues: Issue[] = [];
  refuseUnknown(body, KNOWN, issues);
  const { name, items, version } = body;
  const isNamed = typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME;
  if (!isNamed && (isNew || name !== undefined)) {
    issues.push({ path: ['name'], message: `name must be a text of up to ${MAX_NAME} characters` });
  }
  const at = readTime(body, 'at', { now: await readNow(database, clock), issues });
  if (issues.length > 0) throw new ValidationError(issues);
  return {
    name: isNamed ? name : undefined,
    items: items === undefined ? undefined : await readItems(database, types, items),
    at,
    version: typeof version === 'number' ? version : undefined,
  };
}

/** Throws ForbiddenError unless the caller may publish what is planned. */
async function requirePlannable(host: Host, items: readonly ReleaseItem[], call: CallContext): Promise<void> {
  if (!call.caller.permissions.has('releases.publish')) {
    throw new ForbiddenError({
      message: 'You may not set when a release is published',
      reason: `${call.caller.role} lacks releases.publish`,
    });
  }
  await requirePublishable(host, items, call);
}

/** Throws ValidationError for items that the caller may not know of, as if they were not there. */
async function requireSeen(host: Host, items: readonly ReleaseItem[], call: CallContext): Promise<void> {
  const isSeen = await visibleItems(host, items, call);
  const issues = items.flatMap((item, index) =>
    isSeen(item)
      ? []
      : [{ path: ['items', String(index), 'id'], message: `items.${index}.id is not that of an entry` }],
  );
  if (issues.length > 0) throw new ValidationError(issues);
}

async function viewOf(host: Host, release: ReleaseRow, call: CallContext): Promise<ReleaseView> {
  const { id, name, state, items, plannedAt, version, createdAt, publishedAt, refusals } = release;
  const isSeen = await visibleItems(host, items, call);
  const shown = items.filter(isSeen);
  return {
    id,
    name,
    state,
    at: plannedAt === undefined ? null : timeText(plannedAt),
    items: shown,
    hidden: items.length - shown.length,
    version,
    createdAt: timeText(createdAt),
    publishedAt: publishedAt === undefined ? null : timeText(publishedAt),
    refusals: refusals.flatMap((refusal) => {
      const item = items[refusal.item];
      if (item && !isSeen(item)) return [];
      return [{ ...refusal, item: item ? shown.indexOf(item) : -1 }];
    }),
  };
}

/** Hidden items stay in the release when the items that the caller sees are set. */
async function mergedItems(
  host: Host,
  former: readonly ReleaseItem[],
  given: readonly ReleaseItem[] | undefined,
  call: CallContext,
): Promise<readonly ReleaseItem[]> {
  if (!given) return former;
  const isSeen = await visibleItems(host, former, call);
  const isGiven = ({ type, id }: ReleaseItem): boolean => given.some((one) => one.type === type && one.id === id);
  return [...given, ...former.filter((item) => !isSeen(item) && !isGiven(item))];
}

export function createReleases(host: Host): Releases {
  const { database } = host;

  async function existing(id: number): Promise<ReleaseRow> {
    const found = await findRelease(database, id);
    if (!found) throw new NotFoundError();
    return found;
  }
  const view = async (id: number, call: CallContext) => viewOf(host, await existing(id), call);
  const requireOpen = ({ state }: ReleaseRow): void => {
    if (state !== 'open' && state !== 'planned') throw new ConflictError(`The release is ${state} already`);
  };

  return {
    async list(before, call) {
      const found = await listReleases(database, { before, most: PAGE });
      const views: ReleaseView[] = [];
      for (const release of found) views.push(await viewOf(host, release, call));
      return views;
    },
    get: view,
    async create(body, call) {
      const { name, items = [], at = null } = await readBody(host, body, true);
      await requireSeen(host, items, call);
      if (at !== null) await requirePlannable(host, items, call);
      const id = new NewId(RELEASES_TABLE);
      const now = await readNow(database, host.clock);
      const row = insertInto(
        database.dialect,
        RELEASES_TABLE,
        new Map<string, string | number | null>([
          ['name', name ?? ''],
          ['items', JSON.stringify(items)],
          ['planned_at', at],
          ['state', at === null ? RELEASE_STATE.open : RELEASE_STATE.planned],
          ['due_at', at ?? 0],
          ['attempts', 0],
          ['version', 1],
          ['actor', actorOf(call.caller)],
          [COLUMN_NAMES.createdAt, now],
        ]),
        { generatedId: id, returnsId: true },
      );
      const subjects = [plannedRelease('create', id, at)];
      await database.write(async () => ({ subjects, by: call, steps: [row], answer: () => undefined }));
      return view(id.value, call);
    },
    async update(id, body, call) {
      const former = await existing(id);
      const { name = former.name, items: given, at, version = former.version } = await readBody(host, body, false);
      if (version !== former.version) throw new PreconditionFailedError(former.version);
      requireOpen(former);
      const items = await mergedItems(host, former.items, given, call);
      if (given) await requireSeen(host, given, call);
      const isRefused = former.state === 'open' && former.plannedAt !== undefined;
      const time = at === undefined ? (isRefused ? null : (former.plannedAt ?? null)) : at;
      if (time !== null) await requirePlannable(host, items, call);
      const state = time === null ? RELEASE_STATE.open : RELEASE_STATE.planned;
      const row: Statement = {
        sql: sql`UPDATE ${table} SET name = ${name}, items = ${JSON.stringify(items)}, planned_at = ${time}, state = ${state}, due_at = ${time ?? 0}, lease = NULL, attempts = 0, reason = NULL, version = version + 1 WHERE id = ${id} AND version = ${version}`,
        returns: 'changes',
        noRowError: changedMeanwhile,
      };
      const subjects = [plannedRelease('update', id, time)];
      await database.write(async () => ({ subjects, by: call, steps: [row], answer: () => undefined }));
      return view(id, call);
    },
    async remove(id, call) {
      const row: Statement = {
        sql: deleteRows(table, sql`id = ${id}`),
        returns: 'changes',
        noRowError: () => new NotFoundError(),
      };
      const subjects = [plannedRelease('delete', id)];
      await database.write(async () => ({ subjects, by: call, steps: [row], answer: () => undefined }));
    },
    async check(id, call) {
      const { items } = await existing(id);
      const isSeen = await visibleItems(host, items, call);
      return checkItems(host, items.filter(isSeen), byCaller(host, call));
    },
    async publish(id, call) {
      const release = await existing(id);
      requireOpen(release);
      await requirePublishable(host, release.items, call);
      const where = sql`version = ${release.version} AND state IN (${RELEASE_STATE.planned}, ${RELEASE_STATE.open})`;
      await publishRelease(host, release, { publish: byCaller(host, call), where, by: call, gone: changedMeanwhile });
      return view(id, call);
    },
    async revert(id, call) {
      const release = await existing(id);
      await requirePublishable(host, release.items, call);
      await revertRelease(host, release, call);
      return view(id, call);
    },
  };
}
