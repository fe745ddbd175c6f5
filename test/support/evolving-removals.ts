/** What is gone from the content with entries and component items that are deleted. */
import type { Content, Entry } from './evolving-data.ts';

type Link = readonly [type: string, id: number];

function isLink(value: any): value is Link {
  return Array.isArray(value) && value.length === 2 && typeof value[1] === 'number';
}

/** Removes elements of all lists in the content, at any depth. */
function removeElements(value: any, isGone: (element: any) => boolean): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((element) => !isGone(element)));
  for (const inner of Object.values(value)) removeElements(inner, isGone);
}

/** Removes links to entries. */
export function removeLinks(content: Content, isGone: (type: string, id: number) => boolean): void {
  removeElements(content, (element) => isLink(element) && isGone(element[0], element[1]));
}

/** Removes entries of a type, and all links to them. */
export function removeEntries(content: Content, type: string, isGone: (id: string) => boolean): void {
  const gone = new Set(Object.keys(content[type] ?? {}).filter(isGone));
  for (const id of gone) delete content[type]?.[id];
  removeLinks(content, (target, id) => target === type && gone.has(String(id)));
}

/** Removes the items of a component from dynamic zones. */
export function removeItems(content: Content, component: string): void {
  removeElements(content, (element) => element?.__component === component);
}

/** Lets all lists of links in a value refer to other entries, each once. */
function moveLinks(value: any, moved: (link: Link) => Link): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value) && value.some(isLink)) {
    const links = new Map(value.map((link) => moved(link)).map((link) => [link.join(' '), link]));
    value.splice(0, value.length, ...links.values());
    return;
  }
  for (const inner of Object.values(value)) moveLinks(inner, moved);
}

export interface Merge {
  /** The types of the schema. */
  readonly types: any;
  readonly type: string;
  /** The id of the entry that stays, for itself and others. */
  readonly stays: (type: string, id: string) => string;
  /** The locale of an entry, if its type keeps its locales. */
  readonly localeOf: (type: string, entry: Entry) => string | undefined;
}

/** Where an entry can be referred to once: of several that refer to it, one that stays and did so before is kept, or the first. */
function keepOne(
  content: Content,
  { stays, localeOf }: Merge,
  owner: string,
  name: string,
  was: ReadonlySet<Entry>,
): void {
  const taken = new Set<string>();
  const rank = ([id, entry]: readonly [string, Entry]): number =>
    (stays(owner, id) === id ? 0 : 2) + (was.has(entry) ? 0 : 1);
  for (const [, entry] of Object.entries(content[owner] ?? {}).toSorted((a, b) => rank(a) - rank(b))) {
    const place = `${String(entry[name])} ${localeOf(owner, entry)}`;
    if (taken.has(place)) entry[name] = [];
    else if (entry[name]?.length > 0) taken.add(place);
  }
}

/**
 * Removes entries of a type, each for another one that stays and gets the links to it. The lists on the other side have no certain
 * order then.
 */
export function mergeEntries(content: Content, merge: Merge): void {
  const { types, type, stays } = merge;
  const moved = ([target, id]: Link): Link => [target, target === type ? Number(stays(type, String(id))) : id];
  for (const [owner, { attributes }] of Object.entries<any>(types)) {
    for (const [name, own] of Object.entries<any>(attributes)) {
      if (own.mappedBy !== undefined) continue;
      const entries = Object.values(content[owner] ?? {});
      const isSame = ([link]: readonly Link[]): boolean => link !== undefined && moved(link)[1] === link[1];
      const was = new Set(entries.filter((entry) => own.relation === 'oneToOne' && isSame(entry[name] ?? [])));
      for (const entry of entries) moveLinks(entry[name], moved);
      if (own.relation === 'oneToOne' && own.target === type) keepOne(content, merge, owner, name, was);
      if (own.inversedBy === undefined || own.target !== type) continue;
      for (const [id, entry] of Object.entries(content[type] ?? {})) {
        const owners = Object.entries(content[owner] ?? {}).filter(([, other]) =>
          other[name]?.some(([, row]: Link) => row === Number(id)),
        );
        entry[own.inversedBy] = owners.map(([row]) => [owner, Number(row)]);
      }
    }
  }
  removeEntries(content, type, (id) => stays(type, id) !== id);
}
