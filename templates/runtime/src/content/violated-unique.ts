/** The issues of a violated unique index, of the schema or of a hand-written migration, at the attributes that it covers. */
import { COLUMN_NAMES as NAMES } from '../contract/column-names.ts';
import type {
  Attribute,
  ContentType,
  ContentTypes,
  MediaAttribute,
  RelationAttribute,
} from '../contract/content-type.ts';
import type { Issue } from '../contract/errors.ts';
import { isLinkAttribute, kindsOf, valueOf, type Values } from '../contract/item-attributes.ts';
import { takenIssue } from './taken-issue.ts';

/** A violated index: its table, and its columns or expressions, as far as the engine reports them. */
export interface ViolatedIndex {
  readonly table: string | undefined;
  readonly columns: readonly string[];
}

/** The write that violates it. `input` has the attributes that it sets. */
export interface ViolatingWrite {
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly input: Values;
}

/** The tables of an attribute that is stored outside of the rows of entries. */
function tablesOf({ storage }: RelationAttribute | MediaAttribute): readonly string[] {
  if (!('table' in storage)) return [];
  return storage.published === undefined ? [storage.table] : [storage.table, storage.published];
}

type NamedAttribute = readonly [name: string, attribute: Attribute];

/** The columns of the server's own unique indexes, which tell concurrent writes apart: the callers handle these. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([NAMES.id, NAMES.documentId, NAMES.locale, NAMES.singleton]);

/** The column of an attribute in the row of its entry. */
function columnOf(attribute: Attribute): string | undefined {
  if (!isLinkAttribute(attribute)) return attribute.column;
  return attribute.storage.kind === 'foreignKey' ? attribute.storage.column : undefined;
}

/** The identifiers in a column or an expression such as `lower(title::text)`, without the names of types. */
function namesIn(text: string): readonly string[] {
  return [text, ...text.replaceAll(/::\s*\w+/gu, '').split(/[^\p{L}\p{N}_]+/u)];
}

/** The attributes that an index covers. */
function coveredAttributes({ attributes }: ContentType, columns: readonly string[]): readonly NamedAttribute[] {
  const names = new Set(columns.flatMap(namesIn));
  return Object.entries(attributes).filter(([, attribute]) => {
    const column = columnOf(attribute);
    const claim = 'claim' in attribute ? attribute.claim : undefined;
    return [column, claim].some((one) => one !== undefined && names.has(one));
  });
}

/** The attributes of an index without the tenant, within which they are unique. */
function withoutTenant({ tenant }: ContentType, covered: readonly NamedAttribute[]): readonly NamedAttribute[] {
  const others = covered.filter(([name]) => name !== tenant);
  return others.length === 0 ? covered : others;
}

/** The relations and media of the input that are stored outside of the entry's row. */
function sentThrough({ type, input }: ViolatingWrite, isStored: (attribute: Attribute) => boolean): readonly string[] {
  const { links } = kindsOf(type.attributes);
  return links.flatMap(([name, attribute]) =>
    valueOf(input, name) !== undefined && isStored(attribute) ? [name] : [],
  );
}

/** `a, b and c` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function mustBeUnique(names: readonly string[]): string {
  return names.length === 1 ? `${names.join('')} must be unique` : `The combination of ${listed(names)} must be unique`;
}

/** The issues at attributes of the written entry, whose values together another entry of its type has. */
export function combinationIssues({ attributes }: ContentType, names: readonly string[]): readonly Issue[] {
  if (names.some((name) => attributes[name]?.private)) return [takenIssue(names, { isPrivate: true })];
  if (names.length === 1) return [takenIssue(names, { isPrivate: false })];
  return names.map((name) => ({ path: [name], message: mustBeUnique(names) }));
}

/** The issues at the relations through which the write changes entries of the type `other`. */
function otherIssues(
  through: readonly string[],
  other: ContentType,
  names: readonly string[],
): readonly [Issue, ...Issue[]] {
  const message = `${mustBeUnique(names)} in ${other.uid}`;
  const [first, ...others] = through.map((name) => ({ path: [name], message }));
  return first ? [first, ...others] : [{ path: [], message }];
}

/** For an index that covers no attribute as such: on an expression, on a column or on a table of a hand-written migration. */
function otherValues({ table = 'a table', columns }: ViolatedIndex): Issue {
  const reason = `a unique index of ${table} (${columns.join(', ') || 'an expression'}) refuses the values`;
  return { path: [], message: 'Another entry already has these values', reason };
}

/**
 * The issues of a violated index; undefined if it is one of the server's own, such as that of document ids.
 */
export function violationIssues(index: ViolatedIndex, write: ViolatingWrite): readonly Issue[] | undefined {
  const { table, columns } = index;
  const { type, types, input } = write;
  const isOf = (other: ContentType): boolean => other.table === table || other.published?.table === table;
  const owner = isOf(type) ? type : Object.values(types.types).find(isOf);
  if (!owner) {
    const through = sentThrough(
      write,
      (attribute) => isLinkAttribute(attribute) && tablesOf(attribute).includes(table ?? ''),
    );
    return through.length === 0 ? [otherValues(index)] : combinationIssues(type, through);
  }
  const covered = withoutTenant(owner, coveredAttributes(owner, columns));
  const names = covered.map(([name]) => name);
  if (covered.length === 0) {
    const isOwn = columns.length > 0 && columns.every((column) => OWN_COLUMNS.has(column));
    return isOwn ? undefined : [otherValues(index)];
  }
  if (covered.some(([, attribute]) => attribute.private)) return [takenIssue(names, { isPrivate: true })];
  const keys = new Set(covered.map(([, attribute]) => columnOf(attribute)));
  const through = sentThrough(write, (attribute) => {
    const isOfOwner = attribute.type === 'relation' && attribute.target === owner.uid;
    return isOfOwner && attribute.storage.kind === 'inverseForeignKey' && keys.has(attribute.storage.column);
  });
  // A publication writes all values.
  const isWhole = owner.published?.table === table;
  const isNamed = isWhole || through.length === 0 || names.some((name) => valueOf(input, name) !== undefined);
  const isSent = owner === type && isNamed;
  return isSent ? combinationIssues(type, names) : otherIssues(through, owner, names);
}
