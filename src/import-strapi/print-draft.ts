/** Prints a schema as YAML, formatted as if written by hand. */
import { Document, isMap, isPair, isScalar, type Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { visibleText } from '../diagnostics/visible-text.ts';
import type { Draft, DraftAttribute, DraftOwner, DraftRole, DraftUsers, Json, Options } from './draft.ts';

/** A file of the schema. */
export interface PrintedFile {
  readonly name: string;
  readonly text: string;
}

/** Attributes longer than this are written with one option per line. */
const MAX_LINE_LENGTH = 130;

function flowList(items: readonly Json[]): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = true;
  list.items = items.map(nodeOf);
  return list;
}

function nodeOf(value: Json): unknown {
  if (Array.isArray(value)) return flowList(value as readonly Json[]);
  if (typeof value === 'object' && value !== null) return mapOf(Object.entries(value), true);
  return new Scalar(value);
}

function mapOf(entries: readonly (readonly [string, Json])[], flow: boolean): YAMLMap {
  const map = new YAMLMap();
  map.flow = flow;
  for (const [name, value] of entries) map.set(new Scalar(name), nodeOf(value));
  return map;
}

function keyOf(pair: unknown): Scalar | undefined {
  return isPair(pair) && isScalar(pair.key) ? pair.key : undefined;
}

/** Puts comments above a key, and a blank line above it if `space` is set. */
function annotate(pair: Pair | undefined, comments: readonly string[], space = false): void {
  const key = keyOf(pair);
  if (key === undefined) return;
  // A comment taken from the project must not break out of its line.
  const lines = comments.flatMap((comment) => comment.split(/[\r\n\u0085\u2028\u2029]+/u));
  if (lines.length > 0) key.commentBefore = lines.map((line) => ` ${visibleText(line)}`).join('\n');
  if (space) key.spaceBefore = true;
}

function add(map: YAMLMap, name: string, value: unknown, comments: readonly string[] = [], space = false): void {
  map.set(new Scalar(name), value);
  annotate(map.items.at(-1), comments, space);
}

function attributeMap(options: Options): YAMLMap {
  const entries = Object.entries(options);
  const isLong = JSON.stringify(options).length > MAX_LINE_LENGTH;
  return mapOf(entries, !isLong);
}

function attributesMap(attributes: readonly DraftAttribute[]): YAMLMap {
  const map = new YAMLMap();
  for (const { name, options, comments } of attributes) add(map, name, attributeMap(options), comments);
  if (attributes.length === 0) map.flow = true;
  return map;
}

function ownersMap(owners: readonly DraftOwner[]): YAMLMap {
  const map = new YAMLMap();
  for (const [index, { uid, options, attributes, comments }] of owners.entries()) {
    const own = new YAMLMap();
    for (const [name, value] of Object.entries(options)) add(own, name, nodeOf(value));
    add(own, 'attributes', attributesMap(attributes));
    add(map, uid, own, comments, index > 0);
  }
  return map;
}

function usersMap({ attributes, register }: DraftUsers): YAMLMap {
  const map = new YAMLMap();
  add(map, 'attributes', attributesMap(attributes));
  if (register.length > 0) add(map, 'register', flowList(register));
  return map;
}

function rolesMap(roles: readonly DraftRole[]): YAMLMap {
  const map = new YAMLMap();
  for (const { name, extends: base, permissions, comments } of roles) {
    const role = new YAMLMap();
    if (base !== undefined) add(role, 'extends', new Scalar(base));
    for (const [subject, verbs] of permissions) add(role, subject, flowList(verbs));
    if (role.items.length === 0) role.flow = true;
    add(map, name, role, comments);
  }
  return map;
}

function settings(map: YAMLMap, { name, locales, api, apiComments }: Draft): void {
  add(map, 'name', new Scalar(name));
  if (locales.length > 0) add(map, 'locales', flowList(locales));
  const own = new YAMLMap();
  for (const [option, value] of Object.entries(api)) {
    add(own, option, nodeOf(value), option === 'unknownAttributes' ? apiComments : []);
  }
  add(map, 'api', own, [], true);
}

/** The first line makes editors validate the file against the JSON Schema that each build writes. */
function print(map: YAMLMap, comments: readonly string[], schema: string): string {
  const document = new Document(map);
  document.commentBefore = [` yaml-language-server: $schema=${schema}`, ...comments.map((line) => ` ${line}`)].join(
    '\n',
  );
  if (isMap(document.contents) && document.contents.items.length === 0) return '';
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false });
}

/** The whole schema as a single file. */
export function printWhole(draft: Draft): string {
  const map = new YAMLMap();
  settings(map, draft);
  add(map, 'contentTypes', ownersMap(draft.types), [], true);
  if (draft.components.length > 0) add(map, 'components', ownersMap(draft.components), [], true);
  if (draft.users) add(map, 'users', usersMap(draft.users), draft.users.comments, true);
  if (draft.roles.length > 0) add(map, 'permissions', rolesMap(draft.roles), [], true);
  return print(map, draft.comments, './content-gen.schema.json');
}

function part(name: string, value: YAMLMap, comments: readonly string[]): string {
  const map = new YAMLMap();
  add(map, name, value, comments);
  return print(map, [], '../content-gen.schema.json');
}

/** One file per type, one per category of components, and one for each other section. */
export function printParts(draft: Draft): readonly PrintedFile[] {
  const map = new YAMLMap();
  settings(map, draft);
  const categories = [...new Set(draft.components.map(({ uid }) => uid.split('.')[0] ?? ''))];
  return [
    { name: 'settings.yaml', text: print(map, draft.comments, '../content-gen.schema.json') },
    ...draft.types.map((type) => ({
      name: `type-${type.uid}.yaml`,
      text: part('contentTypes', ownersMap([type]), []),
    })),
    ...categories.map((category) => {
      const own = draft.components.filter(({ uid }) => uid.startsWith(`${category}.`));
      return { name: `components-${category}.yaml`, text: part('components', ownersMap(own), []) };
    }),
    ...(draft.users ? [{ name: 'users.yaml', text: part('users', usersMap(draft.users), draft.users.comments) }] : []),
    ...(draft.roles.length > 0
      ? [{ name: 'permissions.yaml', text: part('permissions', rolesMap(draft.roles), []) }]
      : []),
  ];
}
