/** Validators of components, single or repeatable, and of dynamic zones. */
import { type Attributes, isRecord } from './attributes.ts';
import { type CheckItem, componentItem } from './component-item.ts';
import { checkList, type ListOptions } from './component-list.ts';
import { type Field, type Fields, inside, report } from './field.ts';
import type { ComponentInput } from './input-types.ts';
import { isGiven, type PresenceOf } from './presence.ts';

/** `min` and `max` apply to repeatable components. */
interface ComponentOptions extends ListOptions {
  readonly repeatable?: boolean;
}

/** Attributes, or a function that returns them, so that components can be declared in any order. */
type Source<F extends Fields> = Attributes<F> | (() => Attributes<F>);

type ComponentValue<F extends Fields, O> = O extends { readonly repeatable: true }
  ? readonly ComponentInput<F>[]
  : ComponentInput<F>;

/** A component, or with `repeatable` a list of components. */
export function component<F extends Fields, const O extends ComponentOptions>(
  source: Source<F>,
  options?: O,
): Field<ComponentValue<F, O>, PresenceOf<O>> {
  const checkItem = componentItem(source);
  const rules: ComponentOptions = options ?? {};
  if (rules.repeatable === true) return { check: (value, scope) => checkList(value, scope, rules, checkItem) };
  return {
    check(value, scope) {
      if (isGiven(value, rules.required === true, scope)) return checkItem(value, scope);
      return value === null ? null : undefined;
    },
  };
}

type FieldsOf<S> = S extends Source<infer F> ? F : never;

type ZoneItem<Sources> = {
  [Uid in keyof Sources]: { readonly __component: Uid } & ComponentInput<FieldsOf<Sources[Uid]>>;
}[keyof Sources];

/** Checks an item of a dynamic zone with the component that it names. Returns `{ __component, id?, ...values }`. */
function zoneItem(sources: Readonly<Record<string, Source<Fields>>>): CheckItem {
  const checks = new Map(Object.entries(sources).map(([uid, source]) => [uid, componentItem(source)]));
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

/** A list of components of several types. `sources`: component uid → its attributes. */
export function dynamicZone<const S extends Readonly<Record<string, Source<Fields>>>, const O extends ListOptions>(
  sources: S,
  options?: O,
): Field<readonly ZoneItem<S>[], PresenceOf<O>> {
  const checkItem = zoneItem(sources);
  const rules: ListOptions = options ?? {};
  return { check: (value, scope) => checkList(value, scope, rules, checkItem) };
}
