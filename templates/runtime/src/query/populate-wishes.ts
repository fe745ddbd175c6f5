/** The notations of `populate` brought to one: a tree of names with the options of each. */
import { invalidParameter, pathOf, unknownWord } from './invalid-parameter.ts';
import {
  isQueryArray,
  isQueryObject,
  own,
  parseFlag,
  type QueryObject,
  type QueryValue,
  splitList,
} from './query-value.ts';

/** What is asked to be populated at one level. */
export interface Wishes {
  /** `*` */
  all: boolean;
  readonly named: Map<string, Wish>;
}

export interface Wish {
  /** `fields`, `filters`, …; `populate` is in `children` already. */
  options: QueryObject;
  readonly children: Wishes;
}

const NO_OPTIONS: QueryObject = {};

export function noWishes(): Wishes {
  return { all: false, named: new Map() };
}

export function emptyWish(): Wish {
  return { options: NO_OPTIONS, children: noWishes() };
}

function wishAt(wishes: Wishes, path: readonly string[]): Wish | undefined {
  let level = wishes;
  let found: Wish | undefined;
  for (const name of path) {
    if (name === '*') {
      level.all = true;
      return undefined;
    }
    found = level.named.get(name) ?? emptyWish();
    level.named.set(name, found);
    level = found.children;
  }
  return found;
}

/** `true`, `1`, `*` populate a name; `false`, `0` and the empty text do not. */
function isWished(text: string): boolean {
  const flag = text === '*' ? true : (parseFlag(text) ?? (text === '' ? false : undefined));
  if (flag === undefined) {
    throw invalidParameter(text);
  }
  return flag;
}

function collectNamed(name: string, value: QueryValue, wishes: Wishes): void {
  const path = name.split('.');
  if (typeof value === 'string') {
    if (isWished(value)) {
      wishAt(wishes, path);
    }
    return;
  }
  const wish = isQueryObject(value) ? wishAt(wishes, path) : undefined;
  if (!wish || !isQueryObject(value)) {
    throw invalidParameter(name);
  }
  addOptions(wish, value);
}

function addOptions(wish: Wish, options: QueryObject): void {
  const { populate, ...rest } = options;
  wish.options = { ...wish.options, ...rest };
  collectWishes(populate, wish.children);
}

/** Adds what a value of `populate` asks for. Throws BadRequestError for a form that means nothing. */
export function collectWishes(value: QueryValue | undefined, wishes: Wishes): Wishes {
  if (value === undefined) {
    return wishes;
  }
  if (typeof value === 'string') {
    for (const path of splitList(value)) {
      wishAt(wishes, path.split('.'));
    }
  } else if (isQueryArray(value)) {
    for (const element of value) {
      collectWishes(element, wishes);
    }
  } else {
    for (const [name, inner] of Object.entries(value)) {
      collectNamed(name, inner, wishes);
    }
  }
  return wishes;
}

/**
 * Refuses notations that say two things, or nothing: `*` beside names or as a name, and an attribute that is populated with `*` or an
 * empty text. Throws BadRequestError.
 */
export function refuseLooseWishes(value: QueryValue | undefined): void {
  if (value === undefined || typeof value === 'string') return;
  if (isQueryArray(value)) {
    if (value.length > 1 && value.includes('*')) throw invalidParameter('populate: * stands alone');
    return;
  }
  if (!isQueryObject(value)) return;
  for (const [name, wish] of Object.entries(value)) {
    if (name === '*') throw invalidParameter('populate: * stands alone');
    if (wish === '*' || wish === '') throw invalidParameter(pathOf('populate', name));
    if (isQueryObject(wish)) refuseLooseWishes(own(wish, 'populate'));
  }
}

/** The fragments of `on`: what is wished of each kind of target; undefined when `on` is not given. */
export function fragmentsOf(wish: Wish): ReadonlyMap<string, Wish> | undefined {
  const on = own(wish.options, 'on');
  if (on === undefined) {
    return undefined;
  }
  if (!isQueryObject(on)) {
    throw invalidParameter('on');
  }
  const fragments = new Map<string, Wish>();
  for (const [name, value] of Object.entries(on)) {
    const fragment = emptyWish();
    if (isQueryObject(value)) {
      addOptions(fragment, value);
    } else if (typeof value !== 'string') {
      throw invalidParameter(name);
    } else if (!isWished(value)) {
      continue;
    }
    fragments.set(name, fragment);
  }
  return fragments;
}

/** Refuses options that mean nothing at a path. */
export function onlyOptions(wish: Wish, known: ReadonlySet<string>, path: string): void {
  const unknown = Object.keys(wish.options).find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownWord(pathOf(path, unknown), unknown, [...known, 'populate']);
}
