/** The layout of published versions, which have the same attributes as drafts in other tables. */
import type { AttributeLayout, TypeLayout } from './layout.ts';

/** Appended to the names of types and attributes in the labels of tables and columns that store the published state. */
const SUFFIX = ':published';

/** The label of the published state of a type or an attribute. */
export function publishedLabel(name: string): string {
  return `${name}${SUFFIX}`;
}

/** The name in the schema of what a label stands for, in whatever state. */
export function schemaName(label: string): string {
  return label.replaceAll(SUFFIX, '');
}

export function isPublishedLabel(label: string): boolean {
  return label.endsWith(SUFFIX);
}

/** The storage of an attribute in the published state. */
export function publishedAttribute(layout: AttributeLayout): AttributeLayout {
  if (!('published' in layout) || layout.published === undefined) return layout;
  switch (layout.kind) {
    case 'link':
    case 'morph':
    case 'inverseMorph':
      return { ...layout, table: layout.published };
    case 'foreignKey':
    case 'inverseForeignKey':
      return { ...layout, ...layout.published };
  }
}

/** Undefined for a type without drafts. */
export function publishedLayout({
  published,
  componentLinks,
  attributes,
  localized,
}: TypeLayout): TypeLayout | undefined {
  if (!published) return undefined;
  return {
    table: published.table,
    localized,
    attributes: new Map([...attributes].map(([name, layout]) => [name, publishedAttribute(layout)])),
    componentLinks: componentLinks && { ...componentLinks, table: published.componentLinks ?? '' },
  };
}
