/** Validates one component: a single one, or an item of a list or dynamic zone. */
import { parseId } from '../relations/entry-ref.ts';
import { isRecord, objectCheck, type Values } from './attributes.ts';
import { type Fields, inside, report, type Scope } from './field.ts';

/** Checks one component. Returns its canonical values; undefined if there are none. */
export type CheckItem = (item: unknown, scope: Scope) => Values | undefined;

/** Keys of a component that are not attributes. */
const SYSTEM_KEYS: ReadonlySet<string> = new Set(['id', '__component']);

/** The id with which an update refers to a stored component of the entry; undefined for a new one. */
function itemId(item: Values, scope: Scope): number | undefined {
  if (!scope.entryExists || !Object.hasOwn(item, 'id') || item['id'] === undefined) return undefined;
  const id = parseId(item['id']);
  if (id === undefined) report(inside(scope, 'id'), 'must be the id of a component of this entry');
  return id;
}

/**
 * Creates the check of a component: all of a new one, or what was sent of one with an id. Returns `{ id?, ...values }`. `fieldsOf`
 * returns the validators of its attributes, and is called once, on first use.
 */
export function componentItem(fieldsOf: () => Fields): CheckItem {
  let check: ReturnType<typeof objectCheck> | undefined;
  return (item, scope) => {
    if (!isRecord(item)) {
      report(scope, 'must be an object');
      return undefined;
    }
    check ??= objectCheck(fieldsOf(), SYSTEM_KEYS);
    const id = itemId(item, scope);
    const values = check(item, { ...scope, operation: id === undefined ? 'create' : 'update', stored: undefined });
    return id === undefined ? values : { id, ...values };
  };
}
