/** The default main field and list columns of a type, unless the schema sets them. */
import type { Attribute, ContentType, ScalarType } from '../../contract/content-type.ts';
import { attributeType, isFreeText } from '../../contract/attribute-types/scalar-type.ts';
import { isScalarAttribute, kindsOf } from '../../contract/item-attributes.ts';

/** Preferred names for the main field, best first. */
const TITLES = ['title', 'name', 'displayName', 'label', 'username', 'headline', 'slug'];

/** Default number of columns of a list, including the main field. */
const COLUMNS = 5;

/** Whether values usually take more than one line. */
function isWide(type: ScalarType): boolean {
  const { isLong, columnType } = attributeType(type);
  return isLong === true || columnType === 'json';
}

/** The attribute that identifies an entry to people: one with a common name, else the first short text, else the id. */
export function mainFieldOf({ attributes, admin }: ContentType): string {
  if (admin?.mainField !== undefined) return admin.mainField;
  const texts = kindsOf(attributes)
    .scalars.filter(([, { type, private: isPrivate }]) => isFreeText(type) && !isPrivate && !isWide(type))
    .map(([name]) => name);
  return TITLES.find((name) => texts.includes(name)) ?? texts[0] ?? 'id';
}

function fitsInList(attribute: Attribute): boolean {
  if (attribute.private) return false;
  if (isScalarAttribute(attribute)) return !isWide(attribute.type) && attributeType(attribute.type).isSecret !== true;
  return attribute.type === 'media' || (attribute.type === 'relation' && !attribute.many);
}

/** The columns of a list for a role: the main field, other attributes that fit on one line, and `updatedAt`. */
export function columnsOf(type: ContentType, role: string): readonly string[] {
  const { attributes, admin } = type;
  const own = admin?.columnsOf?.[role];
  if (own !== undefined) return own;
  if (admin?.columns !== undefined) return admin.columns;
  const mainField = mainFieldOf(type);
  const fitting = Object.entries(attributes).filter(([name, attribute]) => name !== mainField && fitsInList(attribute));
  return [mainField, ...fitting.map(([name]) => name)].slice(0, COLUMNS - 1).concat('updatedAt');
}
