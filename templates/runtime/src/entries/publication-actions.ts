/** Actions on an entry whose published version is beside its draft: it is published, taken back, or its draft is discarded. */
import { BadRequestError, NotFoundError } from '../contract/errors.ts';
import { permittingAction } from '../contract/policy/caller.ts';
import { discardSteps } from '../content/publication/publish.ts';
import { sql, type Sql } from '../database/sql.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { CheckedQuery } from '../query/checked-query.ts';
import { queryLocale } from '../query/requested-locale.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { updateWhere } from '../write/columns.ts';
import { addVersionIncrement } from '../write/version.ts';
import type { HookedType, StoredEntry, TypeContext } from './context.ts';
import { type Reached, saveThrough } from './door.ts';
import { ofRow, versionCondition } from './preconditions.ts';
import { keepingProtected } from './rules/kept-on-discard.ts';
import { runWrite } from './run-write.ts';
import { existing, saveEntry } from './save-entry.ts';
import type { PublicationAction } from './service.ts';
import { StaleEntryError } from './stale-entry.ts';
import { findEntry } from './stored-entry.ts';
import { answeredPlan } from './write-entry.ts';

/** The entry that meets the condition, in the locale of the query unless its id names a row. Throws NotFoundError. */
export async function actionTarget(
  { database, types, type }: HookedType,
  { condition, ofRow: isRow }: ActionTarget,
  checked: CheckedQuery,
): Promise<StoredEntry> {
  const locale = type.localized && !isRow ? sql` AND t.locale = ${queryLocale(types, type, checked)}` : sql``;
  const stored = type.draftAndPublish ? await findEntry(database, type, sql`${condition}${locale}`) : undefined;
  if (!stored) throw new NotFoundError();
  return stored;
}

/** How an entry is found, in which rows have the alias `t`. */
export interface ActionTarget {
  readonly condition: Sql;
  /** Whether it names one row, whatever its locale. */
  readonly ofRow: boolean;
}

interface DiscardTarget extends Reached {
  readonly row: number;
  readonly stored: StoredEntry;
}

async function discard(context: TypeContext, request: EntryRequest, target: ActionTarget): Promise<ReadEntry> {
  const { types, type, reader } = context;
  const { caller } = request;
  const action = permittingAction(caller, 'update', type.uid);
  const { entry } = await saveThrough<CheckedQuery, DiscardTarget, CheckedQuery>(context, request, {
    read: () => reader.check(type, request),
    action: () => action,
    async resolve(checked) {
      const stored = await actionTarget(context, target, checked);
      if (!stored.published) throw new BadRequestError('This entry is not published: there is nothing to return to');
      const { version, published, publishedVersion } = stored;
      const now = version === undefined ? undefined : { version, published, publishedVersion };
      return { row: stored.id, stored, ...(now && { state: { now } }) };
    },
    prepare: async (_, checked) => checked,
    write: ({ stored }, checked) =>
      runWrite(context, { call: request, written: { input: {}, self: {} } }, async (tx, run) => {
        const { id } = stored;
        const { dialect } = tx;
        const hooks = run.hooks('afterUpdate', { action });
        const isKept = versionCondition(dialect, ofRow(request.expected, stored));
        const updated = updateWhere(dialect, type.table, {
          condition: sql`id = ${id} AND published_at IS NOT NULL${isKept}`,
          columns: addVersionIncrement(dialect, new Map()),
          noRowError: () => new StaleEntryError(),
        });
        const row = { touches: { table: type.table, ids: [id] }, ...updated };
        const discarded = discardSteps(dialect, { types, type }, id);
        const steps = [row, ...keepingProtected(context, { caller, action }, id, discarded)];
        const subject = { action: 'update', type: type.uid, id, cause: 'discard' } as const;
        const planned = { subject, id, row, steps: [...hooks.before(id), ...steps, ...hooks.after(id)] };
        return answeredPlan(planned, checked.entry);
      }),
  });
  return entry;
}

/** The entry as it is afterwards. Throws NotFoundError, and BadRequestError for a draft to discard of what is not published. */
export async function actOnEntry(
  context: TypeContext,
  action: PublicationAction,
  target: ActionTarget,
  request: EntryRequest,
): Promise<ReadEntry> {
  if (action === 'discard-draft') return discard(context, request, target);
  const publishedAt = action === 'publish' ? new Date().toISOString() : null;
  const { entry } = await saveEntry(context, request, {
    given: {},
    action: 'update',
    async read() {
      const checked = await context.reader.check(context.type, request);
      return { checked: { ...checked, alone: false }, data: { publishedAt } };
    },
    resolve: async ({ checked }) => existing(await actionTarget(context, target, checked)),
  });
  return entry;
}
