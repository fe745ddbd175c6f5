/** Names of types and components in openapi.json. */
import { BUILT_IN } from '#contract/routes/built-in.ts';
import { BODY_NAMES } from '#contract/routes/entry-schemas.ts';
import { type RouteAction, UNNAMED } from '#contract/routes/entries.ts';
import { attributeType, scalarTypes } from '#contract/attribute-types/scalar-type.ts';
import type { Component, ContentModel, ContentType } from '../../model/content-model.ts';
import { pascalCase } from '../../model/naming.ts';
import { lookUp } from '../model-index.ts';
import { COMMON_SCHEMAS } from './common-schemas.ts';
import { filterName } from './filter-schemas.ts';
import { shortTypes } from './nesting.ts';
import type { Shape } from './shapes.ts';

/** The name prefix of the schemas of a type or component, and the operation names of a type with routes. */
interface Names {
  readonly schema: string;
  /** Whether other types refer to it by its short schemas. */
  readonly isShort: boolean;
  readonly operations: Readonly<Record<RouteAction, string>>;
}

export type NamesByUid = ReadonlyMap<string, Names>;

/** The context in which the schemas of a document are built. */
export interface Scope {
  readonly names: NamesByUid;
  readonly shape: Shape;
}

/**
 * Suffixes of the schema names of types and components, except for bodies. Each name is the prefix and one of these
 * words.
 */
export const SCHEMA_WORDS = [
  '',
  'Attributes',
  'Create',
  'Update',
  'Input',
  'ZoneItem',
  'ZoneItemInput',
  'Filters',
  'Field',
  'Sort',
  'SortKey',
  'SortTree',
  'Populate',
  'PopulateTree',
  'PopulateOptions',
  'PopulateFragment',
  'Nested',
  'NestedFilters',
] as const;

export type SchemaWord = (typeof SCHEMA_WORDS)[number];

const WORDS: readonly string[] = [...SCHEMA_WORDS, ...BODY_NAMES];

/** Names of schemas that belong to no type, whether or not this server uses them. */
const COMMON_NAMES: readonly string[] = [
  ...[COMMON_SCHEMAS, ...BUILT_IN.map(({ schemas }) => schemas)].flatMap((schemas) => Object.keys(schemas)),
  ...scalarTypes.flatMap((type) => [filterName(type), ...Object.keys(attributeType(type).jsonSchema.named ?? {})]),
];

/** Global types of JavaScript and browsers: generated clients use them next to the schemas. */
const GLOBAL_NAMES: readonly string[] = [
  ...['Array', 'ArrayBuffer', 'Blob', 'Boolean', 'Client', 'Config', 'Date', 'Element', 'Error', 'Event', 'File'],
  ...['FormData', 'Function', 'Headers', 'JSON', 'Map', 'Math', 'Node', 'Number', 'Object', 'Options', 'Promise'],
  ...['Proxy', 'RegExp', 'Request', 'Response', 'Set', 'String', 'Symbol', 'URL', 'URLSearchParams', 'WeakMap'],
  ...['Awaited', 'Exclude', 'Extract', 'NonNullable', 'Omit', 'Parameters', 'Partial', 'Pick', 'Readonly'],
  ...['ReadonlyArray', 'Record', 'Required', 'ReturnType'],
];

const BUILT_IN_OPERATIONS = BUILT_IN.flatMap(({ routes }) => routes.map(({ id }) => id));

/** A set of names in use. Compares them without case and punctuation, since client generators respell them. */
function createTaken(names: readonly string[]) {
  const keyOf = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/gu, '').toLowerCase();
  const taken = new Set(names.map(keyOf));
  return {
    areFree: (wanted: readonly string[]): boolean => !wanted.some((name) => taken.has(keyOf(name))),
    take: (wanted: readonly string[]): void => wanted.forEach((name) => taken.add(keyOf(name))),
  };
}

type Taken = ReturnType<typeof createTaken>;

/** The first suffix for which all names derived from it are free: '', `Entry`, `Entry2`, … */
function freeEnding(taken: Taken, derive: (ending: string) => readonly string[]): string {
  for (let count = 0; ; count++) {
    const ending = count === 0 ? '' : `Entry${count === 1 ? '' : count}`;
    const derived = derive(ending);
    if (new Set(derived).size < derived.length || !taken.areFree(derived)) continue;
    taken.take(derived);
    return ending;
  }
}

function schemaName(taken: Taken, { uid }: ContentType | Component): string {
  const plain = pascalCase(uid);
  return `${plain}${freeEnding(taken, (ending) => WORDS.map((word) => `${plain}${ending}${word}`))}`;
}

function operationsFor({ uid, kind, pluralName, history }: ContentType, ending: string): Names['operations'] {
  const one = `${pascalCase(uid)}${ending}`;
  const all = kind === 'singleType' ? one : `${pascalCase(pluralName)}${ending.replace('Entry', 'Entries')}`;
  return {
    find: `find${all}`,
    findOne: `find${one}`,
    create: `create${one}`,
    update: `update${one}`,
    delete: `delete${one}`,
    localize: `create${one}Localization`,
    publish: `publish${one}`,
    unpublish: `unpublish${one}`,
    discardDraft: `discard${one}Draft`,
    getSchedule: `get${one}Schedule`,
    setSchedule: `set${one}Schedule`,
    trash: `findDeleted${all}`,
    restoreDeleted: `restoreDeleted${one}`,
    history: history ? `find${one}History` : '',
    historyVersion: history ? `find${one}Version` : '',
    restore: history ? `restore${one}` : '',
  };
}

function operationNames(taken: Taken, type: ContentType): Names['operations'] {
  const isSingle = type.kind === 'singleType';
  const ending = freeEnding(taken, (wanted) => {
    const { findOne, ...others } = operationsFor(type, wanted);
    return [...Object.values(others), ...(isSingle ? [] : [findOne])].filter((name) => name !== '');
  });
  return operationsFor(type, ending);
}

/** Unique names for all types and components of a model. */
export function namesOf(model: Pick<ContentModel, 'contentTypes' | 'components'>): NamesByUid {
  const { contentTypes, components } = model;
  const short = shortTypes(model);
  const schemas = createTaken([...COMMON_NAMES, ...GLOBAL_NAMES]);
  const operations = createTaken(BUILT_IN_OPERATIONS);
  return new Map([
    ...contentTypes.map((type): [string, Names] => [
      type.uid,
      {
        schema: schemaName(schemas, type),
        isShort: short.has(type.uid),
        operations: type.builtIn ? UNNAMED.operations : operationNames(operations, type),
      },
    ]),
    ...components.map((component): [string, Names] => [
      component.uid,
      { schema: schemaName(schemas, component), isShort: false, operations: UNNAMED.operations },
    ]),
  ]);
}

/** The name of a schema of a type or component. */
export function nameOf({ names }: Scope, uid: string, word: SchemaWord = ''): string {
  return `${lookUp(names, uid).schema}${word}`;
}

/** Whether other types refer to this type by its short schemas. */
export function isShort({ names }: Scope, uid: string): boolean {
  return lookUp(names, uid).isShort;
}
