/** What people see of the entries of a type where the schema does not say it. */
import type { Attribute, ContentType, ScalarType } from '../../contract/content-type.ts';
import { attributeType, isFreeText } from '../../contract/attribute-types/scalar-type.ts';
import { isScalarAttribute, kindsOf } from '../../contract/item-attributes.ts';

/** Attributes that people call so tell entries apart, whatever else there is. */
const TITLES = ['title', 'name', 'displayName', 'label', 'username', 'headline', 'slug'];

/** How many columns a list has at first, the main field included. */
const COLUMNS = 5;

/** Of more than a line. */
function isWide(type: ScalarType): boolean {
  const { isLong, columnType } = attributeType(type);
  return isLong === true || columnType === 'json';
}

/** The attribute by which entries are told apart: one with a usual name, else the first short text; without one, the id. */
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

/** What lists show: the main field, some of the others that fit into a line, and when an entry was changed. */
export function columnsOf(type: ContentType): readonly string[] {
  const { attributes, admin } = type;
  if (admin?.columns !== undefined) return admin.columns;
  const mainField = mainFieldOf(type);
  const fitting = Object.entries(attributes).filter(([name, attribute]) => name !== mainField && fitsInList(attribute));
  return [mainField, ...fitting.map(([name]) => name)].slice(0, COLUMNS - 1).concat('updatedAt');
}
