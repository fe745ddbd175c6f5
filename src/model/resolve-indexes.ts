/** `index` of attributes and `indexes` of types. */
import { canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { Attribute, IndexKey, TypeIndex } from './content-model.ts';
import { checkMember, findMember, isMemberKey } from './index-members.ts';
import type { ModelContext } from './model-context.ts';

/** Maximum number of keys of an index: further ones would not narrow down a search. */
const MAX_KEYS = 8;

function keyOf(written: string): IndexKey {
  const descending = written.startsWith('-');
  return { name: descending ? written.slice(1) : written, descending };
}

/** The names in the `indexes` of a type. */
export function indexedNames({ indexes }: ContentTypeDefinition): ReadonlySet<string> {
  return new Set(indexes.flatMap(({ value }) => value.map((key) => keyOf(key.value).name)));
}

/** The component attributes used in indexes of types, by uid of the component. */
export function indexedMembers(context: ModelContext): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const type of context.types.values()) {
    for (const name of [...indexedNames(type)].filter(isMemberKey)) {
      const member = findMember(context, type, name);
      if (member.kind !== 'member') continue;
      const names = found.get(member.component) ?? new Set();
      found.set(member.component, names.add(member.attribute.name));
    }
  }
  return found;
}

/** The indexes of single attributes. */
export function singleIndexes(attributes: readonly Attribute[]): readonly TypeIndex[] {
  return attributes.flatMap((attribute) =>
    attribute.kind === 'scalar' && attribute.index === true ? [[{ name: attribute.name, descending: false }]] : [],
  );
}

/** Whether the attribute is a single, sortable column in the entry's row. */
function canBeKey(attribute: Attribute): boolean {
  switch (attribute.kind) {
    case 'scalar':
      return canBeIndexed(attribute.type);
    case 'media':
      return !attribute.multiple;
    case 'relation':
      return attribute.owner && !attribute.many && !isPolymorphic(attribute.relation);
    case 'component':
    case 'dynamiczone':
      return false;
  }
}

function reasonAgainst(attribute: Attribute | undefined): string {
  if (!attribute) return 'which it does not have';
  if (attribute.kind !== 'scalar') return 'which is not stored in its own column';
  return `which has the type \`${attribute.type}\` and can't be indexed`;
}

function checkKey(
  context: ModelContext,
  type: ContentTypeDefinition,
  attributes: readonly Attribute[],
  key: Located<string>,
): void {
  const { value, location } = key;
  const { name } = keyOf(value);
  if (isMemberKey(name)) return checkMember(context, type, key, name);
  const own = ['createdAt', 'updatedAt', ...(type.draftAndPublish ? ['publishedAt'] : [])];
  const names = [...attributes.filter(canBeKey).map((attribute) => attribute.name), ...own];
  if (names.includes(name)) return;
  const known = attributes.find((attribute) => attribute.name === name);
  reportError(context.report, {
    code: 'attribute/index',
    message: `an index of ${named(type.uid)} contains ${named(name)}, ${reasonAgainst(known)}`,
    location,
    related: known && [{ message: 'it is defined here', location: known.location }],
    hint: suggestion(name, names),
  });
}

function checkIndex({ report }: ModelContext, { value: keys, location }: Located<readonly Located<string>[]>): void {
  const code = 'attribute/index';
  if (keys.length === 0 || keys.length > MAX_KEYS) {
    const message = `an index must have 1 to ${MAX_KEYS} attributes, found ${keys.length}`;
    reportError(report, { code, message, location, hint: 'for example indexes: [[status, -rating]]' });
  }
  const member = keys.find((key) => isMemberKey(key.value));
  if (member && keys.length > 1) {
    const message = `an index with ${named(keyOf(member.value).name)}, which is inside a component, can't have other attributes`;
    reportError(report, {
      code,
      message,
      location: member.location,
      hint: `write two indexes, one of them [${keyOf(member.value).name}]`,
    });
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const { name } = keyOf(key.value);
    if (seen.has(name)) {
      reportError(report, { code, message: `an index contains ${named(name)} twice`, location: key.location });
    }
    seen.add(name);
  }
}

/** An index as written in the schema. */
export function writtenIndex(index: TypeIndex): readonly string[] {
  return index.map(({ name, descending }) => (descending ? `-${name}` : name));
}

/** The indexes requested for a type, without duplicates. Problems are reported. */
export function resolveIndexes(
  context: ModelContext,
  type: ContentTypeDefinition,
  attributes: readonly Attribute[],
): readonly TypeIndex[] {
  for (const index of type.indexes) {
    checkIndex(context, index);
    for (const key of index.value) checkKey(context, type, attributes, key);
  }
  const withMember = (key: IndexKey): IndexKey => {
    const member = isMemberKey(key.name) ? findMember(context, type, key.name) : undefined;
    // The index is read in both directions.
    return member?.kind === 'member' ? { ...key, descending: false, member: member.attribute.type } : key;
  };
  const written = type.indexes.map(({ value }) => value.map((key) => withMember(keyOf(key.value))));
  const all = [...singleIndexes(attributes), ...written];
  return [...new Map(all.map((index) => [writtenIndex(index).join(' '), index])).values()];
}
