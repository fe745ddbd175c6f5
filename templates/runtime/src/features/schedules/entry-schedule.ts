/** Reads and sets when an entry is published and taken back. Whoever may publish it may do so. */
import { ForbiddenError, type Issue, ValidationError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { RELEASE_SUBJECT } from '../../contract/events/event-names.ts';
import { type MovedClock, readNow } from '../../database/moved-clock.ts';
import type { Subject } from '../../database/write-plan.ts';
import type { HookedType } from '../../entries/context.ts';
import { type Reached, saveThrough } from '../../entries/door.ts';
import { type ActionTarget, actionTarget } from '../../entries/publication-actions.ts';
import { attributeRule, mayName } from '../../entries/rules/ruled-data.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { type Entry, PUBLICATION_ACTIONS, rowsOfEntry, setTime } from './publication-rows.ts';
import { readTime, refuseUnknown } from './read-times.ts';
import { scheduleView, type ScheduleView, timeText } from './schedule-view.ts';

/** Who has set a time, as JSON. */
export function actorOf({ kind, userId, tokenId }: Caller): string {
  const id = tokenId ?? userId;
  return JSON.stringify(id === undefined ? { kind } : { kind, id });
}

/** Throws ForbiddenError if a rule permits updates, but none of the publication. */
export function requireMayPublish({ type }: HookedType, caller: Caller): void {
  const rule = attributeRule(caller, 'update', type);
  if (rule && !mayName(rule, type, 'publishedAt')) throw new ForbiddenError('this role may not publish the entry');
}

interface RowReached extends Reached {
  readonly row: number;
}

type Times = readonly { readonly action: (typeof PUBLICATION_ACTIONS)[number]; readonly time: number | null }[];

/** Throws ValidationError. */
function timesIn(body: Readonly<Record<string, unknown>>, now: number): Times {
  const issues: Issue[] = [];
  refuseUnknown(body, ['publishAt', 'unpublishAt'], issues);
  const times = PUBLICATION_ACTIONS.flatMap((action) => {
    const time = readTime(body, `${action}At`, { now, issues });
    return time === undefined ? [] : [{ action, time }];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return times;
}

/** The subject of a write that sets times of an entry, which is not changed itself. */
function setSubject({ type, id }: Entry, times: Times): Subject {
  const details = Object.fromEntries(
    times.map(({ action, time }) => [`${action}At`, time === null ? null : timeText(time)]),
  );
  return { action: 'update', type: RELEASE_SUBJECT, id, recorded: { event: 'schedule.set', of: type, details } };
}

/** Throws ValidationError if the entry would be taken back before it is published. */
function requireOrder({ publishAt, unpublishAt }: ScheduleView): void {
  if (publishAt === null || unpublishAt === null || publishAt < unpublishAt) return;
  throw new ValidationError([{ path: ['unpublishAt'], message: 'unpublishAt must be after publishAt' }]);
}

/** Passes the steps of every write to the entry, and then does the work. */
async function atEntry<T>(
  context: HookedType,
  target: ActionTarget,
  request: EntryRequest,
  work: (row: number) => Promise<T>,
): Promise<T> {
  const { entry } = await saveThrough<Awaited<ReturnType<typeof context.reader.check>>, RowReached, undefined, T>(
    context,
    request,
    {
      read: () => context.reader.check(context.type, request),
      action: () => 'update',
      async resolve(checked) {
        const { id, version, published, publishedVersion } = await actionTarget(context, target, checked);
        return { row: id, ...(version !== undefined && { state: { now: { version, published, publishedVersion } } }) };
      },
      async authorize() {
        requireMayPublish(context, request.caller);
      },
      prepare: async () => undefined,
      write: ({ row }) => work(row),
    },
  );
  return entry;
}

export function getSchedule(context: HookedType, target: ActionTarget, request: EntryRequest): Promise<ScheduleView> {
  const { database, type } = context;
  return atEntry(context, target, request, async (id) =>
    scheduleView(await rowsOfEntry(database, { type: type.uid, id })),
  );
}

export async function setSchedule(
  context: HookedType,
  target: ActionTarget,
  request: EntryRequest & { readonly body: object; readonly clock: MovedClock },
): Promise<ScheduleView> {
  const { database, type } = context;
  const now = await readNow(database, request.clock);
  const times = timesIn(request.body as Readonly<Record<string, unknown>>, now);
  const actor = actorOf(request.caller);
  return atEntry(context, target, request, (id) =>
    database.transaction(async (tx) => {
      const entry = { type: type.uid, id };
      await tx.dialect.lockKeys(tx, [`schedule ${entry.type} ${id}`]);
      const steps = times.flatMap(({ action, time }) => setTime(entry, action, { time, actor }));
      await tx.write(async () => ({
        subjects: [setSubject(entry, times)],
        by: request,
        steps,
        answer: () => undefined,
      }));
      const view = scheduleView(await rowsOfEntry(tx, entry));
      requireOrder(view);
      return view;
    }),
  );
}
