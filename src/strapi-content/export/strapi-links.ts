/** Converts relations and media of this server to links in Strapi's format. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import type { ContentType, ContentTypes, MediaAttribute, RelationAttribute } from '#contract/content-type.ts';
import { inState, isPublished } from '#contract/states.ts';
import type { Cell, ContentReader } from '#contract/content-transfer.ts';
import type { NumberMap } from '../number-map.ts';
import { versionId } from './strapi-entities.ts';
import { isExported, isOwner, type Major, strapiRelation, strapiUid } from './strapi-schema.ts';

interface End {
  readonly type: string;
  readonly ref: number | string;
  readonly field?: string | null;
  readonly pos?: number;
}

export interface ExportedLink {
  readonly kind: string;
  readonly relation: string;
  readonly left: End;
  readonly right: End;
}

/** What has been collected about all rows. */
export interface ExportContext {
  readonly types: ContentTypes;
  readonly major: Major;
  /** Type → id → whether it is published (1 or 0), for types with drafts. */
  readonly published: ReadonlyMap<string, NumberMap>;
  /** Component item → index of its component in `components`. */
  readonly items: NumberMap;
  readonly components: readonly string[];
}

type LinkAttribute = RelationAttribute | MediaAttribute;
type Cells = Readonly<Record<string, Cell>>;

/** The rows of a table, as cells by column name. */
export async function* rowsOf(reader: ContentReader, name: string): AsyncGenerator<Cells> {
  const table = reader.tables.get(name);
  if (!table) throw new Error(`There is no table ${name}`);
  const section = { table: name, key: table.key, columns: table.columns, fills: false };
  for await (const lines of reader.read(section)) {
    for (const line of lines) {
      const cells = JSON.parse(line) as Cell[];
      yield Object.fromEntries(section.columns.map((column, index) => [column.name, cells[index] ?? null]));
    }
  }
}

export function hasTwoVersions({ major }: Pick<ExportContext, 'major'>, { draftAndPublish }: ContentType): boolean {
  return major === 5 && draftAndPublish;
}

interface Place {
  readonly type: ContentType;
  readonly id: number;
}

/** Whether an entry is public: it has a published version, or its type has no drafts. */
function isLive(context: ExportContext, { type, id }: Place): boolean {
  return context.published.get(type.uid)?.get(id) !== 0;
}

type Pair = readonly [owner: number, target: number, isDraft: boolean];

/** Version 4 has one row for each entry: what is published, with the links that it has there, else the draft. */
function isInOneRow(context: ExportContext, { owner, target, isDraft, isApart }: Ends): boolean {
  if (!isApart) return true;
  return isLive(context, owner.type.draftAndPublish ? owner : target) !== isDraft;
}

/** The two ends of a link, in one of the states. */
interface Ends {
  readonly owner: Place;
  readonly target: Place;
  readonly isDraft: boolean;
  /** Whether what is published of the attribute is stored apart. */
  readonly isApart: boolean;
  readonly isMorph: boolean;
}

/** The pairs of archive rows for a link between two rows: the drafts are linked with each other, and so are the published versions. */
function pairs(context: ExportContext, ends: Ends): readonly Pair[] {
  const { owner, target, isMorph } = ends;
  if (context.major === 4) return isInOneRow(context, ends) ? [[owner.id, target.id, false]] : [];
  const [ownerDouble, targetDouble] = [hasTwoVersions(context, owner.type), hasTwoVersions(context, target.type)];
  if (!ownerDouble && !targetDouble) return [[owner.id, target.id, false]];
  const live = isLive(context, owner) && isLive(context, target);
  // Strapi would show both rows of the target, so only one of them is linked.
  const versions = ends.isApart ? [ends.isDraft] : isMorph ? [!live] : [true, false];
  return versions.flatMap((isDraft): Pair[] => {
    if (!isDraft && !live) return [];
    return [
      [
        versionId(owner.id, { isDraft, hasTwoVersions: ownerDouble }),
        versionId(target.id, { isDraft, hasTwoVersions: targetDouble }),
        isDraft,
      ],
    ];
  });
}

interface Found {
  readonly owner: ContentType;
  readonly name: string;
  readonly attribute: LinkAttribute;
  readonly id: number;
  /** The component item that has the link, if it is not the entry itself. */
  readonly item: number | undefined;
  readonly component: string | undefined;
  readonly target: Place;
  readonly isApart: boolean;
  readonly place: number | undefined;
  readonly otherPlace: number | undefined;
}

function position(place: number | undefined): { pos?: number } {
  return place === undefined ? {} : { pos: place };
}

function linksOf(context: ExportContext, found: Found): readonly ExportedLink[] {
  const { owner, name, attribute, id, target, isApart, component, item, place, otherPlace } = found;
  const ownerType = component ?? strapiUid(owner.uid);
  const targetType = strapiUid(target.type.uid);
  const isMorph = attribute.type === 'relation' && strapiRelation(attribute).startsWith('morph');
  const ends = { owner: { type: owner, id }, target, isDraft: !isPublished(owner), isApart, isMorph };
  return pairs(context, ends).map(([ownerRow, targetRow, isDraft]) => {
    const ownerId =
      item === undefined ? ownerRow : versionId(item, { isDraft, hasTwoVersions: hasTwoVersions(context, owner) });
    if (attribute.type === 'media') {
      const right = { type: ownerType, ref: ownerId, field: name, pos: place ?? 1 };
      return {
        kind: 'relation.morph',
        relation: 'morphToMany',
        left: { type: targetType, field: 'related', ref: targetRow },
        right,
      };
    }
    const relation = strapiRelation(attribute);
    if (isMorph) {
      // Version 5 names the attribute on this side, too; version 4 names none.
      const field = context.major === 5 ? name : null;
      const more = relation === 'morphToMany' ? { field, ...position(place) } : {};
      return {
        kind: 'relation.morph',
        relation,
        left: { type: ownerType, field: name, ref: ownerId },
        right: { type: targetType, ref: targetRow, ...more },
      };
    }
    return {
      kind: ownerType === targetType ? 'relation.circular' : 'relation.basic',
      relation,
      left: { type: ownerType, field: name, ref: ownerId, ...(attribute.many ? position(place) : {}) },
      right: {
        type: targetType,
        ref: targetRow,
        ...(attribute.inverse === undefined ? {} : { field: attribute.inverse, ...position(otherPlace) }),
      },
    };
  });
}

function typeOf({ types }: ExportContext, uid: string | undefined): ContentType {
  const type = uid === undefined ? undefined : types.types[uid];
  if (!type) throw new Error(`There is no type ${uid ?? ''}`);
  return type;
}

function targetOf(
  context: ExportContext,
  targets: Readonly<Record<string, string>>,
  cells: Cells,
): Found['target'] | undefined {
  const found = Object.entries(targets).find(([, column]) => (cells[column] ?? null) !== null);
  return found && { type: typeOf(context, found[0]), id: Number(cells[found[1]]) };
}

function numberOf(cell: Cell | undefined): number | undefined {
  return cell === null || cell === undefined ? undefined : Number(cell);
}

/** The links of one attribute of a type. */
async function* attributeLinks(
  reader: ContentReader,
  context: ExportContext,
  owner: ContentType,
  name: string,
  attribute: LinkAttribute,
  isApart: boolean,
): AsyncGenerator<ExportedLink> {
  const { storage } = attribute;
  const uid = attribute.type === 'media' ? 'file' : attribute.target;
  const base = { owner, name, attribute, isApart, item: undefined, component: undefined };
  if (storage.kind !== 'foreignKey' && storage.kind !== 'link' && storage.kind !== 'morph') return;
  const table = storage.kind === 'foreignKey' ? owner.table : storage.table;
  for await (const cells of rowsOf(reader, table)) {
    if (storage.kind === 'foreignKey') {
      const id = numberOf(cells[storage.column]);
      const otherPlace = storage.position === undefined ? undefined : numberOf(cells[storage.position]);
      if (id !== undefined) {
        yield* linksOf(context, {
          ...base,
          id: Number(cells['id']),
          target: { type: typeOf(context, uid), id },
          place: undefined,
          otherPlace,
        });
      }
      continue;
    }
    const place = numberOf(cells[storage.position]);
    const target =
      storage.kind === 'morph'
        ? targetOf(context, storage.targets, cells)
        : { type: typeOf(context, uid), id: Number(cells[storage.other]) };
    const otherPlace =
      storage.kind === 'link' && storage.otherPosition !== undefined
        ? numberOf(cells[storage.otherPosition])
        : undefined;
    if (target) yield* linksOf(context, { ...base, id: Number(cells[storage.own]), target, place, otherPlace });
  }
}

async function* componentLinks(
  reader: ContentReader,
  context: ExportContext,
  owner: ContentType,
): AsyncGenerator<ExportedLink> {
  if (!owner.componentLinks) return;
  const { table, targets } = owner.componentLinks;
  for await (const cells of rowsOf(reader, table)) {
    const item = Number(cells[NAMES.item]);
    const component = context.components[context.items.get(item) ?? -1];
    const name = String(cells[NAMES.itemAttribute]);
    const attributes = component === undefined ? {} : (context.types.components[component]?.attributes ?? {});
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const target = targetOf(context, targets, cells);
    if (!target || (attribute?.type !== 'relation' && attribute?.type !== 'media')) continue;
    yield* linksOf(context, {
      owner,
      name,
      attribute,
      isApart: owner.published !== undefined,
      id: Number(cells[NAMES.owner]),
      item,
      component,
      target,
      place: numberOf(cells[NAMES.position]),
      otherPlace: undefined,
    });
  }
}

/** Whether what is published of an attribute is stored apart. */
function isApart({ published }: ContentType, { storage }: LinkAttribute): boolean {
  return published !== undefined || ('published' in storage && storage.published !== undefined);
}

/** A type as drafts and as what is published. */
function inBothStates({ types }: ExportContext, type: ContentType): readonly ContentType[] {
  return [type, inState(types, type, true)];
}

/** All links of the content, in the order of types and attributes. */
export async function* exportedLinks(reader: ContentReader, context: ExportContext): AsyncGenerator<ExportedLink> {
  for (const type of Object.values(context.types.types)) {
    for (const [name, attribute] of Object.entries(type.attributes)) {
      if (attribute.type !== 'media' && (attribute.type !== 'relation' || !isOwner(attribute))) continue;
      if (!isExported(type, name)) continue;
      const hasStates = isApart(type, attribute);
      for (const owner of hasStates ? inBothStates(context, type) : [type]) {
        const own = owner.attributes[name];
        if (own?.type !== 'media' && own?.type !== 'relation') continue;
        yield* attributeLinks(reader, context, owner, name, own, hasStates);
      }
    }
    for (const owner of type.published ? inBothStates(context, type) : [type]) {
      yield* componentLinks(reader, context, owner);
    }
  }
}
