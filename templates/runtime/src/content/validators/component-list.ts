/** Validates lists of components: repeatable components and dynamic zones. */
import type { Values } from './attributes.ts';
import type { CheckItem } from './component-item.ts';
import { inside, report, type Scope } from './field.ts';
import type { PresenceOptions } from './presence.ts';

/** Limits of the number of items. `min` is ignored for drafts, and for empty lists that aren't required. */
export interface ListOptions extends PresenceOptions {
  readonly min?: number;
  readonly max?: number;
}

function checkCount(count: number, { required, min = 0, max = Infinity }: ListOptions, scope: Scope): void {
  if (count > max) report(scope, `must have at most ${max} items`);
  if (count < min && (required === true || count > 0) && !scope.draft) report(scope, `must have at least ${min} items`);
}

/** A stored component can occur only once in a list. */
function checkIds(items: readonly (Values | undefined)[], scope: Scope): void {
  const seen = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const id = item?.['id'];
    if (id === undefined) continue;
    if (seen.has(id)) report(inside(inside(scope, String(index)), 'id'), 'names the same component twice');
    seen.add(id);
  }
}

/** Checks a list and its items. A list can't be null: an empty one clears it. */
export function checkList(
  list: unknown,
  scope: Scope,
  options: ListOptions,
  checkItem: CheckItem,
): readonly Values[] | undefined {
  if (list === undefined) {
    if (options.required === true && scope.operation === 'create' && !scope.draft) report(scope, 'must be defined');
    return undefined;
  }
  if (!Array.isArray(list)) {
    report(scope, 'must be an array');
    return undefined;
  }
  checkCount(list.length, options, scope);
  if (list.length > (options.max ?? Infinity)) return undefined;
  const items = (list as unknown[]).map((item, index) => checkItem(item, inside(scope, String(index))));
  checkIds(items, scope);
  return items.filter((item) => item !== undefined);
}
