/** Publishes an entry, or takes it back, when that is due: as the server, through the steps of every write. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { NotFoundError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { sql } from '../../database/sql.ts';
import { actOnEntry } from '../../entries/publication-actions.ts';
import type { CallsInTransaction } from '../../http/feature.ts';
import type { Format } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import type { ScheduledAction } from './publication-rows.ts';

const ID_ALONE = queryOf({ fields: ['id'] });

/** Who publishes, and by the rules of which format. */
export interface Publishing {
  readonly types: ContentTypes;
  readonly caller: Caller;
  readonly format: Format;
}

/** The type of an entry that is published at a time. Throws NotFoundError if there is none any more. */
export function scheduledType({ types }: ContentTypes, uid: string): ContentType {
  const type = Object.hasOwn(types, uid) ? types[uid] : undefined;
  if (!type?.draftAndPublish) throw new NotFoundError();
  return type;
}

/** Throws NotFoundError if the entry is gone, and what a request to publish it would throw. */
export async function publishEntry(
  { types, caller, format }: Publishing,
  { hooked }: CallsInTransaction,
  { type: uid, id, action }: { readonly type: string; readonly id: number; readonly action: ScheduledAction },
): Promise<void> {
  const { validators, ...context } = hooked(scheduledType(types, uid));
  if (!validators) throw new NotFoundError();
  const target = { condition: sql`t.id = ${id}`, ofRow: true };
  await actOnEntry({ ...context, validators }, action, target, { caller, format, query: ID_ALONE });
}
