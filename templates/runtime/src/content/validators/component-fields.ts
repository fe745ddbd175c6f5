/** Validators of components, single or repeatable, and of dynamic zones. */
import { isRecord } from './attributes.ts';
import { type CheckItem, componentItem } from './component-item.ts';
import { checkList, type ListOptions } from './component-list.ts';
import { type Field, type Fields, inside, report } from './field.ts';
import { isGiven } from './presence.ts';

/** `min` and `max` apply to repeatable components. */
interface ComponentOptions extends ListOptions {
  readonly repeatable: boolean;
}

/** A component, or with `repeatable` a list of components. `fieldsOf` returns the validators of its attributes. */
export function component(fieldsOf: () => Fields, options: ComponentOptions): Field {
  const checkItem = componentItem(fieldsOf);
  if (options.repeatable) return { check: (value, scope) => checkList(value, scope, options, checkItem) };
  return {
    check(value, scope) {
      if (isGiven(value, options.required === true, scope)) return checkItem(value, scope);
      return value === null ? null : undefined;
    },
  };
}

/** Component uid → the validators of its attributes. */
type ZoneFields = ReadonlyMap<string, () => Fields>;

/** Checks an item of a dynamic zone with the component that it names. Returns `{ __component, id?, ...values }`. */
function zoneItem(components: ZoneFields): CheckItem {
  const checks = new Map([...components].map(([uid, fieldsOf]) => [uid, componentItem(fieldsOf)]));
  return (item, scope) => {
    const uid = isRecord(item) && Object.hasOwn(item, '__component') ? item['__component'] : undefined;
    const check = typeof uid === 'string' ? checks.get(uid) : undefined;
    if (check) {
      const values = check(item, scope);
      return values && { __component: uid, ...values };
    }
    if (isRecord(item)) report(inside(scope, '__component'), `must be one of ${[...checks.keys()].join(', ')}`);
    else report(scope, 'must be an object');
    return undefined;
  };
}

/** A list of components of several types. */
export function dynamicZone(components: ZoneFields, options: ListOptions): Field {
  const checkItem = zoneItem(components);
  return { check: (value, scope) => checkList(value, scope, options, checkItem) };
}
