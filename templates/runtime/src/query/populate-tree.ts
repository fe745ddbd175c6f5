/** Normalizes the notations of `populate` to one: a tree of names with their options. */
import { withoutEmpty } from './empty-values.ts';
import { invalidParameter, pathOf, unknownWord } from './invalid-parameter.ts';
import {
  isQueryArray,
  isQueryObject,
  ownValue,
  parseFlag,
  type QueryObject,
  type QueryValue,
  splitList,
} from './query-value.ts';

/** What to populate at one level. */
export interface PopulateLevel {
  /** Whether `*` was given. */
  all: boolean;
  readonly named: Map<string, PopulateNode>;
}

export interface PopulateNode {
  /** `fields`, `filters`, and so on; `populate` is already in `children`. */
  options: QueryObject;
  readonly children: PopulateLevel;
}

const NO_OPTIONS: QueryObject = {};

function emptyLevel(): PopulateLevel {
  return { all: false, named: new Map() };
}

export function emptyNode(): PopulateNode {
  return { options: NO_OPTIONS, children: emptyLevel() };
}

function nodeAt(top: PopulateLevel, path: readonly string[]): PopulateNode | undefined {
  let level = top;
  let found: PopulateNode | undefined;
  for (const name of path) {
    if (name === '*') {
      level.all = true;
      return undefined;
    }
    found = level.named.get(name) ?? emptyNode();
    level.named.set(name, found);
    level = found.children;
  }
  return found;
}

/** `true`, `1` and `*` populate a name; `false`, `0` and the empty string don't. */
function isPopulated(text: string): boolean {
  const flag = text === '*' ? true : (parseFlag(text) ?? (text === '' ? false : undefined));
  if (flag === undefined) {
    throw invalidParameter(text);
  }
  return flag;
}

function collectNamed(name: string, value: QueryValue, level: PopulateLevel): void {
  const path = name.split('.');
  if (typeof value === 'string') {
    if (isPopulated(value)) {
      nodeAt(level, path);
    }
    return;
  }
  const node = isQueryObject(value) ? nodeAt(level, path) : undefined;
  if (!node || !isQueryObject(value)) {
    throw invalidParameter(name);
  }
  addOptions(node, value);
}

function addOptions(node: PopulateNode, options: QueryObject): void {
  const { populate, ...rest } = options;
  node.options = { ...node.options, ...withoutEmpty(rest) };
  addValue(populate, node.children);
}

/** Adds the names in a value of `populate`. */
function addValue(value: QueryValue | undefined, level: PopulateLevel): PopulateLevel {
  if (value === undefined) {
    return level;
  }
  if (typeof value === 'string') {
    for (const path of splitList(value)) {
      nodeAt(level, path.split('.'));
    }
  } else if (isQueryArray(value)) {
    for (const element of value) {
      addValue(element, level);
    }
  } else {
    for (const [name, inner] of Object.entries(value)) {
      collectNamed(name, inner, level);
    }
  }
  return level;
}

/** Parses a value of `populate`. Throws BadRequestError if it is malformed. */
export function normalizePopulate(value: QueryValue | undefined): PopulateLevel {
  return addValue(value, emptyLevel());
}

/**
 * Refuses ambiguous or meaningless notations: `*` beside names or as a name, and an attribute populated with `*` or an empty
 * string. Throws BadRequestError.
 */
export function refuseLooseNotations(value: QueryValue | undefined): void {
  if (value === undefined || typeof value === 'string') return;
  if (isQueryArray(value)) {
    if (value.length > 1 && value.includes('*')) {
      throw invalidParameter("populate: * can't be combined with other values");
    }
    return;
  }
  if (!isQueryObject(value)) return;
  for (const [name, node] of Object.entries(value)) {
    if (name === '*') throw invalidParameter("populate: * can't be combined with other values");
    if (node === '*' || node === '') throw invalidParameter(pathOf('populate', name));
    if (isQueryObject(node)) refuseLooseNotations(ownValue(node, 'populate'));
  }
}

/** The fragments of `on`, by target type; undefined if there is no `on`. Throws BadRequestError if it is malformed. */
export function fragmentsOf(node: PopulateNode): ReadonlyMap<string, PopulateNode> | undefined {
  const on = ownValue(node.options, 'on');
  if (on === undefined) {
    return undefined;
  }
  if (!isQueryObject(on)) {
    throw invalidParameter('on');
  }
  const fragments = new Map<string, PopulateNode>();
  for (const [name, value] of Object.entries(on)) {
    const fragment = emptyNode();
    if (isQueryObject(value)) {
      addOptions(fragment, value);
    } else if (typeof value !== 'string') {
      throw invalidParameter(name);
    } else if (!isPopulated(value)) {
      continue;
    }
    fragments.set(name, fragment);
  }
  return fragments;
}

/** Throws BadRequestError for an option that is not in `known`. */
export function onlyOptions(node: PopulateNode, known: ReadonlySet<string>, path: string): void {
  const unknown = Object.keys(node.options).find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownWord(pathOf(path, unknown), unknown, [...known, 'populate']);
}
