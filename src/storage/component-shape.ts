/** What components look like in storage. */
import { FILE_TYPE } from './component-targets.ts';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../model/content-model.ts';
import type { ColumnType, ComponentMember, ComponentShape, Holds } from './storage-model.ts';

/** The type of the column of a scalar attribute. */
export function columnType(attribute: ScalarAttribute): ColumnType {
  switch (attribute.type) {
    case 'email':
    case 'uid':
    case 'enumeration':
    case 'password':
      return 'string';
    case 'string':
    case 'text':
    case 'richtext':
      // Not by `maxLength`: a longer title must not need another column.
      return attribute.unique ? 'string' : 'text';
    case 'blocks':
      return 'json';
    case 'timestamp':
      return 'datetime';
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
    case 'date':
    case 'time':
    case 'datetime':
    case 'boolean':
    case 'json':
      return attribute.type;
  }
}

/** What the JSON column of an attribute holds; the order of a zone's components does not matter. */
export function holdsOf(attribute: ComponentAttribute | DynamicZoneAttribute): Holds {
  if (attribute.kind === 'dynamiczone') return { kind: 'zone', components: [...attribute.components].sort() };
  return { kind: 'component', component: attribute.component, repeatable: attribute.repeatable };
}

/** The type of a scalar inside JSON, where short and long text are the same. */
function valueType(attribute: ScalarAttribute): ColumnType {
  const type = columnType(attribute);
  return type === 'string' ? 'text' : type;
}

function memberOf(attribute: Attribute): ComponentMember {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'scalar':
      return {
        name,
        kind: 'value',
        type: valueType(attribute),
        ...(attribute.type === 'password' ? { secret: true } : {}),
        ...(attribute.type === 'enumeration' ? { values: [...attribute.enum].sort() } : {}),
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
