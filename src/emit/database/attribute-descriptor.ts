/** The runtime's descriptor of an attribute: its type and rules from the content model, its storage from the layout. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import type { Attribute, MediaAttribute, RelationAttribute, ScalarAttribute } from '../../model/content-model.ts';
import type { AttributeLayout } from '../../storage/layout.ts';
import type { Literal } from '../print-literal.ts';

function yes(flag: boolean): true | undefined {
  return flag ? true : undefined;
}

function storageOf(layout: AttributeLayout): Literal {
  if (layout.kind === 'column') throw new Error(`A relation can't be stored as the plain column ${layout.column}`);
  if (layout.kind !== 'foreignKey' && layout.kind !== 'inverseForeignKey') return { ...layout };
  const { published, ...rest } = layout;
  return { ...rest, published: published && { ...published } };
}

function columnOf(attribute: Attribute, layout: AttributeLayout): string {
  if (layout.kind !== 'column') throw new Error(`The attribute ${attribute.name} must be a column, not ${layout.kind}`);
  return layout.column;
}

function columnsOf(attribute: Attribute, layout: AttributeLayout): { readonly [key: string]: Literal | undefined } {
  const claim = layout.kind === 'column' ? layout.claim : undefined;
  return { column: columnOf(attribute, layout), claim };
}

/** Rules that validators check too; in the descriptor, a server can describe them. */
function rulesOf(attribute: ScalarAttribute): { readonly [key: string]: Literal | undefined } {
  const { minLength, maxLength, regex, min, max, enum: values, default: initial, targetField } = attribute;
  return {
    unique: yes(attribute.unique),
    targetField,
    minLength,
    maxLength,
    regex,
    min,
    max,
    enum: values.length > 0 ? values : undefined,
    default: initial,
    enumLabels: attribute.enumLabels,
    field: attribute.field,
    indexed: attribute.indexed,
  };
}

function relationDescriptor(attribute: RelationAttribute): { readonly [key: string]: Literal | undefined } {
  return {
    type: 'relation',
    relation: attribute.relation,
    many: attribute.many,
    target: isPolymorphic(attribute.relation) ? undefined : attribute.targets[0],
    inverse: attribute.inverse,
    onDelete: attribute.onDelete === 'setNull' ? undefined : attribute.onDelete,
  };
}

function mediaDescriptor(attribute: MediaAttribute): { readonly [key: string]: Literal | undefined } {
  return {
    type: 'media',
    many: attribute.multiple,
    allowedTypes: attribute.allowedTypes.length > 0 ? attribute.allowedTypes : undefined,
  };
}

/**
 * Where an attribute of a component is stored: a value in the component's JSON, under the attribute's name; links in
 * the link table of the type that uses the component, in the column of their target type (`columns`). Undefined if no
 * type uses the component with such links.
 */
function componentLayout(attribute: Attribute, columns: ReadonlyMap<string, string>): AttributeLayout | undefined {
  if (attribute.kind !== 'relation' && attribute.kind !== 'media') return { kind: 'column', column: attribute.name };
  const link = { table: '', own: COLUMN_NAMES.owner, position: COLUMN_NAMES.position } as const;
  const isMorph = attribute.kind === 'relation' && isPolymorphic(attribute.relation);
  const uids = attribute.kind === 'media' ? ['file'] : attribute.targets;
  const targets = uids.flatMap((uid) => {
    const column = columns.get(uid);
    return column === undefined ? [] : [[uid, column] as const];
  });
  const [first] = targets;
  if (!first) return undefined;
  if (isMorph) return { kind: 'morph', ...link, targets: Object.fromEntries(targets) };
  return { kind: 'link', ...link, other: first[1] };
}

/** The descriptor of a component's attribute; undefined if it is stored nowhere, because no type uses the component. */
export function componentAttributeDescriptor(
  attribute: Attribute,
  columns: ReadonlyMap<string, string>,
): Literal | undefined {
  const stored = componentLayout(attribute, columns);
  return stored && attributeDescriptor(attribute, stored, false);
}

/** `localized`: whether the type is localized. If so, an attribute that isn't localized is shared by all locales. */
export function attributeDescriptor(attribute: Attribute, layout: AttributeLayout, localized: boolean): Literal {
  const flags = {
    private: yes(attribute.private),
    writable: attribute.writable ? undefined : false,
    required: yes(attribute.required),
    visible: attribute.visible && { ...attribute.visible },
    shared: yes(attribute.kind === 'relation' ? attribute.shared : localized && !attribute.localized),
    displayName: attribute.displayName,
    description: attribute.description,
    texts: attribute.texts && { ...attribute.texts },
  };
  switch (attribute.kind) {
    case 'scalar':
      return { type: attribute.type, ...columnsOf(attribute, layout), ...flags, ...rulesOf(attribute) };
    case 'relation':
      return { ...relationDescriptor(attribute), storage: storageOf(layout), ...flags };
    case 'media':
      return { ...mediaDescriptor(attribute), storage: storageOf(layout), ...flags };
    case 'component':
      return {
        type: 'component',
        column: columnOf(attribute, layout),
        component: attribute.component,
        repeatable: attribute.repeatable,
        min: attribute.min,
        max: attribute.max,
        ...flags,
      };
    case 'dynamiczone':
      return {
        type: 'dynamiczone',
        column: columnOf(attribute, layout),
        components: attribute.components,
        min: attribute.min,
        max: attribute.max,
        ...flags,
      };
  }
}
