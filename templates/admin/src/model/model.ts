/** The content model, as `GET /api/admin/model` returns it, under the names of the panel. */
import type { AdminAttribute, AdminRelation, AdminScalar, AdminType } from '../../../runtime/src/contract/admin.ts';

export type {
  AdminAttribute as Attribute,
  AdminAttributes as Attributes,
  AdminComponent as Component,
  AdminComponentUse as ComponentAttribute,
  AdminMedia as MediaAttribute,
  AdminModel as Model,
  AdminRelation as RelationAttribute,
  AdminScalar as ScalarAttribute,
  AdminType as ContentType,
  AdminZone as ZoneAttribute,
} from '../../../runtime/src/contract/admin.ts';

/** Whether an attribute is a single value of an attribute type, not files, entries or components. */
export function isScalar(attribute: AdminAttribute): attribute is AdminScalar {
  return !['relation', 'media', 'component', 'dynamiczone'].includes(attribute.type);
}

/** Whether a relation can target several types. */
export function isPolymorphic({ relation }: AdminRelation): boolean {
  return relation === 'morphToOne' || relation === 'morphToMany';
}

/** Whether a request body may set an attribute. The inverse side of a polymorphic relation is read-only. */
export function isWritable(attribute: AdminAttribute): boolean {
  if (attribute.writable === false) return false;
  return attribute.type !== 'relation' || attribute.morphBy === undefined;
}

/**
 * The name that users see of an attribute: its display name, or one derived from its name: `metaTitle` → `Meta title`.
 * `attribute` is undefined for what every entry has, such as `updatedAt`.
 */
export function labelOf(name: string, attribute: Pick<AdminAttribute, 'displayName'> | undefined): string {
  if (attribute?.displayName !== undefined) return attribute.displayName;
  const words = name.replaceAll(/[_-]+/gu, ' ').replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** The name that people see of a value of an enumeration. */
export function enumLabelOf({ enumLabels = {} }: Pick<AdminScalar, 'enumLabels'>, value: string): string {
  return Object.hasOwn(enumLabels, value) ? (enumLabels[value] ?? value) : value;
}

/** The name that people see of the entries of a type. */
export function pluralOf({ displayName, pluralDisplayName }: AdminType): string {
  return pluralDisplayName ?? displayName;
}

/** The path segment after `/api/` and, in the admin panel, after `/admin/`: `articles`. */
export function resourceOf({ endpoint }: AdminType): string {
  return endpoint.replace('/api/', '');
}
