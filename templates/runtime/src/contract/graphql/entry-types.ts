/** The GraphQL types of a content type or component: its object, its filters and its input. */
import {
  type Attribute,
  type Component,
  type ContentType,
  isMorphInverse,
  type ScalarAttribute,
} from '../content-type.ts';
import type { Argument, Definition, Field, InputDefinition, InputField, ObjectDefinition } from './model.ts';
import { componentName, enumName, enumValues, typeName, zoneName } from './naming.ts';
import { attributesIn, type GraphqlScope, isShown, scalarOf } from './scope.ts';

type Owner = { readonly name: string; readonly isLoose: boolean };

export const LIST_ARGUMENTS: readonly Argument[] = [
  { name: 'pagination', type: 'PaginationArg', default: '{}' },
  { name: 'sort', type: '[String]', default: '[]' },
];

function isScalar(attribute: Attribute): attribute is ScalarAttribute {
  return !['relation', 'media', 'component', 'dynamiczone'].includes(attribute.type);
}

function hasEnum(attribute: ScalarAttribute): boolean {
  return attribute.type === 'enumeration' && attribute.enum !== undefined && attribute.enum.length > 0;
}

function valueType(owner: Owner, name: string, attribute: ScalarAttribute): string {
  return hasEnum(attribute) ? enumName(owner.name, name) : scalarOf(attribute);
}

function nullable(type: string, owner: Owner, { required }: Attribute): string {
  return required && !owner.isLoose ? `${type}!` : type;
}

/** The arguments of a list of entries, whose filters have the type `of`. */
export function listArguments(of: string): readonly Argument[] {
  return [{ name: 'filters', type: `${of}FiltersInput` }, ...LIST_ARGUMENTS];
}

/** The fields of a relation with one type of targets. */
function relationFields(
  { format, types }: GraphqlScope,
  name: string,
  { uid, many, means }: { readonly uid: string; readonly many: boolean; readonly means: Field['means'] },
): Field[] {
  const of = typeName(uid);
  const target = types.types[uid];
  if (format === 'v4') {
    if (!many) return [{ name, type: `${of}EntityResponse`, means }];
    const state: readonly Argument[] = target?.draftAndPublish
      ? [{ name: 'publicationState', type: 'PublicationState', default: 'LIVE' }]
      : [];
    return [{ name, type: `${of}RelationResponseCollection`, args: [...listArguments(of), ...state], means }];
  }
  if (!many) return [{ name, type: of, means }];
  const args = listArguments(of);
  return [
    { name: `${name}_connection`, type: `${of}RelationResponseCollection`, args, means },
    { name, type: `[${of}]`, args, means },
  ];
}

function fieldsOf(scope: GraphqlScope, owner: Owner, name: string, attribute: Attribute): Field[] {
  const { description } = attribute;
  const said = (fields: Field[]): Field[] => fields.map((field) => ({ ...field, description }));
  switch (attribute.type) {
    case 'relation': {
      if (attribute.storage.kind === 'morph') {
        return said([
          { name, type: attribute.many ? '[GenericMorph]' : 'GenericMorph', means: { is: 'morph', attribute: name } },
        ]);
      }
      const { target, many } = attribute;
      if (target === undefined || !scope.types.types[target]) return [];
      const means = { is: 'relation', attribute: name, target, media: false } as const;
      return said(relationFields(scope, name, { uid: target, many, means }));
    }
    case 'media': {
      const means = { is: 'relation', attribute: name, target: 'file', media: true } as const;
      return said(relationFields(scope, name, { uid: 'file', many: attribute.many, means }));
    }
    case 'component': {
      const of = componentName(attribute.component);
      const means = { is: 'component', attribute: name, repeatable: attribute.repeatable } as const;
      const type = nullable(attribute.repeatable ? `[${of}]` : of, owner, attribute);
      return said([{ name, type, ...(attribute.repeatable && { args: listArguments(of) }), means }]);
    }
    case 'dynamiczone': {
      const type = nullable(`[${zoneName(owner.name, name)}DynamicZone]`, owner, attribute);
      return said([{ name, type, means: { is: 'zone', attribute: name } }]);
    }
    default: {
      const type = nullable(valueType(owner, name, attribute), owner, attribute);
      return said([{ name, type, means: { is: 'value', attribute: name } }]);
    }
  }
}

function shownFields(scope: GraphqlScope, owner: Owner, of: ContentType | Component): Field[] {
  return attributesIn(of).flatMap(([name, attribute]) =>
    isShown(attribute) ? fieldsOf(scope, owner, name, attribute) : [],
  );
}

const time = (name: string): Field => ({ name, type: 'DateTime', means: { is: 'value', attribute: name } });

function filterType({ types }: GraphqlScope, attribute: Attribute): string | undefined {
  switch (attribute.type) {
    case 'relation':
      return attribute.target === undefined || attribute.storage.kind === 'morph' || !types.types[attribute.target]
        ? undefined
        : `${typeName(attribute.target)}FiltersInput`;
    case 'component':
      return `${componentName(attribute.component)}FiltersInput`;
    case 'media':
    case 'dynamiczone':
      return undefined;
    default:
      return `${attribute.type === 'enumeration' ? 'String' : scalarOf(attribute)}FilterInput`;
  }
}

function filtersInput(name: string, fields: readonly (readonly [string, string])[]): InputDefinition {
  const input = `${name}FiltersInput`;
  const logic = (field: string, type: string): InputField => ({ name: field, type, means: { is: 'logic' } });
  return {
    kind: 'input',
    name: input,
    fields: [
      ...fields.map(([field, type]): InputField => ({ name: field, type, means: { is: 'filters' } })),
      logic('and', `[${input}]`),
      logic('or', `[${input}]`),
      logic('not', input),
    ],
  };
}

function filteredAttributes(scope: GraphqlScope, of: ContentType | Component): (readonly [string, string])[] {
  return attributesIn(of).flatMap(([name, attribute]) => {
    const type = isShown(attribute) ? filterType(scope, attribute) : undefined;
    return type === undefined ? [] : [[name, type] as const];
  });
}

function inputOf(scope: GraphqlScope, owner: Owner, name: string, attribute: Attribute): InputField[] {
  switch (attribute.type) {
    case 'relation': {
      if (isMorphInverse(attribute.relation)) return [];
      if (attribute.storage.kind === 'morph') return [{ name, type: 'JSON', means: { is: 'value' } }];
      const type = attribute.many ? '[ID]' : 'ID';
      return [
        { name, type, means: { is: 'related', media: false } },
        ...(attribute.many
          ? [
              {
                name: `${name}_changes`,
                type: 'RelationChangesInput',
                means: { is: 'changes', attribute: name },
              } as const,
            ]
          : []),
      ];
    }
    case 'media':
      return [{ name, type: attribute.many ? '[ID]' : 'ID', means: { is: 'related', media: true } }];
    case 'component': {
      const of = `${componentName(attribute.component)}Input`;
      return [{ name, type: attribute.repeatable ? `[${of}]` : of, means: { is: 'component' } }];
    }
    case 'dynamiczone':
      return [{ name, type: `[${zoneName(owner.name, name)}DynamicZoneInput!]`, means: { is: 'zone' } }];
    default:
      return [{ name, type: valueType(owner, name, attribute), means: { is: 'value' } }];
  }
}

function inputFields(scope: GraphqlScope, owner: Owner, of: ContentType | Component): InputField[] {
  const given = attributesIn(of).filter(([, attribute]) => attribute.writable !== false);
  const fields = given.flatMap(([name, attribute]) => inputOf(scope, owner, name, attribute));
  const names = new Set(given.map(([name]) => name));
  return fields.filter(({ name, means }) => means.is !== 'changes' || !names.has(name));
}

/** The enumerations and the unions of dynamic zones of an owner. */
function ownTypes(owner: Owner, of: ContentType | Component): Definition[] {
  return attributesIn(of).flatMap(([name, attribute]): Definition[] => {
    if (attribute.type === 'dynamiczone') {
      const zone = zoneName(owner.name, name);
      const components = new Map(attribute.components.map((uid) => [componentName(uid), uid]));
      return [
        { kind: 'union', name: `${zone}DynamicZone`, members: [...components.keys(), 'Error'] },
        { kind: 'scalar', name: `${zone}DynamicZoneInput`, components },
      ];
    }
    if (!isScalar(attribute) || !hasEnum(attribute)) return [];
    return [{ kind: 'enum', name: enumName(owner.name, name), values: enumValues(attribute.enum ?? []) }];
  });
}

/** The types of a component. */
export function componentTypes(scope: GraphqlScope, component: Component): readonly Definition[] {
  const name = componentName(component.uid);
  const owner = { name, isLoose: scope.loose.has(component.uid) };
  const { description } = component;
  return [
    ...ownTypes(owner, component),
    filtersInput(name, filteredAttributes(scope, component)),
    {
      kind: 'input',
      name: `${name}Input`,
      fields: [{ name: 'id', type: 'ID', means: { is: 'id' } }, ...inputFields(scope, owner, component)],
    },
    {
      kind: 'object',
      name,
      description,
      of: { component: component.uid },
      fields: [{ name: 'id', type: 'ID!', means: { is: 'id' } }, ...shownFields(scope, owner, component)],
    },
  ];
}

function entryFields(scope: GraphqlScope, owner: Owner, type: ContentType): Field[] {
  const isV5 = scope.format === 'v5';
  const hasStatus = isV5 || type.draftAndPublish;
  const means = { is: 'localizations', target: type.uid } as const;
  return [
    ...(isV5 ? [{ name: 'documentId', type: 'ID!', means: { is: 'documentId' } } as const] : []),
    ...shownFields(scope, owner, type),
    time('createdAt'),
    time('updatedAt'),
    ...(hasStatus ? [time('publishedAt')] : []),
    ...(type.localized
      ? [
          { name: 'locale', type: 'String', means: { is: 'value', attribute: 'locale' } } as const,
          ...relationFields(scope, 'localizations', { uid: type.uid, many: true, means }),
        ]
      : []),
  ];
}

/** The objects around entries: `{data}`, `{nodes, pageInfo}`. */
function wrappers({ format }: GraphqlScope, name: string): readonly ObjectDefinition[] {
  const same = (field: string, type: string): Field => ({ name: field, type, means: { is: 'same' } });
  const entries = (field: string, type: string): Field => ({ name: field, type, means: { is: 'entries' } });
  const object = (suffix: string, fields: readonly Field[]): ObjectDefinition => ({
    kind: 'object',
    name: `${name}${suffix}`,
    fields,
  });
  if (format === 'v5') {
    const nodes = entries('nodes', `[${name}!]!`);
    const info: Field = { name: 'pageInfo', type: 'Pagination!', means: { is: 'pagination' } };
    return [object('EntityResponseCollection', [nodes, info]), object('RelationResponseCollection', [nodes])];
  }
  const data = entries('data', `[${name}Entity!]!`);
  return [
    object('Entity', [{ name: 'id', type: 'ID', means: { is: 'id' } }, same('attributes', name)]),
    object('EntityResponse', [same('data', `${name}Entity`)]),
    object('EntityResponseCollection', [
      data,
      { name: 'meta', type: 'ResponseCollectionMeta!', means: { is: 'pagination' } },
    ]),
    object('RelationResponseCollection', [data]),
  ];
}

function entryFilters(scope: GraphqlScope, type: ContentType): (readonly [string, string])[] {
  const isV5 = scope.format === 'v5';
  const times = ['createdAt', 'updatedAt', ...(isV5 || type.draftAndPublish ? ['publishedAt'] : [])];
  return [
    [isV5 ? 'documentId' : 'id', 'IDFilterInput'],
    ...filteredAttributes(scope, type),
    ...times.map((name) => [name, 'DateTimeFilterInput'] as const),
    ...(type.localized
      ? [['locale', 'StringFilterInput'] as const, ['localizations', `${typeName(type.uid)}FiltersInput`] as const]
      : []),
  ];
}

function entryInput(scope: GraphqlScope, owner: Owner, type: ContentType): InputDefinition {
  const isV5 = scope.format === 'v5';
  const ignored = (name: string, kind: string): InputField => ({ name, type: kind, means: { is: 'ignored' } });
  return {
    kind: 'input',
    name: `${owner.name}Input`,
    fields: [
      ...inputFields(scope, owner, type),
      ...(isV5 ? [ignored('publishedAt', 'DateTime')] : []),
      ...(!isV5 && type.draftAndPublish
        ? [{ name: 'publishedAt', type: 'DateTime', means: { is: 'value' } } as const]
        : []),
      ...(isV5 && !type.localized ? [ignored('locale', 'String')] : []),
    ],
  };
}

/** The types of a content type. Users have an input of their own, files none. */
export function entryTypes(scope: GraphqlScope, type: ContentType): readonly Definition[] {
  const name = typeName(type.uid);
  const owner = { name, isLoose: type.draftAndPublish };
  const hasInput = type.uid !== 'file' && type.uid !== 'user-role';
  return [
    ...ownTypes(owner, type),
    filtersInput(name, entryFilters(scope, type)),
    ...(hasInput ? [entryInput(scope, owner, type)] : []),
    {
      kind: 'object',
      name,
      description: type.description,
      of: { type: type.uid },
      fields: entryFields(scope, owner, type),
    },
    ...wrappers(scope, name),
  ];
}
