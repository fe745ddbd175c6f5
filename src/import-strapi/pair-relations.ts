/**
 * Finds the two sides of each relation. Strapi runs projects whose sides don't fit; here they are made to fit, so that
 * every row of the owning side is kept.
 */
import { type StrapiOwner, type StrapiProject, textOf } from './strapi-project.ts';

const KINDS = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany', 'oneWay', 'manyWay'] as const;

/** Relations other than polymorphic ones. */
export type RelationKind = (typeof KINDS)[number];

type Word = 'inversedBy' | 'mappedBy';

/** A relation of a content type, as declared. */
interface Declared {
  readonly uid: string;
  readonly name: string;
  /** `uid.name` */
  readonly key: string;
  readonly kind: RelationKind;
  readonly target: string;
  readonly inversedBy: string | undefined;
  readonly mappedBy: string | undefined;
}

/** What a relation becomes. */
export interface Settled {
  readonly kind: RelationKind;
  readonly side?: { readonly word: Word; readonly name: string };
  /** Differences from what is declared, for the report. */
  readonly changes: readonly string[];
}

function declaredIn(owner: StrapiOwner, isTarget: (uid: string) => boolean): readonly Declared[] {
  return [...owner.attributes].flatMap(([name, given]) => {
    const kind = given['type'] === 'relation' ? KINDS.find((known) => known === given['relation']) : undefined;
    const target = textOf(given['target']);
    if (kind === undefined || target === undefined || !isTarget(target)) return [];
    const { uid } = owner;
    const sides = { inversedBy: textOf(given['inversedBy']), mappedBy: textOf(given['mappedBy']) };
    return [{ uid, name, key: `${uid}.${name}`, kind, target, ...sides }];
  });
}

type ByKey = ReadonlyMap<string, Declared>;

/** The relation that this one names as its other side, if it exists and points back to this type. */
function namedSide({ key, uid, target, inversedBy, mappedBy }: Declared, byKey: ByKey): Declared | undefined {
  const other = byKey.get(`${target}.${inversedBy ?? mappedBy ?? ''}`);
  return other?.target === uid && other.key !== key ? other : undefined;
}

/** Pairs of sides: first those that name each other, then those of which only one names the other. */
function pairsOf(byKey: ByKey): ReadonlyMap<Declared, Declared> {
  const others = new Map<Declared, Declared>();
  const join = (one: Declared, other: Declared): void => {
    if (others.has(one) || others.has(other)) return;
    others.set(one, other).set(other, one);
  };
  const naming = [...byKey.values()].flatMap((one) => {
    const other = namedSide(one, byKey);
    return other === undefined ? [] : [[one, other] as const];
  });
  for (const [one, other] of naming) if (namedSide(other, byKey) === one) join(one, other);
  for (const [one, other] of naming) if (namedSide(other, byKey) === undefined) join(one, other);
  return others;
}

function isList({ kind }: Declared): boolean {
  return kind === 'oneToMany' || kind === 'manyToMany' || kind === 'manyWay';
}

/** Whether several entries may have the same target. */
function sharesTargets({ kind }: Declared): boolean {
  return kind === 'manyToOne' || kind === 'manyToMany';
}

/** Whether Strapi stores the rows of a side. If it stores those of both or of neither, the first counts. */
function ownerOf(one: Declared, other: Declared): Declared {
  const isOwned = (side: Declared): boolean => side.inversedBy !== undefined || side.mappedBy === undefined;
  if (isOwned(one) !== isOwned(other)) return isOwned(one) ? one : other;
  return one.key < other.key ? one : other;
}

const ONE_MANY: readonly RelationKind[] = ['oneToMany', 'manyToOne'];

/**
 * A side of a pair. Each side holds as many entries as it declares, and the inverse side as many as the owner's kind
 * allows, so that no row is lost.
 */
function settlePaired(one: Declared, other: Declared): Settled {
  const owner = ownerOf(one, other);
  const inverse = owner === one ? other : one;
  const lists = new Map([
    [owner, isList(owner)],
    [inverse, isList(inverse) || sharesTargets(owner)],
  ]);
  const [isMany, isOtherMany] = [lists.get(one) === true, lists.get(other) === true];
  const kind = isMany ? (isOtherMany ? 'manyToMany' : 'oneToMany') : isOtherMany ? 'manyToOne' : 'oneToOne';
  // Of a list and a single entry, the side with the single entry owns the relation here.
  const isOwner = isMany === isOtherMany ? owner === one : !isMany;
  const word = isOwner ? 'inversedBy' : 'mappedBy';
  const rows =
    one.inversedBy !== undefined && other.inversedBy !== undefined
      ? 'the links that either of them has are taken, each once'
      : `the links of ${owner.key} are taken`;
  const changes: string[] = [];
  if (kind !== one.kind) changes.push(`${one.kind} became ${kind}, to fit ${other.key}; ${rows}`);
  const given = one.inversedBy ?? one.mappedBy;
  if (given === undefined) {
    changes.push(`${word}: ${other.name} was added, because that attribute refers to this one`);
  } else if (given !== other.name) {
    changes.push(`${given} was replaced by ${word}: ${other.name}, because ${one.target} has no such relation`);
  } else if (one[word] === undefined && !ONE_MANY.includes(one.kind)) {
    changes.push(`inversedBy became mappedBy, because ${other.key} has inversedBy, too; ${rows}`);
  }
  return { kind, side: { word, name: other.name }, changes };
}

/** A relation without another side. */
function settleAlone(
  one: Declared,
  byKey: ByKey,
  others: ReadonlyMap<Declared, Declared>,
  isSingle: (uid: string) => boolean,
): Settled {
  const { kind, inversedBy, mappedBy, target, uid, name, key } = one;
  const given = inversedBy ?? mappedBy;
  if (given === undefined) return { kind, changes: [] };
  const isMapped = inversedBy === undefined;
  const side = namedSide(one, byKey);
  const taken = side && others.get(side);
  const isItself = target === uid && given === name;
  const why = isItself
    ? 'a relation is not its own other side'
    : side && taken
      ? `the other side of ${side.key} is ${taken.key}`
      : isMapped && isSingle(uid)
        ? `a single type can't be the target of ${target}.${given}; the links of that are taken`
        : `${target} has no such relation to ${key}`;
  const changes = [`${isMapped ? 'mappedBy' : 'inversedBy'}: ${given} was omitted, because ${why}`];
  // Without its owning side, it becomes a list of its own.
  return { kind: isMapped && kind === 'manyToMany' ? 'manyWay' : kind, changes };
}

/**
 * What the relations of content types and users become, by `uid.attribute`. Relations of components have no other side.
 * `isTarget`: whether a type can be a target.
 */
export function settleRelations(
  { types, user }: StrapiProject,
  isTarget: (uid: string) => boolean,
): ReadonlyMap<string, Settled> {
  const declared = [...types, ...(user ? [user] : [])].flatMap((owner) => declaredIn(owner, isTarget));
  const byKey = new Map(declared.map((one) => [one.key, one]));
  const others = pairsOf(byKey);
  const single = new Set(types.filter(({ kind }) => kind === 'singleType').map(({ uid }) => uid));
  const isSingle = (uid: string): boolean => single.has(uid);
  return new Map(
    declared.map((one) => {
      const other = others.get(one);
      return [one.key, other ? settlePaired(one, other) : settleAlone(one, byKey, others, isSingle)];
    }),
  );
}
