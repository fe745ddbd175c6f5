/** What differs between two contents of an entry, for those who may see the attributes. */
import { isDeepStrictEqual } from 'node:util';
import type { Attribute, ContentTypes } from '../../contract/content-type.ts';
import type { ElementDifference, EntryDifference } from '../../contract/history/history-answers.ts';
import { listChanges } from '../../contract/history/list-changes.ts';
import { type Caller, may } from '../../contract/policy/caller.ts';
import { uidOfTypeName } from '../../contract/type-name.ts';
import type { Content } from '../../query/content-text.ts';
import { shownScalar } from '../../query/content-value.ts';

export interface Comparing {
  readonly types: ContentTypes;
  readonly caller: Caller;
  /** Whether the caller may see an entry behind a relation of the entry itself. */
  readonly isSeen: (attribute: string, id: number) => boolean;
}

type Attributes = Readonly<Record<string, Attribute>>;

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** Whether the caller may find entries of a type, in all states: versions refer to drafts, too. */
function isOpen({ types, caller }: Pick<Comparing, 'types' | 'caller'>, uid: string): boolean {
  return may(caller, 'find', uid) && (types.types[uid]?.draftAndPublish !== true || may(caller, 'preview', uid));
}

/** The attributes of a component that the caller may see. */
function visible({ types, caller }: Comparing, uid: string): Attributes {
  const all = Object.entries(types.components[uid]?.attributes ?? {});
  return Object.fromEntries(
    all.filter(([, attribute]) => {
      if (attribute.private) return false;
      if (attribute.type !== 'relation') return true;
      const { target, storage } = attribute;
      const targets = target === undefined && storage.kind === 'morph' ? Object.keys(storage.targets) : [target ?? ''];
      return targets.some((one) => isOpen({ types, caller }, one));
    }),
  );
}

interface Named {
  readonly key: string;
  readonly id: number;
  readonly __type?: string;
}

function named(one: unknown): Named {
  if (typeof one !== 'object' || one === null) return { key: String(one), id: Number(one) };
  const { __type, id } = one as { readonly __type: string; readonly id: number };
  return { key: `${__type} ${id}`, id, __type };
}

function isFindable(comparing: Comparing, { __type }: Named): boolean {
  return __type === undefined || isOpen(comparing, uidOfTypeName(__type));
}

function references(comparing: Comparing, attribute: string, value: unknown, isNested: boolean): readonly Named[] {
  return listOf(value)
    .map(named)
    .filter((one) => isFindable(comparing, one) && (isNested || comparing.isSeen(attribute, one.id)));
}

function shownReference({ id, __type }: Named): unknown {
  return __type === undefined ? id : { __type, id };
}

function ofReferences(
  comparing: Comparing,
  name: string,
  [before, after]: readonly [unknown, unknown],
  { many, isNested }: { readonly many: boolean; readonly isNested: boolean },
): readonly EntryDifference[] {
  const [was, is] = [references(comparing, name, before, isNested), references(comparing, name, after, isNested)];
  if (!many) {
    const [one, other] = [was[0], is[0]];
    if (one?.key === other?.key) return [];
    return [{ attribute: name, before: one ? shownReference(one) : null, after: other ? shownReference(other) : null }];
  }
  const all = new Map([...was, ...is].map((one) => [one.key, one]));
  const changes = listChanges(
    was.map(({ key }) => key),
    is.map(({ key }) => key),
  ).map(({ key, ...change }): ElementDifference => {
    const { id = 0, __type } = all.get(key) ?? {};
    return { ...change, id, ...(__type !== undefined && { __type }) };
  });
  return changes.length === 0 ? [] : [{ attribute: name, changes }];
}

function uidOf(attribute: Attribute, item: Content): string {
  return attribute.type === 'component' ? attribute.component : String(item['__component']);
}

/** What the caller may see of an item. */
function shownItem(comparing: Comparing, attributes: Attributes, item: Content): Content {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = item[name];
      if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') {
        return [[name, shownScalar(attribute.type, value ?? null)]];
      }
      const inner = listOf(value).map((one) => {
        const uid = uidOf(attribute, one as Content);
        return { __component: uid, ...shownItem(comparing, visible(comparing, uid), one as Content) };
      });
      return [[name, inner]];
    }),
  );
}

function ofItems(
  comparing: Comparing,
  name: string,
  attribute: Attribute & { readonly type: 'component' | 'dynamiczone' },
  [before, after]: readonly [unknown, unknown],
): readonly EntryDifference[] {
  const keyIn = (item: Content): string => `${uidOf(attribute, item)} ${String(item['id'])}`;
  const [was, is] = [listOf(before) as readonly Content[], listOf(after) as readonly Content[]];
  const former = new Map(was.map((item) => [keyIn(item), item]));
  const items = new Map([...was, ...is].map((item) => [keyIn(item), item]));
  const about = (item: Content) => ({
    id: Number(item['id']),
    ...(attribute.type === 'dynamiczone' && { __component: uidOf(attribute, item) }),
  });
  const moved = listChanges([...former.keys()], is.map(keyIn)).map(({ key, ...change }): ElementDifference => {
    const item = items.get(key) ?? {};
    const isWhole = change.kind === 'added' || change.kind === 'removed';
    const shown = isWhole && shownItem(comparing, visible(comparing, uidOf(attribute, item)), item);
    return { ...change, ...about(item), ...(shown && { item: shown }) };
  });
  const within = is.flatMap((item): ElementDifference[] => {
    const other = former.get(keyIn(item));
    const differences = other
      ? differencesBetween(comparing, visible(comparing, uidOf(attribute, item)), [other, item], true)
      : [];
    return differences.length === 0 ? [] : [{ kind: 'changed', ...about(item), differences }];
  });
  const [only] = within;
  const isOne = attribute.type === 'component' && !attribute.repeatable;
  if (isOne && moved.length === 0 && only?.differences) return [{ attribute: name, differences: only.differences }];
  const changes = [...moved, ...within];
  return changes.length === 0 ? [] : [{ attribute: name, changes }];
}

/** The differences of these attributes, in their order. */
export function differencesBetween(
  comparing: Comparing,
  attributes: Attributes,
  [former, later]: readonly [Content, Content],
  isNested = false,
): readonly EntryDifference[] {
  return Object.entries(attributes).flatMap(([name, attribute]): readonly EntryDifference[] => {
    const values = [former[name], later[name]] as const;
    switch (attribute.type) {
      case 'relation':
      case 'media':
        return ofReferences(comparing, name, values, { many: attribute.many, isNested });
      case 'component':
      case 'dynamiczone':
        return ofItems(comparing, name, attribute, values);
      default: {
        const [was, is] = [values[0] ?? null, values[1] ?? null];
        if (isDeepStrictEqual(was, is)) return [];
        const [before, after] = [was, is].map((one) => shownScalar(attribute.type, one));
        return [{ attribute: name, before, after }];
      }
    }
  });
}
