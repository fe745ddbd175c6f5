/** The stored form of components. */
import { attributeType, columnTypeOf } from '#contract/attribute-types/scalar-type.ts';
import { FILE_TYPE } from './component-targets.ts';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../model/content-model.ts';
import type { Column, ColumnType, ComponentMember, ComponentShape, Holds } from './storage-model.ts';

/** The column type of a scalar attribute. Independent of `maxLength`, so that raising it doesn't change the column. */
export function columnType(attribute: ScalarAttribute): ColumnType {
  const { columnType: type, isShort } = attributeType(attribute.type);
  return type === 'text' && (isShort || attribute.unique || attribute.indexed) ? 'string' : type;
}

/** The content of an attribute's JSON column. Independent of the order of a zone's components. */
export function holdsOf(attribute: ComponentAttribute | DynamicZoneAttribute): Holds {
  if (attribute.kind === 'dynamiczone') return { kind: 'zone', components: [...attribute.components].sort() };
  return { kind: 'component', component: attribute.component, repeatable: attribute.repeatable };
}

/** The values of an enumeration, sorted, and those that are exchanged. */
export function valuesOf({ enum: all, enumFrom = [] }: ScalarAttribute): Pick<Column, 'values' | 'exchanged'> {
  const exchanged = enumFrom.filter(({ from }) => all.includes(from)).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return { values: [...all].sort(), ...(exchanged.length > 0 ? { exchanged } : {}) };
}

function memberOf(attribute: Attribute): ComponentMember {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return {
        name,
        kind: 'value',
        // Inside JSON, short and long text are stored alike.
        type: columnTypeOf(attribute.type),
        ...(attributeType(attribute.type).isSecret ? { secret: true } : {}),
        ...(attribute.enum.length > 0 ? valuesOf(attribute) : {}),
        required: attribute.required,
      };
    case 'component':
      return { name, kind: 'component', component: attribute.component, repeatable: attribute.repeatable };
    case 'media':
      return { name, kind: 'links', targets: [FILE_TYPE], many: attribute.multiple };
    case 'relation':
      return { name, kind: 'links', targets: attribute.targets, many: attribute.many };
    case 'dynamiczone':
      throw new Error(`a component can't have the dynamic zone ${name}`);
  }
}

/** The shape of a component's items. Independent of the order of attributes. */
export function componentShape({ uid, attributes }: Component): ComponentShape {
  const members = attributes.map(memberOf);
  return { uid, members: members.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
