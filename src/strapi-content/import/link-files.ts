/** Distributes the links of an archive to files, one for each attribute. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Attribute, MediaAttribute, RelationAttribute } from '#contract/content-type.ts';
import { isLinkAttribute } from '#contract/item-attributes.ts';
import { type LineLocation, locationText } from '../../strapi/lines.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { FILE, FOLDER, PERMISSION } from '../../strapi/own-names.ts';
import type { LinkEnd, StrapiLink } from '../../strapi/records.ts';
import { itemId } from './component-items.ts';
import { type EntityIndex, hasVersions, keptRow, ownerOf, statesOf } from './entity-index.ts';
import type { Findings } from '../findings.ts';
import { BOTH, DRAFT } from './row-states.ts';
import { openRecords, type RecordFile } from './sorted-records.ts';
import {
  attributeOf,
  isStrapiInternal,
  type SourceComponent,
  type SourceType,
  type SourceTypes,
} from './source-types.ts';

type LinkAttribute = RelationAttribute | MediaAttribute;

/** The fields of a record. ITEM is 0 except for links of components; TARGET_TYPE is the index of the type. */
export const OWNER = 0;
export const ITEM = 1;
export const TARGET = 2;
export const TARGET_TYPE = 3;
export const POSITION = 4;
export const OTHER_POSITION = 5;
/** 1 if the link targets the version that is not kept. Such a link loses if only one link is allowed. */
export const IS_MAPPED = 6;
/** The states of which the link is part. */
export const STATES = 7;
const WIDTH = 8;

/** The links of one attribute. An attribute of a component has one file per content type. */
export interface LinkFile {
  readonly owner: SourceType;
  readonly component: SourceComponent | undefined;
  readonly name: string;
  readonly attribute: LinkAttribute;
  readonly records: RecordFile;
}

/** A link, directed from the entry or component item that has the attribute. */
interface Directed {
  readonly owner: LinkEnd;
  readonly name: string;
  readonly target: LinkEnd;
  /** Position of the target in the owner's list. */
  readonly place: number | undefined;
  /** Position of the owner in the target's list. */
  readonly otherPlace: number | undefined;
}

/** Determines the direction of a link; undefined for links that are read elsewhere. */
function directed({ relation, left, right }: StrapiLink): Directed | undefined {
  if (left.field === 'localizations' || left.type === PERMISSION || left.type === FOLDER) return undefined;
  if (left.type === FILE) {
    if (left.field !== 'related' || right.field === undefined) return undefined;
    return { owner: right, name: right.field, target: left, place: right.pos, otherPlace: undefined };
  }
  const place = relation.startsWith('morph') ? right.pos : left.pos;
  return { owner: left, name: left.field, target: right, place, otherPlace: right.pos };
}

/** The link as seen from its other end, whose attribute is `inverse`. */
function reversed({ owner, target, place, otherPlace }: Directed, inverse: string): Directed {
  return { owner: target, name: inverse, target: owner, place: otherPlace, otherPlace: place };
}

/**
 * The link as seen from the side that owns the relation here. Strapi may have stored it for the other side: if both
 * sides of a relation say that they own it, or if a list does.
 */
function fromOwner({ source }: Context, link: Directed): Directed {
  const type = source.types.get(link.owner.type)?.type;
  const target = source.types.get(link.target.type)?.type;
  if (!type || !target || isStrapiInternal(type.uid, link.name)) return link;
  const attribute = attributeOf(type, link.name);
  // The owning side may be an attribute that the project does not have, such as one whose target is a single type.
  const inverse = attribute === undefined ? link.target.field : inverseOf(attribute);
  return inverse === undefined || attributeOf(target, inverse) === undefined ? link : reversed(link, inverse);
}

/** The owning side of a relation, if this attribute is its inverse side. */
function inverseOf(attribute: Attribute): string | undefined {
  return attribute.type === 'relation' && isInverse(attribute) ? attribute.inverse : undefined;
}

function isInverse({ storage }: RelationAttribute): boolean {
  return storage.kind === 'inverseForeignKey' || (storage.kind === 'link' && storage.own === COLUMN_NAMES.target);
}

/** The inverse side of a polymorphic relation: its links are taken from the owning side. */
const OTHER_SIDE: ReadonlySet<string> = new Set(['inverseMorph']);

const GONE = 'links of entries that are not in the archive';
const TARGET_GONE = 'links to entries that are not in the archive';
const TYPE_GONE = 'links of types that are in no schema';

interface Context {
  readonly source: SourceTypes;
  readonly index: EntityIndex;
  readonly findings: Findings;
  readonly folder: string;
  readonly files: Map<string, LinkFile>;
}

/** Why a link is not imported. */
interface Skipped {
  readonly kind: 'left' | 'nothing';
  readonly what: string;
}

/** The row, and possibly the component item in it, where a link begins. */
interface Beginning {
  readonly type: SourceType;
  readonly row: number;
  readonly states: number;
  readonly component: SourceComponent | undefined;
  readonly item: number;
  readonly attributes: Readonly<Record<string, Attribute>>;
}

function beginningOf({ source, index }: Context, { type: uid, ref }: LinkEnd): Beginning | Skipped | undefined {
  const id = Number(ref);
  const type = source.types.get(uid);
  if (type) {
    const kept = keptRow(index, type, id);
    if (kept === undefined) return { kind: 'nothing', what: GONE };
    const states = statesOf(index, type, id);
    if (states === 0) return undefined;
    return { type, row: kept, states, component: undefined, item: 0, attributes: type.type.attributes };
  }
  const component = source.components.get(uid);
  if (!component) {
    return source.schemas.has(uid)
      ? { kind: 'left', what: `links of ${uid}, which this project does not have` }
      : { kind: 'nothing', what: TYPE_GONE };
  }
  const owner = component.hasLinks ? ownerOf(source, index, component, id) : undefined;
  if (!owner) return { kind: 'nothing', what: 'links of components that no entry has' };
  const ownerType = [...source.types.values()][owner.type];
  const kept = ownerType && keptRow(index, ownerType, owner.row);
  if (!ownerType || kept === undefined) return { kind: 'nothing', what: GONE };
  const states = statesOf(index, ownerType, owner.row);
  if (states === 0) return undefined;
  return {
    type: ownerType,
    row: kept,
    states,
    component,
    item: itemId(source, component, id),
    attributes: component.component.attributes,
  };
}

/** Whether an attribute stores what is published apart, though its type has no drafts. */
function hasTwin({ storage }: LinkAttribute): boolean {
  return 'published' in storage && storage.published !== undefined;
}

/**
 * The row where a link ends. From a type without drafts, the draft and the published version are both linked: each link is part of the
 * states of the row that it leads to, and if the attribute has only one state, only the link to the kept row counts. Otherwise drafts
 * are linked to drafts, so the kept row stands for both.
 */
function endOf(
  { source, index }: Context,
  from: SourceType,
  { type: uid, ref }: LinkEnd,
  attribute: LinkAttribute,
): { type: SourceType; row: number; states: number } | Skipped | undefined {
  const type = source.types.get(uid);
  if (!type) {
    return source.schemas.has(uid)
      ? { kind: 'left', what: `links to ${uid}, which this project does not have` }
      : { kind: 'nothing', what: TYPE_GONE };
  }
  const row = keptRow(index, type, Number(ref));
  if (row === undefined) return { kind: 'nothing', what: TARGET_GONE };
  const isMorph = attribute.type === 'relation' && attribute.storage.kind === 'morph';
  if (!hasVersions(source, type) || hasVersions(source, from) || isMorph) return { type, row, states: BOTH };
  if (!hasTwin(attribute)) return row === Number(ref) ? { type, row, states: BOTH } : undefined;
  const states = statesOf(index, type, Number(ref));
  // A relation with an entry that has no published version yet is there in both states.
  const isUnpublished = row === Number(ref) && states === DRAFT;
  return states === 0 ? undefined : { type, row, states: isUnpublished ? BOTH : states };
}

/** Whether the attribute accepts entries of this type. */
function accepts(attribute: LinkAttribute, { uid }: SourceType['type']): boolean {
  if (attribute.type === 'media') return uid === 'file';
  if (attribute.target !== undefined) return attribute.target === uid;
  return attribute.storage.kind === 'morph' && Object.hasOwn(attribute.storage.targets, uid);
}

async function fileFor(
  context: Context,
  beginning: Beginning,
  name: string,
  attribute: LinkAttribute,
): Promise<LinkFile> {
  const { type, component } = beginning;
  const key = `${type.uid} ${component?.uid ?? ''} ${name}`;
  const known = context.files.get(key);
  if (known) return known;
  const records = await openRecords(context.folder, `links-${context.files.size}`, WIDTH);
  const file: LinkFile = { owner: type, component, name, attribute, records };
  context.files.set(key, file);
  return file;
}

function isSkipped(value: object): value is Skipped {
  return 'what' in value;
}

async function takeLink(context: Context, link: StrapiLink): Promise<Skipped | undefined> {
  const given = directed(link);
  if (!given) return undefined;
  const way = fromOwner(context, given);
  const { owner, name, target } = way;
  const beginning = beginningOf(context, owner);
  if (beginning === undefined) return undefined;
  if (isSkipped(beginning)) return beginning;
  const named = beginning.component?.component ?? beginning.type.type;
  if (isStrapiInternal(named.uid, name)) return undefined;
  const attribute = attributeOf(named, name);
  if (!attribute || !isLinkAttribute(attribute)) {
    return { kind: 'left', what: `links of ${owner.type}.${name}, which this project does not have` };
  }
  if (OTHER_SIDE.has(attribute.storage.kind)) return undefined;
  const end = endOf(context, beginning.type, target, attribute);
  if (end === undefined) return undefined;
  if (isSkipped(end)) return end;
  if (!accepts(attribute, end.type.type)) {
    return { kind: 'left', what: `links of ${owner.type}.${name} to ${target.type}, which it does not accept here` };
  }
  const file = await fileFor(context, beginning, name, attribute);
  // Links without a position come first.
  const [place, other] = [way.place ?? -Infinity, way.otherPlace ?? -Infinity];
  await file.records.add([
    beginning.row,
    beginning.item,
    end.row,
    end.type.index,
    place,
    other,
    end.row === Number(target.ref) ? 0 : 1,
    beginning.states & end.states,
  ]);
  return undefined;
}

function describe({ left, right }: StrapiLink, at: LineLocation): string {
  return `${left.type} ${left.ref}.${left.field} → ${right.type} ${right.ref} (${locationText(at)})`;
}

/** Second pass over the links: writes them to files in the folder. */
export async function distributeLinks(
  archive: StrapiArchive,
  { source, index, findings, folder }: Omit<Context, 'files'>,
  onLink: () => void,
): Promise<readonly LinkFile[]> {
  const context: Context = { source, index, findings, folder, files: new Map() };
  for await (const item of archive.read(['link'])) {
    onLink();
    if (item.kind !== 'link') continue;
    const skipped = await takeLink(context, item.link);
    if (skipped) findings.add(skipped.kind, skipped.what, describe(item.link, item.at));
  }
  return [...context.files.values()];
}
