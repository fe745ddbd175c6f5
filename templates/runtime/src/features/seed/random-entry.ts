/** Random values of a new entry: all required attributes, and most of the optional ones. */
import { randomValue } from '../../contract/attribute-types/random-value.ts';
import { attributeType, isGenerated } from '../../contract/attribute-types/scalar-type.ts';
import type { Attribute, ContentType, RelationAttribute, ScalarAttribute } from '../../contract/content-type.ts';
import {
  type Attributes,
  isItemAttribute,
  isScalarAttribute,
  type ItemAttribute,
} from '../../contract/item-attributes.ts';
import { isVisible } from '../../contract/visibility.ts';
import type { SeedContext } from './context.ts';
import { isOfOtherSide, sharedTable } from './links.ts';
import { type Place, randomMedia, randomRelation } from './random-links.ts';

/** One optional value in this many is left out. */
const LEFT_OUT = 8;
/** Optional components are not nested deeper than this. */
const DEEPEST = 3;
const MOST_ITEMS = 3;
/** One entry in this many is a draft. */
const DRAFTS = 4;

/** No value could be found that satisfies the rules of a required attribute. */
export class NoValue extends Error {
  constructor(path: string, { needsPackage }: { readonly needsPackage: boolean }) {
    const advice = '; for its regular expression: npm install --save-dev fast-check';
    super(`no further value was found for ${path} that satisfies its rules${needsPackage ? advice : ''}`);
    this.name = 'NoValue';
  }
}

function takenAt({ taken }: SeedContext, path: string): Set<unknown> {
  const values = taken.get(path) ?? new Set();
  taken.set(path, values);
  return values;
}

function scalarValue(context: SeedContext, attribute: ScalarAttribute, path: string): unknown {
  const isMade = isGenerated(attribute.type) && attribute.targetField !== undefined && attribute.required === true;
  if (isMade) return undefined;
  const isUnique = attribute.unique === true || isGenerated(attribute.type);
  const taken = isUnique ? takenAt(context, path) : undefined;
  const { random, textsLike } = context;
  const value = randomValue(random, attributeType(attribute.type), attribute, { ...(taken && { taken }), textsLike });
  if (value === undefined && attribute.required === true) {
    throw new NoValue(path, { needsPackage: attribute.regex !== undefined && textsLike === undefined });
  }
  taken?.add(value);
  return value;
}

function itemCount({ random }: SeedContext, attribute: ItemAttribute): number {
  if (attribute.type === 'component' && !attribute.repeatable) return 1;
  const least = attribute.min ?? (attribute.required === true ? 1 : 0);
  const most = Math.max(least, Math.min(attribute.max ?? MOST_ITEMS, least + MOST_ITEMS));
  return least + random.below(most - least + 1);
}

async function itemValues(
  context: SeedContext,
  attribute: ItemAttribute,
  place: Place,
  depth: number,
): Promise<unknown> {
  const items: object[] = [];
  for (let left = itemCount(context, attribute); left > 0; left -= 1) {
    const uid = attribute.type === 'component' ? attribute.component : context.random.pick(attribute.components);
    const attributes = context.types.components[uid]?.attributes ?? {};
    const values = await valuesOf(context, attributes, place, { depth: depth + 1, relations: () => true });
    items.push(attribute.type === 'dynamiczone' ? { __component: uid, ...values } : values);
  }
  return attribute.type === 'component' && !attribute.repeatable ? items[0] : items;
}

interface Scope {
  /** Nesting depth of components. */
  readonly depth: number;
  /** Whether to set a relation now. */
  readonly relations: (attribute: RelationAttribute) => boolean;
}

/** A unique attribute with a default is never left out: a second entry would get the same default. */
function mayBeLeftOut(attribute: Attribute): boolean {
  if (attribute.visible?.required) return false;
  return attribute.required !== true && !('unique' in attribute && attribute.default !== undefined);
}

/** How often values are chosen again whose conditions require a value that there is not. */
const MAX_TRIES = 20;

/** Values of which those with a condition are visible. */
async function valuesOf(context: SeedContext, attributes: Attributes, place: Place, scope: Scope): Promise<object> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const values: Record<string, unknown> = { ...(await anyValuesOf(context, attributes, place, scope)) };
    const valueAt = (name: string): unknown => {
      const attribute = attributes[name];
      return values[name] ?? (attribute && 'default' in attribute ? attribute.default : null);
    };
    const shown = Object.keys(attributes).filter((name) => isVisible(attributes, name, valueAt));
    const missing = shown.find((name) => attributes[name]?.visible?.required && values[name] === undefined);
    if (missing === undefined) {
      return Object.fromEntries(Object.entries(values).filter(([name]) => shown.includes(name)));
    }
  }
  throw new NoValue(place.path, { needsPackage: false });
}

async function anyValuesOf(context: SeedContext, attributes: Attributes, place: Place, scope: Scope): Promise<object> {
  const values: Record<string, unknown> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const own = { ...place, path: `${place.path}.${name}` };
    if (mayBeLeftOut(attribute) && context.random.once(LEFT_OUT)) continue;
    if (isScalarAttribute(attribute)) values[name] = scalarValue(context, attribute, own.path);
    else if (isItemAttribute(attribute)) {
      const ends = scope.depth >= DEEPEST && attribute.required !== true;
      if (!ends) values[name] = await itemValues(context, attribute, own, scope.depth);
    } else if (attribute.type === 'media') values[name] = await randomMedia(context, attribute);
    else if (scope.relations(attribute)) values[name] = randomRelation(context, attribute, own);
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The body of a new entry. Optional relations without a condition are set later, by `randomLinks`. */
export async function randomEntry(context: SeedContext, type: ContentType, index: number): Promise<object> {
  const place = { path: type.uid, index };
  const relations = ({ required, visible }: RelationAttribute): boolean => required === true || visible !== undefined;
  const values = await valuesOf(context, type.attributes, place, { depth: 0, relations });
  return type.draftAndPublish && context.random.once(DRAFTS) ? { ...values, publishedAt: null } : values;
}

/** Values for the optional relations of an entry. `done` holds the join tables already filled from their other side. */
export function randomLinks(context: SeedContext, type: ContentType, index: number, done: ReadonlySet<string>): object {
  const links = Object.entries(type.attributes).flatMap(([name, attribute]) => {
    if (attribute.type !== 'relation' || attribute.required === true || attribute.visible) return [];
    if (isOfOtherSide(attribute) || done.has(sharedTable(attribute) ?? '')) return [];
    const value = randomRelation(context, attribute, { path: `${type.uid}.${name}`, index });
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(links);
}
