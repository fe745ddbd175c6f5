/** What follows where all locales of an entry share an attribute from a step on. */
import type { Attribute, ContentType, RelationAttribute } from '../../src/model/content-model.ts';
import type { Content, Entry } from './evolving-data.ts';
import type { Models } from './evolving-model.ts';
import { formerName } from './random-losses.ts';

interface Place {
  readonly type: ContentType;
  readonly attribute: Attribute;
}

interface Reference {
  readonly type: ContentType;
  readonly attribute: RelationAttribute;
}

export interface Sharing {
  /** Whether values of other locales may be lost, so that it needs consent. */
  readonly isLossy: boolean;
  /** Whether several entries may have a value that only one may have from then on. */
  readonly mayFail: boolean;
  /** Whether undoing can't restore to which rows references were. */
  readonly cannotUndo: boolean;
  /** What it does to the content after all other changes. */
  readonly content: (content: Content) => void;
  /** Lists without a certain order, as the other sides of what is shared. */
  readonly unordered: (content: Content) => Content;
}

/** An attribute before the step. */
function former(before: Models, after: Models, { type, attribute }: Place): Place | undefined {
  const uid = formerName(after.notes, 'type', type.uid);
  const name = formerName(after.notes, 'attribute', attribute.name, type.uid);
  const was = before.model.contentTypes.find((one) => one.uid === uid);
  const own = was?.attributes.find((one) => one.name === name);
  return was && own && { type: was, attribute: own };
}

function isOwned({ attribute }: Place): boolean {
  return attribute.kind !== 'relation' || attribute.owner;
}

function isBetweenEntries({ model }: Models, attribute: Attribute): attribute is RelationAttribute {
  if (attribute.kind !== 'relation' || !attribute.shared) return false;
  return model.contentTypes.some(({ uid, localized }) => localized && attribute.targets.includes(uid));
}

function documents(content: Content, type: string): readonly (readonly [id: string, entry: Entry])[][] {
  const groups = new Map<unknown, (readonly [string, Entry])[]>();
  for (const row of Object.entries(content[type] ?? {})) {
    const document = row[1]['#document'] ?? row[0];
    groups.set(document, [...(groups.get(document) ?? []), row]);
  }
  return [...groups.values()];
}

/** Gives all locales the value of the first one; of a required value, the first that has it. */
function makeEqual(content: Content, { type, attribute }: Place, locales: readonly string[]): void {
  const isRequired = attribute.kind === 'scalar' && attribute.required;
  const rank = (entry: Entry): number =>
    (isRequired && entry[attribute.name] === null ? locales.length : 0) + locales.indexOf(entry['#locale']);
  for (const rows of documents(content, type.uid)) {
    const [first] = rows.toSorted(([, a], [, b]) => rank(a) - rank(b));
    for (const [, entry] of rows) entry[attribute.name] = structuredClone(first?.[1][attribute.name]);
  }
}

/** Makes references refer to the first row of each entry, each once. */
function nameFirst(content: Content, { type, attribute }: Reference, isUnique: boolean): void {
  const firsts = new Map<string, number>();
  for (const target of attribute.targets) {
    for (const rows of documents(content, target)) {
      const first = Math.min(...rows.map(([id]) => Number(id)));
      for (const [id] of rows) firsts.set(`${target} ${id}`, first);
    }
  }
  const taken = new Set<string>();
  for (const entry of Object.values(content[type.uid] ?? {})) {
    const own = new Map<string, readonly [string, number]>();
    for (const [target, row] of (entry[attribute.name] ?? []) as readonly [string, number][]) {
      const first = firsts.get(`${target} ${row}`) ?? row;
      const key = `${target} ${first}`;
      const place = `${key} ${entry['#locale']}`;
      if (isUnique && taken.has(place)) continue;
      taken.add(place);
      own.set(key, [target, first]);
    }
    entry[attribute.name] = [...own.values()];
  }
}

/** Restores the other side of a relation from the side that stores it. */
function mirror(content: Content, { type, attribute }: Reference): void {
  const { inverse, targets } = attribute;
  if (inverse === undefined) return;
  for (const target of targets) {
    for (const [id, entry] of Object.entries(content[target] ?? {})) {
      const names = (other: Entry): boolean =>
        other[attribute.name].some(([uid, row]: [string, number]) => uid === target && row === Number(id));
      const owners = Object.entries(content[type.uid] ?? {}).filter(([, other]) => names(other));
      entry[inverse] = owners.map(([row]) => [type.uid, Number(row)]);
    }
  }
}

function isReference(place: Place): place is Reference {
  return place.attribute.kind === 'relation';
}

function sorted(content: Content, relations: readonly Reference[]): Content {
  const copy = structuredClone(content);
  for (const { attribute } of relations) {
    for (const entry of attribute.targets.flatMap((target) => Object.values(copy[target] ?? {}))) {
      if (attribute.inverse !== undefined) entry[attribute.inverse]?.sort(([, a]: any, [, b]: any) => a - b);
    }
  }
  return copy;
}

/** What the locales of entries share from a step on, judging by the models before and after it. */
export function sharingOf(before: Models, after: Models): Sharing {
  const places = after.model.contentTypes
    .flatMap((type) => type.attributes.map((attribute): Place => ({ type, attribute })))
    .filter(isOwned);
  const isNew = (place: Place): boolean => former(before, after, place) === undefined;
  const shared = places.filter(({ type, attribute }) => {
    const was = former(before, after, { type, attribute });
    return type.localized && !attribute.localized && was?.type.localized === true && was.attribute.localized;
  });
  const wasLocalized = (uid: string): boolean => {
    const name = formerName(after.notes, 'type', uid);
    return before.model.contentTypes.some((one) => one.uid === name && one.localized);
  };
  const named = places.filter(isReference).filter((place) => {
    if (isNew(place) || !isBetweenEntries(after, place.attribute)) return false;
    const was = former(before, after, place);
    return was !== undefined && !isBetweenEntries(before, was.attribute) && place.attribute.targets.some(wasLocalized);
  });
  // Links to other locales move to the one that stays, which joins lists.
  const joined = places
    .filter(isReference)
    .filter(({ attribute }) =>
      attribute.targets.some(
        (uid) => wasLocalized(uid) && !after.model.contentTypes.some((one) => one.uid === uid && one.localized),
      ),
    );
  const isUnique = ({ attribute }: Place): boolean =>
    attribute.kind === 'relation' && attribute.relation === 'oneToOne';
  const relations = [...shared.filter(isReference), ...named];
  return {
    isLossy: shared.length > 0 || named.some(isUnique),
    mayFail: shared.some(
      ({ attribute }) => attribute.kind === 'scalar' && (attribute.unique || attribute.type === 'uid'),
    ),
    cannotUndo: named.length > 0,
    content: (content) => {
      for (const place of shared) makeEqual(content, place, before.model.locales);
      for (const place of named) nameFirst(content, place, isUnique(place));
      for (const place of relations) mirror(content, place);
    },
    unordered: (content) => sorted(content, [...relations, ...joined]),
  };
}
