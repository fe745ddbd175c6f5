/** What components look like in storage. */
import { attributeType, columnTypeOf } from '#contract/attribute-types/scalar-type.ts';
import { FILE_TYPE } from './component-targets.ts';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../model/content-model.ts';
import type { ColumnType, ComponentMember, ComponentShape, Holds } from './storage-model.ts';

/** The type of the column of a scalar attribute. Not by `maxLength`: a longer title must not need another column. */
export function columnType(attribute: ScalarAttribute): ColumnType {
  const { columnType: type, isShort } = attributeType(attribute.type);
  return type === 'text' && (isShort || attribute.unique || attribute.indexed) ? 'string' : type;
}

/** What the JSON column of an attribute holds; the order of a zone's components does not matter. */
export function holdsOf(attribute: ComponentAttribute | DynamicZoneAttribute): Holds {
  if (attribute.kind === 'dynamiczone') return { kind: 'zone', components: [...attribute.components].sort() };
  return { kind: 'component', component: attribute.component, repeatable: attribute.repeatable };
}

function memberOf(attribute: Attribute): ComponentMember {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return {
        name,
        kind: 'value',
        // Inside of JSON, short and long text are the same.
        type: columnTypeOf(attribute.type),
        ...(attributeType(attribute.type).isSecret ? { secret: true } : {}),
        ...(attribute.enum.length > 0 ? { values: [...attribute.enum].sort() } : {}),
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

/** The shape of the items of a component; the order in which they were written does not matter. */
export function componentShape({ uid, attributes }: Component): ComponentShape {
  const members = attributes.map(memberOf);
  return { uid, members: members.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
