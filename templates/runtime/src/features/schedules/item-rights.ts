/** Which items of a release a caller may see, and may publish. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import type { HookedType } from '../../entries/context.ts';
import { amongWhich } from '../../entries/rules/action-rules.ts';
import { visibleAmong } from '../../entries/visible-entry.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { requireMayPublish } from './entry-schedule.ts';
import type { ReleaseItem } from './release-rows.ts';

export interface ItemHost {
  readonly types: ContentTypes;
  hooked(type: ContentType): HookedType;
}

function byType(items: readonly ReleaseItem[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { type, id } of items) found.set(type, [...(found.get(type) ?? []), id]);
  return found;
}

function keyOf(type: string, id: number): string {
  return `${type} ${id}`;
}

async function among(
  { types, hooked }: ItemHost,
  items: readonly ReleaseItem[],
  call: CallContext,
  which: (context: HookedType, ids: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<(item: ReleaseItem) => boolean> {
  const known = new Set<string>();
  for (const [uid, ids] of byType(items)) {
    const type = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
    if (!type) continue;
    for (const id of await which(hooked(type), ids)) known.add(keyOf(uid, id));
  }
  return ({ type, id }) => known.has(keyOf(type, id));
}

/** Whether the caller may know of an item: whoever may find its drafts, or change it. */
export function visibleItems(host: ItemHost, items: readonly ReleaseItem[], call: CallContext) {
  return among(host, items, call, async (context, ids) => {
    const { uid } = context.type;
    const isKnown = may(call.caller, 'preview', uid) || may(call.caller, 'update', uid);
    return isKnown ? visibleAmong(context, ids, call) : new Set();
  });
}

/** Throws ForbiddenError that names the items which the caller may not publish. */
export async function requirePublishable(
  host: ItemHost,
  items: readonly ReleaseItem[],
  call: CallContext,
): Promise<void> {
  const mayPublish = await among(host, items, call, async (context, ids) => {
    const { uid } = context.type;
    if (!may(call.caller, 'update', uid)) return new Set();
    requireMayPublish(context, call.caller);
    const seen = await visibleAmong(context, ids, call);
    return amongWhich(context, [...seen], call, { question: 'update' });
  });
  const refused = items.flatMap((item, index) => (mayPublish(item) ? [] : [index]));
  if (refused.length === 0) return;
  throw new ForbiddenError(`You may not publish these items of the release: ${refused.join(', ')}`).withDetails({
    items: refused,
  });
}
