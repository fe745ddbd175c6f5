/** Finds the fields that have errors, in the order in which the form shows them. */
import { type Attributes, labelOf } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { FormValues, ItemValues } from '../rest/form-values.ts';

type Errors = Readonly<Record<string, unknown>>;

/** A form, or an item in it: its attributes, its values, and the path to it with a trailing dot. */
interface Place {
  readonly attributes: Attributes;
  readonly values: FormValues;
  readonly prefix: string;
}

function isObject(value: unknown): value is Errors {
  return typeof value === 'object' && value !== null;
}

/** Whether an error is one of the list or component itself, such as too few items. */
function isOwn(error: unknown): boolean {
  return !isObject(error) || typeof error['message'] === 'string' || isObject(error['root']);
}

/** The items of a component or zone by the rest of their path: empty for a single component. */
function itemsAt(name: string, { attributes, values, prefix }: Place, index: ModelIndex): [string, Place][] {
  const attribute = attributes[name];
  const value = values[name];
  if (attribute?.type !== 'component' && attribute?.type !== 'dynamiczone') return [];
  const placeOf = (item: ItemValues, path: string): Place => {
    const uid = attribute.type === 'component' ? attribute.component : String(item.__component);
    return { attributes: index.component(uid).attributes, values: item, prefix: `${prefix}${path}.` };
  };
  if (!Array.isArray(value)) return isObject(value) ? [['', placeOf(value, name)]] : [];
  return (value as ItemValues[]).map((item, at) => [String(at), placeOf(item, `${name}.${at}`)]);
}

function pathsIn(errors: Errors, place: Place, index: ModelIndex): string[] {
  return Object.keys(place.attributes).flatMap((name) => {
    const error = errors[name];
    if (error === undefined || error === null) return [];
    const within = itemsAt(name, place, index).flatMap(([at, item]) => {
      const inner = at === '' ? error : isObject(error) ? error[at] : undefined;
      return isObject(inner) ? pathsIn(inner, item, index) : [];
    });
    return isOwn(error) || within.length === 0 ? [`${place.prefix}${name}`] : within;
  });
}

/** The paths of the fields in error: `title`, `links.0.url`. `errors` is nested like the values. */
export function errorPaths(errors: Errors, attributes: Attributes, values: FormValues, index: ModelIndex): string[] {
  return pathsIn(errors, { attributes, values, prefix: '' }, index);
}

/** What people call the field at a path: `Links 1 › Address`. Empty if there is none. `values` may be incomplete. */
export function nameOfPath(
  path: readonly string[],
  attributes: Attributes,
  values: FormValues,
  index: ModelIndex,
): string {
  const [name = '', ...rest] = path;
  const attribute = attributes[name];
  if (!attribute) return '';
  const label = labelOf(name, attribute);
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return label;
  const isInList = /^\d+$/u.test(rest[0] ?? '');
  const at = Number(rest[0]);
  const value = values[name] as ItemValues | readonly ItemValues[] | null | undefined;
  const item = isInList ? [value ?? []].flat()[at] : (value as ItemValues | null | undefined);
  const uid = attribute.type === 'component' ? attribute.component : item?.__component;
  const below =
    uid === undefined
      ? ''
      : nameOfPath(isInList ? rest.slice(1) : rest, index.component(uid).attributes, item ?? {}, index);
  const here = isInList ? `${label} ${at + 1}` : label;
  return below === '' ? here : `${here} › ${below}`;
}
