/** `src/generated/database.ts`: a descriptor of each content type and its storage, one line per attribute. */
import type { Component, ContentModel, ContentType } from '../../model/content-model.ts';
import type { FileOf } from '../../files/generated-file.ts';
import type { Layout, TypeLayout } from '../../storage/layout.ts';
import { publishedLayout } from '../../storage/published-layout.ts';
import { searchIndex } from '../../storage/search-index.ts';
import { memberIndexNames } from '../../storage/sorted-index.ts';
import { writtenIndex } from '../../model/resolve-indexes.ts';
import { combinationsOf, indexesOf } from '../../model/within-tenant.ts';
import { EXTENSION_POINT, headerLine } from '../header.ts';
import { attributeDescriptor, componentAttributeDescriptor } from './attribute-descriptor.ts';
import { type Literal, printExpanded } from '../print-literal.ts';

/** Nesting depth down to which objects have one member per line, however short: the attributes of a type. */
const EXPANDED_LEVELS = 3;

function typeDescriptor(type: ContentType, layout: Layout): Literal {
  const where = layout.get(type.uid);
  if (!where) throw new Error(`The layout lacks the type ${type.uid}`);
  const attributes = type.attributes.map((attribute) => {
    const stored = where.attributes.get(attribute.name);
    if (!stored) throw new Error(`The layout lacks ${type.uid}.${attribute.name}`);
    return [attribute.name, attributeDescriptor(attribute, stored, type.localized)] as const;
  });
  const searched = searchIndex(type, where);
  const members = memberIndexNames(type, where);
  return {
    uid: type.uid,
    kind: type.kind,
    displayName: type.displayName,
    description: type.description,
    texts: type.texts && { ...type.texts },
    singularName: type.uid,
    pluralName: type.pluralName,
    table: where.table,
    draftAndPublish: type.draftAndPublish,
    schedules: type.schedules,
    trash: type.trash,
    history: type.history && { ...type.history },
    localized: type.localized,
    documentIds: type.documentIds ? true : undefined,
    attributes: Object.fromEntries(attributes),
    componentLinks: where.componentLinks,
    register: type.register.length > 0 ? type.register : undefined,
    unique: type.unique.length > 0 ? combinationsOf(type) : undefined,
    key: type.key,
    tenant: type.tenant,
    indexes: type.indexes.length > 0 ? indexesOf(type).map(writtenIndex) : undefined,
    memberIndexes: Object.keys(members).length > 0 ? members : undefined,
    search: searched && { index: searched.name, attributes: type.search.map(({ name }) => name) },
    admin: type.admin && { ...type.admin },
    published: publishedDescriptor(type, where),
  };
}

/** The tables and indexes of published versions. */
function publishedDescriptor(type: ContentType, where: TypeLayout): Literal | undefined {
  const published = publishedLayout(where);
  if (!published) return undefined;
  const members = memberIndexNames(type, published);
  return {
    table: published.table,
    componentLinks: published.componentLinks?.table,
    search: searchIndex(type, published)?.name,
    memberIndexes: Object.keys(members).length > 0 ? members : undefined,
  };
}

/** Target type → column for links inside components. All types that use components have the same column names. */
function componentLinkColumns(layout: Layout): ReadonlyMap<string, string> {
  return new Map([...layout.values()].flatMap(({ componentLinks }) => Object.entries(componentLinks?.targets ?? {})));
}

function componentDescriptor(component: Component, columns: ReadonlyMap<string, string>): Literal {
  const attributes = component.attributes.flatMap((attribute) => {
    const descriptor = componentAttributeDescriptor(attribute, columns);
    return descriptor === undefined ? [] : [[attribute.name, descriptor] as const];
  });
  const { displayName, description, texts } = component;
  return {
    uid: component.uid,
    displayName,
    description,
    texts: texts && { ...texts },
    attributes: Object.fromEntries(attributes),
  };
}

/** All descriptors, as data. */
export function descriptors(model: ContentModel, layout: Layout): Literal {
  const columns = componentLinkColumns(layout);
  return {
    types: Object.fromEntries(model.contentTypes.map((type) => [type.uid, typeDescriptor(type, layout)])),
    components: Object.fromEntries(
      model.components.map((component) => [component.uid, componentDescriptor(component, columns)]),
    ),
    locales: model.locales,
  };
}

/** Prints the final text: with hundreds of types, running a formatter would take longer than everything else. */
function print(view: Literal): string {
  return [
    headerLine('the schema'),
    "import type { ContentTypes } from '@content-gen/runtime';",
    '',
    '/** All content types and components: attributes, validation rules, and storage. */',
    `export const contentTypes: ContentTypes = ${printExpanded(view, '', EXPANDED_LEVELS)};`,
    '',
  ].join('\n');
}

export function databaseFile(model: ContentModel, layout: Layout): FileOf<Literal> {
  const path = 'src/generated/database.ts';
  const input = descriptors(model, layout);
  return { path, owner: 'managed', format: 'none', input, print, extensionPoint: EXTENSION_POINT };
}
