/** Finds names that differ in the schema but are the same in the database. */
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts';
import type { ContentModel, ContentType } from '../model/content-model.ts';
import { PENDING_FILES, serverTables as serverTablesOf } from './server-tables.ts';
import { COMPONENT_IDS } from './table-parts.ts';
import type { AttributeLayout, Layout, TypeLayout } from './layout.ts';
import { memberIndexNames } from './sorted-index.ts';

/** A named database object. */
interface Named {
  readonly name: string;
  /** Its name in the schema: `article.tags`. */
  readonly what: string;
  readonly location: SourceLocation;
}

function ownColumns(stored: AttributeLayout): readonly string[] {
  switch (stored.kind) {
    case 'column':
      return [stored.column];
    case 'foreignKey':
      return stored.position === undefined ? [stored.column] : [stored.column, stored.position];
    case 'inverseForeignKey':
    case 'inverseMorph':
    case 'link':
    case 'morph':
      return [];
  }
}

function clashes(named: readonly Named[], code: string, kind: string): readonly Diagnostic[] {
  const first = new Map<string, Named>();
  const found: Diagnostic[] = [];
  for (const thing of named) {
    const other = first.get(thing.name);
    if (!other) {
      first.set(thing.name, thing);
      continue;
    }
    found.push({
      code,
      severity: 'error',
      message: `${thing.what} and ${other.what} would use the same ${kind} '${thing.name}' in the database`,
      location: thing.location,
      related: [{ message: `${other.what} is defined here`, location: other.location }],
      hint: kind === 'table' ? 'Rename one of them, or set `tableName` of a type.' : 'Rename one of them.',
    });
  }
  return found;
}

function columnClashes(type: ContentType, typeLayout: TypeLayout): readonly Diagnostic[] {
  const own = type.attributes.flatMap((attribute) => {
    const columns = ownColumns(typeLayout.attributes.get(attribute.name) ?? { kind: 'inverseForeignKey', column: '' });
    return columns.map((name) => ({ name, what: `${type.uid}.${attribute.name}`, location: attribute.location }));
  });
  return clashes(own, 'storage/column-clash', 'column');
}

/** Index names may clash although the attribute names of a component differ: `metaTitle` and `meta_title`. */
function indexClashes(type: ContentType, typeLayout: TypeLayout): readonly Diagnostic[] {
  const names = Object.entries(memberIndexNames(type, typeLayout));
  const indexes = names.map(([key, name]) => ({ name, what: `${type.uid}.${key}`, location: type.location }));
  return clashes(indexes, 'storage/column-clash', 'index');
}

/** The tables of a type, each once: the inverse side of a many-to-many relation uses its owner's table. */
function tablesOf(type: ContentType, typeLayout: TypeLayout): readonly Named[] {
  const tables: Named[] = [{ name: typeLayout.table, what: type.uid, location: type.location }];
  for (const attribute of type.attributes) {
    const where = typeLayout.attributes.get(attribute.name);
    const owned = attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.owner);
    if (owned && (where?.kind === 'link' || where?.kind === 'morph')) {
      tables.push({ name: where.table, what: `${type.uid}.${attribute.name}`, location: attribute.location });
    }
  }
  if (typeLayout.componentLinks) {
    const what = `the links of the components of ${type.uid}`;
    tables.push({ name: typeLayout.componentLinks.table, what, location: type.location });
  }
  return tables;
}

/** The server's own tables. Their location is that of the first type or component, which they serve. */
function serverTables(model: ContentModel): readonly Named[] {
  const { contentTypes, components } = model;
  const [type] = contentTypes;
  const [component] = components;
  const names = [...serverTablesOf(model), PENDING_FILES].map(({ name }) => name);
  const server = type ? names.map((name) => ({ name, what: 'the server', location: type.location })) : [];
  if (!component) return server;
  return [...server, { name: COMPONENT_IDS.name, what: 'the ids of components', location: component.location }];
}

/** Errors for tables, and for columns of a table, that would have the same name. */
export function findNameClashes(model: ContentModel, layout: Layout): readonly Diagnostic[] {
  const placed = model.contentTypes.flatMap((type) => {
    const typeLayout = layout.get(type.uid);
    return typeLayout ? [{ type, typeLayout }] : [];
  });
  const tables = placed.flatMap(({ type, typeLayout }) => tablesOf(type, typeLayout));
  return [
    ...clashes([...serverTables(model), ...tables], 'storage/table-clash', 'table'),
    ...placed.flatMap(({ type, typeLayout }) => columnClashes(type, typeLayout)),
    ...placed.flatMap(({ type, typeLayout }) => indexClashes(type, typeLayout)),
  ];
}
