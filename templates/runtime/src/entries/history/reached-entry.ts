/** The entry whose history is asked for: whoever may read it now may read what it was. */
import { ForbiddenError, NotFoundError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { sql } from '../../database/sql.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { invalidValue } from '../../query/invalid-parameter.ts';
import { ownValue, textOf } from '../../query/query-value.ts';
import type { TypeContext } from '../context.ts';
import type { ActionTarget } from '../publication-actions.ts';
import { amongWhich, ANY_STATE } from '../rules/action-rules.ts';
import { findEntry, type FoundEntry } from '../stored-entry.ts';

/** Throws ForbiddenError unless the caller may read entries of the type in all states. */
function requireReader({ type }: TypeContext, { caller }: EntryRequest): void {
  const read = type.kind === 'singleType' ? 'find' : 'findOne';
  const needed = [read, 'history', ...(type.draftAndPublish ? (['preview'] as const) : [])] as const;
  const lacking = needed.find((action) => !may(caller, action, type.uid));
  if (lacking === undefined) return;
  throw new ForbiddenError({
    reason: `${caller.role} lacks ${permissionName(type.uid, lacking)}, needed for a history`,
  });
}

/** The locale of the query, or the default. */
function localeOf({ types, type }: TypeContext, { query }: EntryRequest): string {
  const asked = ownValue(query.tree(), 'locale');
  const locale = asked === undefined || asked === '' ? (types.locales[0] ?? '') : textOf(asked, 'locale');
  if (type.localized && !types.locales.includes(locale)) {
    throw invalidValue('locale', 'this server has no such locale');
  }
  return locale;
}

/** Throws NotFoundError for an entry that is not there, or hidden from the caller. */
export async function reachedEntry(
  context: TypeContext,
  { condition, ofRow }: ActionTarget,
  request: EntryRequest,
): Promise<FoundEntry> {
  requireReader(context, request);
  const { database, reader, type } = context;
  const { caller, requestId, client } = request;
  const locale = type.localized && !ofRow ? sql` AND t.locale = ${localeOf(context, request)}` : sql``;
  const stored = await findEntry(database, type, sql`${condition}${locale}`);
  if (!stored) throw new NotFoundError();
  const seen = { caller, requestId, client, query: ANY_STATE };
  const isSeen =
    type.kind === 'singleType'
      ? (await reader.matching(type, seen, [stored.id])).has(stored.id)
      : (await reader.one(type, seen, stored.id)) !== undefined;
  if (!isSeen) throw new NotFoundError();
  const permitted = await amongWhich(context, [stored.id], request, { question: 'history' });
  if (!permitted.has(stored.id)) {
    throw new ForbiddenError({
      reason: `the rule of ${permissionName(type.uid, 'history')} refuses it to ${caller.role}`,
    });
  }
  return stored;
}
