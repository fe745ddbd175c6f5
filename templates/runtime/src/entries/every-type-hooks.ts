/** Combines the hooks of all types (`'*'`) with those of one type. */
import type { CallContext } from '../query/entry-request.ts';
import { callHook, hasHook, type RawEvent, type TypeHooks } from './hooks.ts';

type Call = (event: RawEvent) => Promise<unknown>;

/** Both filters must match. */
async function bothFilters(first: Call, second: Call, event: RawEvent): Promise<unknown> {
  const filters = [await first({ ...event }), await second({ ...event })].filter(
    (one) => one !== undefined && one !== null,
  );
  return filters.length < 2 ? filters[0] : { $and: filters };
}

/** The second hook gets what the first has changed; what both return is merged. */
async function bothData(first: Call, second: Call, event: RawEvent): Promise<unknown> {
  const changed = await first(event);
  const data = { ...(event['data'] as object), ...(changed as object | undefined) };
  const again = await second({ ...event, data });
  return { ...data, ...(again as object | undefined) };
}

async function transformed(first: Call, second: Call, event: RawEvent): Promise<unknown> {
  return second({ ...event, entry: await first(event) });
}

async function oneAfterTheOther(first: Call, second: Call, event: RawEvent): Promise<unknown> {
  await first(event);
  return second(event);
}

function combination(name: string) {
  if (name === 'beforeFind') return bothFilters;
  if (name === 'transform') return transformed;
  return /^before(?:Create|Update|Register)$/u.test(name) ? bothData : oneAfterTheOther;
}

/** The hooks of the type `uid`: those of all types run first, and get the `type` in their event. */
export function withEveryTypeHooks(uid: string, every: TypeHooks, own: TypeHooks | undefined): TypeHooks {
  const combined = Object.keys({ ...every, ...own }).map((name) => {
    const first: Call = (event) => callHook(every, name, { ...event, type: uid });
    const second: Call = (event) => callHook(own, name, event);
    if (!hasHook(every, name)) return [name, second];
    if (!hasHook(own, name)) return [name, first];
    const combine = combination(name);
    return [name, (event: RawEvent & CallContext) => combine(first, second, event)];
  });
  return Object.fromEntries(combined) as TypeHooks;
}
