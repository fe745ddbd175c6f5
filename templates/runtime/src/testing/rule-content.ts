/** Entries on either side of the rule of a permission, for the tests of a project. */
import { comparedValue, raise, type Users } from './compared-value.ts';
import type { Attribute, ContentType, ContentTypes } from '../contract/content-type.ts';
import { HttpError } from '../contract/errors.ts';
import type { RuleFilter } from '../contract/policy/rule.ts';
import { isMap } from '../contract/policy/rule-form.ts';
import type { JsonValue } from '../contract/values/json.ts';
import { createRandom } from '../contract/values/random.ts';
import type { AnyEntries } from '../entries/typed/any-entries.ts';
import type { SeedContext } from '../features/seed/context.ts';
import { entryWriter } from '../features/seed/entry-writer.ts';
import { targetsOf } from '../features/seed/links.ts';
import { NoValue, randomEntry } from '../features/seed/random-entry.ts';

type Data = Readonly<Record<string, unknown>>;

/** How deep entries are made that others require. */
const DEEPEST = 6;

/** An entry to make. */
interface Wish {
  readonly where: RuleFilter;
  /** Whether it is to satisfy `where`. */
  readonly wanted: boolean;
  /** Whether it is to be a draft, in types that have them. */
  readonly isDraft: boolean;
}

/** Makes entries that satisfy the filter of a rule, or don't. */
export interface RuleContent {
  /** The id of a new entry. Throws NotMade if none can be made. */
  make(type: ContentType, wish: Wish): Promise<number>;
}

/** What all entries of a server share: random values that don't repeat. */
export type Randomness = Pick<SeedContext, 'random' | 'taken'>;

/** Starts with the same values for each server. */
export function randomness(): Randomness {
  return { random: createRandom(1), taken: new Map() };
}

/** Makes entries with the permissions of the server itself. */
export function ruleContent(
  types: ContentTypes,
  entries: AnyEntries,
  { users, shared }: { readonly users: Users; readonly shared: Randomness },
): RuleContent {
  const writer = entryWriter(entries, () => raise('it requires a file'));
  const pools = new Map([['user', [users.other]]]);
  const context: SeedContext = { types, writer, textsLike: undefined, pools, ...shared };

  function typeNamed(uid: string): ContentType {
    return types.types[uid] ?? raise(`there is no type ${uid}`);
  }

  /** Makes the entries that required relations need. */
  async function fillPools(type: ContentType, depth: number): Promise<void> {
    for (const attribute of Object.values(type.attributes)) {
      if (attribute.type !== 'relation' || attribute.required !== true) continue;
      for (const uid of targetsOf(attribute)) {
        if (pools.has(uid)) continue;
        pools.set(uid, [await create(typeNamed(uid), {}, depth + 1)]);
      }
    }
  }

  async function create(type: ContentType, data: Data, depth: number, isDraft = false): Promise<number> {
    if (!entries[type.uid]) raise(`there are no entries of ${type.uid}`);
    if (depth > DEEPEST) raise(`${type.uid} requires too many others`);
    await fillPools(type, depth);
    try {
      const random = { ...(await randomEntry(context, type, 0)) };
      const published = type.draftAndPublish ? { publishedAt: isDraft ? null : new Date().toISOString() } : {};
      const whole = { ...random, ...published, ...data };
      return await (type.kind === 'singleType' ? writer.save(type.uid, whole) : writer.create(type.uid, whole));
    } catch (error) {
      // A hook that is stricter than the schema, or a regular expression without a package that finds values for it.
      if (error instanceof HttpError || error instanceof NoValue) raise(`${type.uid}: ${error.message}`);
      throw error;
    }
  }

  async function attributeValue(
    attribute: Attribute,
    value: JsonValue,
    wanted: boolean,
    depth: number,
  ): Promise<unknown> {
    const operators = isMap(value) ? Object.keys(value).filter((name) => name.startsWith('$')) : [];
    const [operator] = operators;
    if (attribute.type === 'relation') {
      const isId = !isMap(value) || operator !== undefined;
      const own = isMap(value) && operator !== undefined ? (value[operator] ?? null) : value;
      const id = isId
        ? comparedValue(users, attribute, operator ?? '$eq', own, wanted)
        : await related(attribute.target ?? '', value, wanted, depth);
      return attribute.many && id !== null && id !== undefined ? [id] : id;
    }
    if (attribute.type === 'component') {
      if (attribute.repeatable || !isMap(value)) return raise('it looks into a list of components');
      return dataFor(types.components[attribute.component]?.attributes ?? {}, value, wanted, depth);
    }
    if (operator === undefined) {
      return comparedValue(users, attribute, Array.isArray(value) ? '$in' : '$eq', value, wanted);
    }
    return comparedValue(users, attribute, operator, (value as RuleFilter)[operator] ?? null, wanted);
  }

  async function related(uid: string, where: RuleFilter, wanted: boolean, depth: number): Promise<unknown> {
    const type = typeNamed(uid);
    if (uid === 'user') return raise('it asks for attributes of other users');
    return create(type, await dataFor(type.attributes, where, wanted, depth + 1), depth + 1);
  }

  /** Values of attributes with which a filter finds an entry, or doesn't. */
  async function dataFor(
    attributes: ContentType['attributes'],
    where: RuleFilter,
    wanted: boolean,
    depth: number,
  ): Promise<Data> {
    let data: Data = {};
    for (const [name, value] of Object.entries(where)) {
      if ((name === '$or' || name === '$and') && Array.isArray(value)) {
        const all = (value as readonly RuleFilter[]).slice(0, name === '$or' && wanted ? 1 : undefined);
        for (const one of all) data = { ...data, ...(await dataFor(attributes, one, wanted, depth)) };
      } else if (name === '$not' && isMap(value)) {
        data = { ...data, ...(await dataFor(attributes, value, !wanted, depth)) };
      } else {
        const attribute = attributes[name];
        if (!attribute) return raise(`it asks for ${name}`);
        const own = await attributeValue(attribute, value, wanted, depth);
        if (own !== undefined) data = { ...data, [name]: own };
      }
    }
    return data;
  }

  return {
    async make(type, { where, wanted, isDraft }) {
      return create(type, await dataFor(type.attributes, where, wanted, 0), 0, isDraft);
    },
  };
}
