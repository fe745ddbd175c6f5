/** Marks of texts, and the fields of the form that they lead to. */
import { itemSource, markOf } from '../../../runtime/src/contract/source-marks.ts';
import { type FormValues, type ItemValues, NEW_KEY } from '../rest/form-values.ts';

/** What a mark is of: an entry, and in there the names of attributes, with the keys of items. */
export interface Marked {
  readonly uid: string;
  readonly id: string;
  readonly steps: readonly { readonly name: string; readonly key: string | undefined }[];
}

const MARK = /^(?<uid>[a-z][\w-]*)\/(?<id>[\w-]+)(?<rest>(?:\/[A-Za-z]\w*(?::[\w-]+)?)+)$/u;

/** Undefined for a text that is no mark: the site may send anything. */
export function parseMark(mark: unknown): Marked | undefined {
  if (typeof mark !== 'string' || mark.length > 2000) return undefined;
  const { uid, id, rest } = MARK.exec(mark)?.groups ?? {};
  if (uid === undefined || id === undefined || rest === undefined) return undefined;
  const steps = rest
    .slice(1)
    .split('/')
    .map((step) => {
      const [name = '', key] = step.split(':');
      return { name, key };
    });
  return { uid, id, steps };
}

/** What identifies an item: its id, or the key of a new one. */
export function keyOf(item: ItemValues): string {
  return String(item.id ?? item[NEW_KEY] ?? '');
}

/** The path of the field in a form with these values: `sections.1.heading`; undefined if it has none, such as one of a removed item. */
export function pathOf({ steps }: Pick<Marked, 'steps'>, values: FormValues): string | undefined {
  const path: string[] = [];
  let inside: unknown = values;
  for (const { name, key } of steps) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) return undefined;
    path.push(name);
    inside = (inside as FormValues)[name];
    if (!Array.isArray(inside)) continue;
    if (key === undefined) return path.join('.');
    const at = (inside as ItemValues[]).findIndex((item) => keyOf(item) === key);
    if (at === -1) return undefined;
    path.push(String(at));
    inside = inside[at];
  }
  return path.join('.');
}

/** The mark of the field with a path; undefined for a path that leads to none. */
export function markAt(source: string, path: string, values: FormValues): string | undefined {
  const names = path.split('.');
  const last = names.pop();
  if (last === undefined) return undefined;
  let own = source;
  let inside: unknown = values;
  while (names.length > 0) {
    const name = names.shift() ?? '';
    inside = (inside as FormValues | null)?.[name];
    if (Array.isArray(inside)) inside = inside[Number(names.shift())] as unknown;
    if (typeof inside !== 'object' || inside === null) return undefined;
    own = itemSource(own, name, keyOf(inside as ItemValues));
  }
  return markOf(own, last);
}
