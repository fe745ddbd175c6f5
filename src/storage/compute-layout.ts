/** Decides where each attribute is stored. No other code makes up names of columns and link tables. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import { snakeCase } from '../model/naming.ts';
import { claimName } from './claim-column.ts';
import { componentTargets } from './component-targets.ts';
import { ENTRY_COLUMNS } from './column-names.ts';
import { databaseName } from './database-name.ts';
import type {
  Attribute,
  ContentModel,
  ContentType,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../model/content-model.ts';
import type { AttributeLayout, Layout, PlaceLayout, TypeLayout } from './layout.ts';

/** Columns of link tables other than the target columns. */
const FIXED_LINK_COLUMNS: ReadonlySet<string> = new Set([NAMES.owner, NAMES.item]);

/** The column for targets of one type, in a link table with several target types. */
function targetColumn(uid: string): string {
  const column = databaseName(snakeCase(uid), 'id');
  return FIXED_LINK_COLUMNS.has(column) ? `target_${column}` : column;
}

/** The column of an attribute. One that would have the name of a system column, such as `document`, gets an underscore: `document_id_`. */
function attributeColumn(...parts: readonly string[]): string {
  const column = databaseName(...parts);
  return ENTRY_COLUMNS.has(column) ? `${column}_` : column;
}

function keyColumn(name: string): string {
  return attributeColumn(snakeCase(name), 'id');
}

function targetColumns(uids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(uids.map((uid) => [uid, targetColumn(uid)]));
}

function typeOf(model: ContentModel, uid: string): ContentType {
  const type = model.contentTypes.find((candidate) => candidate.uid === uid);
  if (!type) throw new Error(`the content model has no type ${uid}`);
  return type;
}

function inverseOf(model: ContentModel, relation: RelationAttribute): RelationAttribute | undefined {
  const type = typeOf(model, targetOf(relation));
  const inverse = type.attributes.find((attribute) => attribute.name === relation.inverse);
  return inverse?.kind === 'relation' ? inverse : undefined;
}

function targetOf(relation: RelationAttribute): string {
  const [target] = relation.targets;
  if (target === undefined) throw new Error(`the relation ${relation.name} has no target`);
  return target;
}

const PUBLISHED = 'published';

/** The columns of a foreign key and of its position, for the published state if that is separate. */
function place(name: string, inverse: RelationAttribute | undefined, ...state: readonly string[]): PlaceLayout {
  return {
    column: keyColumn([...state, snakeCase(name)].join('_')),
    ...(inverse?.many ? { position: databaseName(...state, snakeCase(name), 'position') } : {}),
  };
}

/**
 * The columns of the published state in a type without drafts: of a relation that is also an attribute of a type with drafts, whose
 * drafts may change it.
 */
function publishedPlace(
  model: ContentModel,
  owner: ContentType,
  name: string,
  inverse: RelationAttribute | undefined,
  target: string,
): { readonly published?: PlaceLayout } {
  const isSeparate = !owner.draftAndPublish && inverse !== undefined && typeOf(model, target).draftAndPublish;
  return isSeparate ? { published: place(name, inverse, PUBLISHED) } : {};
}

function foreignKey(model: ContentModel, type: ContentType, relation: RelationAttribute): AttributeLayout {
  const inverse = inverseOf(model, relation);
  return {
    kind: 'foreignKey',
    ...place(relation.name, inverse),
    ...(relation.relation === 'oneToOne' ? { unique: true } : {}),
    ...publishedPlace(model, type, relation.name, inverse, targetOf(relation)),
  };
}

/** The table of the published state of a link table, if one of its sides is an attribute of a type with drafts. */
function publishedTable(table: string, ...sides: readonly ContentType[]): { readonly published?: string } {
  return sides.some(({ draftAndPublish }) => draftAndPublish) ? { published: databaseName(table, PUBLISHED) } : {};
}

/** The layout of a many-to-many or many-way relation, on the owning side. */
function ownLink(model: ContentModel, type: ContentType, relation: RelationAttribute): AttributeLayout {
  const table = databaseName(type.tableName, snakeCase(relation.name), 'links');
  const otherSide = relation.inverse === undefined ? [] : [typeOf(model, targetOf(relation))];
  return {
    kind: 'link',
    table,
    ...publishedTable(table, type, ...otherSide),
    own: NAMES.owner,
    other: NAMES.target,
    position: NAMES.position,
    ...(relation.inverse === undefined ? {} : { otherPosition: NAMES.inversePosition }),
  };
}

/** The layout of a many-to-many relation on the inverse side: the same table with owner and target swapped. */
function inverseLink(
  model: ContentModel,
  type: ContentType,
  relation: RelationAttribute,
  owner: RelationAttribute,
): AttributeLayout {
  const owning = typeOf(model, targetOf(relation));
  const table = databaseName(owning.tableName, snakeCase(owner.name), 'links');
  return {
    kind: 'link',
    table,
    ...publishedTable(table, owning, type),
    own: NAMES.target,
    other: NAMES.owner,
    position: NAMES.inversePosition,
    otherPosition: NAMES.position,
    isInverse: true,
  };
}

function inverseSide(model: ContentModel, type: ContentType, relation: RelationAttribute): AttributeLayout {
  const owner = inverseOf(model, relation);
  if (!owner) throw new Error(`the relation ${relation.name} has no owning side`);
  if (relation.relation === 'manyToMany') return inverseLink(model, type, relation, owner);
  return {
    kind: 'inverseForeignKey',
    ...place(owner.name, relation),
    ...publishedPlace(model, typeOf(model, targetOf(relation)), owner.name, relation, type.uid),
  };
}

/** The layout of the inverse side of a polymorphic relation: the rows of its table that point to this type. */
function inverseMorph(model: ContentModel, type: ContentType, relation: RelationAttribute): AttributeLayout {
  const owner = inverseOf(model, relation);
  if (!owner) throw new Error(`the relation ${relation.name} has no owning side`);
  const owning = typeOf(model, targetOf(relation));
  const table = databaseName(owning.tableName, snakeCase(owner.name), 'morphs');
  return {
    kind: 'inverseMorph',
    table,
    ...publishedTable(table, owning),
    own: targetColumn(type.uid),
    other: NAMES.owner,
  };
}

function relationLayout(model: ContentModel, type: ContentType, relation: RelationAttribute): AttributeLayout {
  switch (relation.relation) {
    case 'morphToOne':
    case 'morphToMany': {
      const table = databaseName(type.tableName, snakeCase(relation.name), 'morphs');
      return {
        kind: 'morph',
        table,
        own: NAMES.owner,
        position: NAMES.position,
        targets: targetColumns(relation.targets),
        ...publishedTable(table, type),
      };
    }
    case 'morphOne':
    case 'morphMany':
      return inverseMorph(model, type, relation);
    case 'manyToMany':
    case 'manyWay':
      return relation.owner ? ownLink(model, type, relation) : inverseSide(model, type, relation);
    case 'oneToOne':
    case 'oneToMany':
    case 'manyToOne':
    case 'oneWay':
      break;
  }
  return relation.owner ? foreignKey(model, type, relation) : inverseSide(model, type, relation);
}

function mediaLayout(type: ContentType, media: MediaAttribute): AttributeLayout {
  if (!media.multiple) return { kind: 'foreignKey', ...place(media.name, undefined) };
  const table = databaseName(type.tableName, snakeCase(media.name), 'files');
  return {
    kind: 'link',
    table,
    ...publishedTable(table, type),
    own: NAMES.owner,
    other: NAMES.target,
    position: NAMES.position,
  };
}

function scalarLayout(type: ContentType, { name, type: scalar, unique, localized }: ScalarAttribute): AttributeLayout {
  const column = attributeColumn(snakeCase(name));
  const isClaimed = type.localized && !localized && (unique || scalar === 'uid');
  return { kind: 'column', column, ...(isClaimed && { claim: claimName(column) }) };
}

function attributeLayout(model: ContentModel, type: ContentType, attribute: Attribute): AttributeLayout {
  switch (attribute.kind) {
    case 'scalar':
      return scalarLayout(type, attribute);
    case 'component':
    case 'dynamiczone':
      return { kind: 'column', column: attributeColumn(snakeCase(attribute.name)) };
    case 'relation':
      return relationLayout(model, type, attribute);
    case 'media':
      return mediaLayout(type, attribute);
  }
}

function typeLayout(model: ContentModel, type: ContentType): TypeLayout {
  const targets = componentTargets(model, type);
  const links = databaseName(type.tableName, 'component_links');
  return {
    table: type.tableName,
    localized: type.localized,
    attributes: new Map(
      type.attributes.map((attribute) => [attribute.name, attributeLayout(model, type, attribute)] as const),
    ),
    componentLinks: targets.length === 0 ? undefined : { table: links, targets: targetColumns(targets) },
    ...(type.draftAndPublish && {
      published: {
        table: databaseName(type.tableName, PUBLISHED),
        ...(targets.length > 0 && { componentLinks: databaseName(links, PUBLISHED) }),
      },
    }),
  };
}

/**
 * The storage of every attribute of the model. Each name depends only on the names of its own type and attribute (and
 * those on the other side of a relation), so unrelated changes to the schema can't affect it. Throws for an unresolved
 * reference, which is a defect of an earlier stage.
 */
export function layoutOf(model: ContentModel): Layout {
  return new Map(model.contentTypes.map((type) => [type.uid, typeLayout(model, type)] as const));
}
