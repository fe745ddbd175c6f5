/** Random requests of a caller. */
import { attributeType } from '../../contract/attribute-types/scalar-type.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { isItemAttribute, isScalarAttribute } from '../../contract/item-attributes.ts';
import { type Caller, may } from '../../contract/policy/caller.ts';
import type { Key } from '../../entries/typed/any-entries.ts';
import type { Random } from '../../contract/values/random.ts';
import { targetsOf } from '../../features/seed/links.ts';

export interface RandomRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query: object;
  readonly body?: object;
}

export interface RequestContext {
  readonly types: ContentTypes;
  readonly format: 'v4' | 'v5';
  readonly random: Random;
  readonly caller: Caller;
  /** Stored values of scalar attributes, by type and name, whether the caller sees them or not. */
  readonly samples: ReadonlyMap<string, readonly unknown[]>;
}

const DEEPEST = 2;
/** One request in this many uses names that the caller may not use. */
const FORBIDDEN = 6;

export function sampleKey(uid: string, name: string): string {
  return `${uid}.${name}`;
}

function valueFor({ random, samples }: RequestContext, uid: string, name: string): unknown {
  const known = samples.get(sampleKey(uid, name)) ?? [];
  return known.length === 0 ? 1 : random.pick(known);
}

function condition(context: RequestContext, uid: string, name: string, isText: boolean): object {
  const { random } = context;
  const value = valueFor(context, uid, name);
  const comparisons = ['$eq', '$ne', '$lt', '$gte', '$in', '$notIn'] as const;
  if (random.once(5)) return { [random.pick(['$null', '$notNull'])]: random.once(2) };
  if (isText && random.once(2)) {
    const word = random.pick(String(value).split(' '));
    return { [random.pick(['$contains', '$containsi', '$startsWith', '$notContains', '$eqi'])]: word };
  }
  const operator = random.pick(comparisons);
  return { [operator]: operator.endsWith('n') ? [value, valueFor(context, uid, name)] : value };
}

type Step =
  | { readonly kind: 'scalar'; readonly name: string; readonly isText: boolean }
  | { readonly kind: 'relation'; readonly name: string; readonly target: ContentType };

function stepsOf({ types, random, caller }: RequestContext, type: ContentType): readonly Step[] {
  const isDaring = random.once(FORBIDDEN);
  const own = Object.entries(type.attributes).flatMap(([name, attribute]): Step[] => {
    if (attribute.private === true || isItemAttribute(attribute)) return [];
    if (isScalarAttribute(attribute)) {
      const { isSecret, operators } = attributeType(attribute.type);
      if (isSecret === true || operators === 'presence') return [];
      return [{ kind: 'scalar', name, isText: operators === 'text' }];
    }
    const [uid = 'file'] = attribute.type === 'relation' ? targetsOf(attribute) : ['file'];
    const target = types.types[uid];
    const isPermitted = target && (isDaring || may(caller, 'find', uid));
    return isPermitted ? [{ kind: 'relation', name, target }] : [];
  });
  return [{ kind: 'scalar', name: 'id', isText: false }, ...own];
}

function filterOf(context: RequestContext, type: ContentType, depth = 0): object {
  const { random } = context;
  if (depth < DEEPEST && random.once(4)) {
    const both = [filterOf(context, type, depth + 1), filterOf(context, type, depth + 1)];
    return random.once(3) ? { $not: both[0] } : { [random.pick(['$and', '$or'])]: both };
  }
  const steps = stepsOf(context, type).filter(({ kind }) => depth < DEEPEST || kind === 'scalar');
  const step = random.pick(steps);
  if (step.kind === 'scalar') return { [step.name]: condition(context, type.uid, step.name, step.isText) };
  if (random.once(3)) return { [step.name]: { id: { [random.pick(['$null', '$notNull'])]: true } } };
  return { [step.name]: filterOf(context, step.target, depth + 1) };
}

function sortOf(context: RequestContext, type: ContentType): string {
  const { random } = context;
  const step = random.pick(stepsOf(context, type));
  const direction = random.pick(['asc', 'desc']);
  if (step.kind === 'scalar') return `${step.name}:${direction}`;
  const inner = stepsOf(context, step.target).filter(({ kind }) => kind === 'scalar');
  return `${step.name}.${random.pick(inner).name}:${direction}`;
}

function populateOf(context: RequestContext, type: ContentType, depth = 0): unknown {
  const { random } = context;
  const relations = stepsOf(context, type).filter((step) => step.kind === 'relation');
  if (relations.length === 0 || random.once(3)) return '*';
  const chosen = relations.filter(() => random.once(2));
  const members = chosen.map(({ name, target }) => {
    const nested = {
      ...(random.once(3) && { filters: filterOf(context, target, 1) }),
      ...(random.once(3) && { sort: sortOf(context, target) }),
      ...(depth < DEEPEST && random.once(2) && { populate: populateOf(context, target, depth + 1) }),
      ...(random.once(4) && { count: true }),
    };
    return [name, Object.keys(nested).length === 0 ? true : nested] as const;
  });
  return members.length === 0 ? '*' : Object.fromEntries(members);
}

/** A random query. */
export function queryOf(context: RequestContext, type: ContentType, isList: boolean): object {
  const { random } = context;
  const often = (): boolean => !random.once(2);
  const drafts = context.format === 'v5' ? { status: 'draft' } : { publicationState: 'preview' };
  return {
    ...(often() && { populate: populateOf(context, type) }),
    ...(isList && often() && { filters: filterOf(context, type) }),
    ...(isList && often() && { sort: sortOf(context, type) }),
    ...(isList && random.once(5) && { _q: String(valueFor(context, type.uid, random.pick(textsOf(context, type)))) }),
    ...(isList && random.once(3) && { pagination: { page: 1 + random.below(2), pageSize: 1 + random.below(4) } }),
    ...(random.once(6) && {
      fields: [random.pick(stepsOf(context, type).filter(({ kind }) => kind === 'scalar')).name],
    }),
    ...(type.draftAndPublish && random.once(4) && drafts),
    ...(type.localized && random.once(3) && { locale: random.pick(['all', ...context.types.locales]) }),
  };
}

function textsOf(context: RequestContext, type: ContentType): readonly string[] {
  const texts = stepsOf(context, type).filter((step) => step.kind === 'scalar' && step.isText);
  return texts.length === 0 ? ['id'] : texts.map(({ name }) => name);
}

/** A list, or an entry by its key, with a random query. */
export function randomRead(context: RequestContext, type: ContentType, keys: readonly Key[]): RandomRequest {
  const { random } = context;
  if (type.kind === 'singleType') {
    return { method: 'GET', path: `/api/${type.uid}`, query: queryOf(context, type, false) };
  }
  const path = `/api/${type.pluralName}`;
  if (keys.length === 0 || random.once(2)) return { method: 'GET', path, query: queryOf(context, type, true) };
  return { method: 'GET', path: `${path}/${random.pick(keys)}`, query: queryOf(context, type, false) };
}

/** A change of an entry that the caller may not find, which must be refused. */
export function refusedWrite({ random }: RequestContext, type: ContentType, key: Key): RandomRequest {
  const path = `/api/${type.pluralName}/${key}`;
  return random.once(2)
    ? { method: 'DELETE', path, query: {} }
    : { method: 'PUT', path, query: {}, body: { data: {} } };
}

/**
 * A request that connects an entry of the type, any one or a new one, with an entry or file that the caller may not find, which must be
 * refused. Undefined if the type has no attribute for such entries.
 */
export function refusedConnect(
  { random }: RequestContext,
  type: ContentType,
  keys: readonly Key[],
  hidden: ReadonlyMap<string, readonly Key[]>,
): RandomRequest | undefined {
  const relations = Object.entries(type.attributes).flatMap(([name, attribute]) => {
    if (attribute.type !== 'relation' && attribute.type !== 'media') return [];
    const [target = ''] = attribute.type === 'media' ? ['file'] : targetsOf(attribute);
    const others = hidden.get(target) ?? [];
    return others.length === 0 ? [] : [{ name, others, isFile: attribute.type === 'media' }];
  });
  if (relations.length === 0) return undefined;
  const { name, others, isFile } = random.pick(relations);
  const other = random.pick(others);
  const value = isFile ? [other] : random.pick([{ connect: [other] }, { set: [other] }, [other]]);
  const body = { data: { [name]: value } };
  const path = `/api/${type.pluralName}`;
  if (keys.length === 0 || random.once(3)) return { method: 'POST', path, query: {}, body };
  return { method: 'PUT', path: `${path}/${random.pick(keys)}`, query: {}, body };
}
