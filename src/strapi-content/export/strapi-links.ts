/** Converts relations and media of this server to links in Strapi's format. */
import type { ContentType, ContentTypes, MediaAttribute, RelationAttribute } from '#contract/content-type.ts';
import type { Cell, ContentReader } from '#contract/content-transfer.ts';
import type { NumberMap } from '../number-map.ts';
import { versionId } from './strapi-entities.ts';
import { isOwner, type Major, strapiRelation, strapiUid } from './strapi-schema.ts';

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
  /** Type → id → whether it is published (1 or 0), for types with two versions. */
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

/** The pairs of archive rows for a link between two rows: the drafts are linked with each other, and so are the published versions. */
function pairs(
  context: ExportContext,
  owner: { type: ContentType; id: number },
  target: { type: ContentType; id: number },
  isMorph: boolean,
): readonly (readonly [owner: number, target: number, isDraft: boolean])[] {
  const [ownerDouble, targetDouble] = [hasTwoVersions(context, owner.type), hasTwoVersions(context, target.type)];
  if (!ownerDouble && !targetDouble) return [[owner.id, target.id, false]];
  const isLive = ({ type, id }: { type: ContentType; id: number }): boolean =>
    context.published.get(type.uid)?.get(id) !== 0;
  const live = (!ownerDouble || isLive(owner)) && (!targetDouble || isLive(target));
  // Strapi would show both rows of the target, so only one of them is linked.
  const versions = isMorph && !ownerDouble ? [!live] : [true, false];
  return versions.flatMap((isDraft) => {
    if (!isDraft && !live) return [];
    return [
      [
        versionId(owner.id, { isDraft, hasTwoVersions: ownerDouble }),
        versionId(target.id, { isDraft, hasTwoVersions: targetDouble }),
        isDraft,
      ] as const,
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
  readonly target: { readonly type: ContentType; readonly id: number };
  readonly place: number | undefined;
  readonly otherPlace: number | undefined;
}

function position(place: number | undefined): { pos?: number } {
  return place === undefined ? {} : { pos: place };
}

function linksOf(context: ExportContext, found: Found): readonly ExportedLink[] {
  const { owner, name, attribute, id, target, component, item, place, otherPlace } = found;
  const ownerType = component ?? strapiUid(owner.uid);
  const targetType = strapiUid(target.type.uid);
  const isMorph = attribute.type === 'relation' && strapiRelation(attribute).startsWith('morph');
  return pairs(context, { type: owner, id }, target, isMorph).map(([ownerRow, targetRow, isDraft]) => {
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
): AsyncGenerator<ExportedLink> {
  const { storage } = attribute;
  const uid = attribute.type === 'media' ? 'file' : attribute.target;
  const base = { owner, name, attribute, item: undefined, component: undefined };
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
    const item = Number(cells['item_id']);
    const component = context.components[context.items.get(item) ?? -1];
    const name = String(cells['attribute']);
    const attributes = component === undefined ? {} : (context.types.components[component]?.attributes ?? {});
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const target = targetOf(context, targets, cells);
    if (!target || (attribute?.type !== 'relation' && attribute?.type !== 'media')) continue;
    yield* linksOf(context, {
      owner,
      name,
      attribute,
      id: Number(cells['owner_id']),
      item,
      component,
      target,
      place: numberOf(cells['position']),
      otherPlace: undefined,
    });
  }
}

/** All links of the content, in the order of types and attributes. */
export async function* exportedLinks(reader: ContentReader, context: ExportContext): AsyncGenerator<ExportedLink> {
  for (const type of Object.values(context.types.types)) {
    for (const [name, attribute] of Object.entries(type.attributes)) {
      const isLink = attribute.type === 'media' || (attribute.type === 'relation' && isOwner(attribute));
      if (isLink) yield* attributeLinks(reader, context, type, name, attribute);
    }
    yield* componentLinks(reader, context, type);
  }
}
