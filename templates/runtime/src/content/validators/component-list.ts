/** Validates lists of components: repeatable components and dynamic zones. */
import { itemCountProblem, type ItemCountRules } from '../../contract/item-count.ts';
import type { Values } from './attributes.ts';
import type { CheckItem } from './component-item.ts';
import { inside, report, type Scope } from './field.ts';
import type { PresenceOptions } from './presence.ts';

export interface ListOptions extends PresenceOptions, ItemCountRules {}

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
  const countProblem = itemCountProblem(list.length, options, scope.draft);
  if (countProblem !== undefined) report(scope, countProblem);
  if (list.length > (options.max ?? Infinity)) return undefined;
  const items = (list as unknown[]).map((item, index) => checkItem(item, inside(scope, String(index))));
  checkIds(items, scope);
  return items.filter((item) => item !== undefined);
}
