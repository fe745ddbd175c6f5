/** Translates the selection of a document: into what a query shows of entries, and into the shape of the answer. */
import {
  type FieldNode,
  getArgumentValues,
  getNullableType,
  type GraphQLArgument,
  GraphQLID,
  GraphQLObjectType,
  GraphQLString,
  Kind,
} from 'graphql';
import type { ApiSettings } from '../../contract/api-settings.ts';
import type { Attribute, ContentType } from '../../contract/content-type.ts';
import type { Field } from '../../contract/graphql/model.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { typeName } from '../../contract/type-name.ts';
import type { ReadKind } from '../../query/entry-query.ts';
import { mayRead } from '../../query/rules/permitted-attributes.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import { collectFields, type OperationScope, selectionsOf } from './collect-fields.ts';
import { Level } from './level.ts';
import { type Arguments, listOptions, pageInfoOf } from './list-options.ts';
import { outputOf } from './outputs.ts';
import type { KnownObject, ServerSchema } from './server-schema.ts';
import {
  addError,
  asText,
  attributesOf,
  MISSING,
  type ObjectShape,
  pathList,
  type Read,
  shapeList,
  shapeObject,
  unwrapped,
} from './shape.ts';

export interface SelectionScope extends OperationScope {
  readonly server: ServerSchema;
  readonly api: ApiSettings;
  readonly caller: Pick<Caller, 'permissions'>;
  /** How the entries of this selection are read, whose rule says which attributes are shown; undefined: by no rule. */
  readonly reads?: ReadKind | undefined;
  /** Takes note of selected fields. */
  readonly count?: (fields: number) => void;
}

/** The innermost name of a type, and whether it is a list and of what. */
interface TypeParts {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  readonly isElementRequired: boolean;
}

const parts = new Map<string, TypeParts>();

/** `[Leaf!]!` → its parts. */
function partsOf(type: string): TypeParts {
  const known = parts.get(type);
  if (known) return known;
  const isRequired = type.endsWith('!');
  const bare = isRequired ? type.slice(0, -1) : type;
  const isList = bare.startsWith('[');
  const element = isList ? bare.slice(1, -1) : bare;
  const isElementRequired = isList && element.endsWith('!');
  const made = { name: isElementRequired ? element.slice(0, -1) : element, isRequired, isList, isElementRequired };
  parts.set(type, made);
  return made;
}

export function objectNamed({ server }: Pick<SelectionScope, 'server'>, name: string): KnownObject {
  const object = server.objects.get(name);
  if (!object) throw new Error(`the schema has no object ${name}`);
  return object;
}

/** The values of arguments, if each is left out or a variable with a text: these need no coercion. */
function plainArguments(
  known: readonly GraphQLArgument[],
  { arguments: given = [] }: FieldNode,
  variables: SelectionScope['variables'],
): Arguments | undefined {
  const values: Record<string, unknown> = {};
  for (const { name, type, defaultValue } of known) {
    const argument = given.find((each) => each.name.value === name);
    if (!argument) {
      if (defaultValue !== undefined) values[name] = defaultValue;
      continue;
    }
    const of = getNullableType(type);
    if (argument.value.kind !== Kind.VARIABLE || (of !== GraphQLID && of !== GraphQLString)) return undefined;
    const value = variables[argument.value.name.value];
    if (typeof value !== 'string') return undefined;
    values[name] = value;
  }
  return values;
}

/** The values of the arguments of a field. Throws GraphQLError. */
export function argumentsOf({ server, variables }: SelectionScope, type: string, node: FieldNode): Arguments {
  const object = server.schema.getType(type);
  const field = object instanceof GraphQLObjectType ? object.getFields()[node.name.value] : undefined;
  if (!field || field.args.length === 0) return {};
  return plainArguments(field.args, node, variables) ?? getArgumentValues(field, node, variables);
}

/** Selects from an object: adds to `level` what its query has to show, and returns the shape of the answer. */
export function selectObject(
  scope: SelectionScope,
  object: KnownObject,
  sets: ReturnType<typeof selectionsOf>,
  level: Level,
): ObjectShape {
  const fields = collectFields(scope, object.names, sets);
  scope.count?.(fields.size);
  return [...fields].map(([key, nodes]) => {
    const [node] = nodes;
    const name = node?.name.value ?? '';
    if (name === '__typename' || !node) {
      return { key, isRequired: true, field: name, read: () => object.name };
    }
    const field = object.byName.get(name);
    if (!field) throw new Error(`the schema has no field ${object.name}.${name}`);
    const { isRequired } = partsOf(field.type);
    const read = readerOf(scope, { object, field, key, node, nodes, level });
    return { key, isRequired, field: `${object.name}.${name}`, read };
  });
}

interface SelectedField {
  readonly object: KnownObject;
  readonly field: Field;
  readonly key: string;
  readonly node: FieldNode;
  readonly nodes: readonly FieldNode[];
  readonly level: Level;
}

/** The entries of a page of Query. */
export interface PageSource {
  readonly entries: readonly unknown[];
  readonly pagination: Arguments;
  /** The pagination that the document asks for. */
  readonly asked: unknown;
}

const isNestedIn = ({ server }: SelectionScope): boolean => server.format === 'v4';

/** Whether the rule of the caller shows an attribute of an entry. That of a component is shown with it. */
function isShown({ server, caller, reads }: SelectionScope, { of }: KnownObject, attribute: string): boolean {
  const type = of && 'type' in of ? server.types.types[of.type] : undefined;
  return !type || reads === undefined || mayRead(caller, type, reads, attribute);
}

function readerOf(scope: SelectionScope, selected: SelectedField): Read {
  const { object, field, nodes, level } = selected;
  const { means } = field;
  const attribute = 'attribute' in means ? means.attribute : undefined;
  if (attribute !== undefined && !isShown(scope, object, attribute)) return forbidden();
  const isNested = isNestedIn(scope);
  const { name: inner } = partsOf(field.type);
  switch (means.is) {
    case 'id':
      return (source) => (isObject(source) && source['id'] !== undefined ? asText(source['id']) : null);
    case 'documentId':
      return (source) => (isObject(source) ? source['documentId'] : null);
    case 'value': {
      level.field(means.attribute);
      const output = outputOf(scope.server, inner);
      return nestedValue(scope, selected, (source, _path, { budget }) => {
        const value = attributesOf(source, isNested)[means.attribute];
        if (value === null || value === undefined) return null;
        if (typeof value === 'object') budget.size(JSON.stringify(value).length, undefined);
        return output(value);
      });
    }
    case 'member':
      return memberReader(scope, selected, means.name);
    case 'same': {
      const shape = selectObject(scope, objectNamed(scope, inner), selectionsOf(nodes), level);
      return (source, path, shaping) =>
        source === null || source === undefined ? null : shapeObject(shape, source, path, shaping);
    }
    case 'entries':
      return entriesReader(selected, selectObject(scope, objectNamed(scope, inner), selectionsOf(nodes), level));
    case 'pagination': {
      level.isCounted = true;
      const shape = selectObject(scope, objectNamed(scope, inner), selectionsOf(nodes), new Level());
      return (source, path, shaping) => {
        const { entries, pagination, asked } = source as Partial<PageSource>;
        const info = pagination && entries !== undefined ? pageInfoOf(pagination, asked) : source;
        return shapeObject(shape, info, path, shaping);
      };
    }
    case 'relation':
    case 'localizations':
      return relationReader(scope, selected, means);
    case 'component':
      return componentReader(scope, selected, means.attribute);
    case 'zone':
      return zoneReader(scope, selected, means.attribute);
    case 'morph':
      return morphReader(scope, selected, means.attribute);
    case 'read':
    case 'write':
    case 'builtIn':
    case 'own':
      throw new Error(`${field.name} is a field of Query or Mutation`);
  }
}

/** A value of an object that code of the project has made: maybe an object, or a list. */
function memberReader(scope: SelectionScope, { field, nodes }: SelectedField, name: string): Read {
  const read = plainReader(scope, partsOf(field.type).name, nodes);
  return (source, path, shaping) => (isObject(source) ? read(source[name], path, shaping) : null);
}

/** Shapes what code of the project has made, by the name of its type. */
export function plainReader(scope: SelectionScope, type: string, nodes: readonly FieldNode[]): Read {
  const object = scope.server.objects.get(type);
  const shape = object && selectObject(scope, object, selectionsOf(nodes), new Level());
  const output = outputOf(scope.server, type);
  const read: Read = (value, path, shaping) => {
    if (value === null || value === undefined) return null;
    if (Array.isArray(value) && type !== 'JSON') return shapeList(read, false, value, { path, shaping });
    if (shape) return shapeObject(shape, value, path, shaping);
    if (typeof value === 'object') shaping.budget.size(JSON.stringify(value).length, undefined);
    return output(value);
  };
  return read;
}

/** Members of plain objects may be objects themselves. */
function nestedValue(scope: SelectionScope, { field, nodes, level }: SelectedField, read: Read): Read {
  const { name } = partsOf(field.type);
  const object = scope.server.objects.get(name);
  if (!object) return read;
  const shape = selectObject(scope, object, selectionsOf(nodes), level);
  return (source, path, shaping) => {
    const value = read(source, path, shaping);
    return value === null ? null : shapeObject(shape, value, path, shaping);
  };
}

/** The entries of a page, or of a relation. */
function entriesReader({ field }: SelectedField, shape: ObjectShape): Read {
  const { isElementRequired } = partsOf(field.type);
  const one: Read = (entry, path, shaping) => shapeObject(shape, entry, path, shaping);
  return (source, path, shaping) => {
    const entries = isObject(source) ? source['entries'] : source;
    return Array.isArray(entries) ? shapeList(one, isElementRequired, entries, { path, shaping }) : null;
  };
}

/** A field that the caller may not see: null, and an error for each entry. */
function forbidden(): Read {
  const error = { name: 'ForbiddenError', message: 'Forbidden access', details: {} };
  return (_source, path, shaping) => {
    addError(shaping, {
      message: error.message,
      path: pathList(path),
      extensions: { code: 'FORBIDDEN', error },
    });
    return MISSING;
  };
}

function typeOf({ server }: SelectionScope, uid: string): ContentType | undefined {
  return server.types.types[uid];
}

/** The options of a list behind an attribute, by the arguments of its field. */
function optionsOf(scope: SelectionScope, { object, node, field }: SelectedField, filters: string): Arguments {
  if (!field.args) return {};
  const args = argumentsOf(scope, object.name, node);
  const state = args['publicationState'];
  return {
    ...listOptions(args, `${filters}FiltersInput`, scope),
    ...(typeof state === 'string' && { publicationState: state }),
  };
}

/** For entries behind a relation. */
function behind(scope: SelectionScope): SelectionScope {
  return { ...scope, reads: 'many' };
}

function relationReader(
  scope: SelectionScope,
  selected: SelectedField,
  means: {
    readonly is: 'relation' | 'localizations';
    readonly target: string;
    readonly attribute?: string;
    readonly media?: boolean;
  },
): Read {
  const { field, key, nodes, level } = selected;
  const { name: inner, isList, isElementRequired } = partsOf(field.type);
  if (means.media !== true && !hasRight(scope.caller, 'related', means.target)) return forbidden();
  const below = new Level();
  const shape = selectObject(behind(scope), objectNamed(scope, inner), selectionsOf(nodes), below);
  const filters = scope.server.nameOf.get(means.target) ?? '';
  const attribute = means.attribute ?? 'localizations';
  const name = level.populate(attribute, key, { ...below.query(), ...optionsOf(scope, selected, filters) });
  const isNested = isNestedIn(scope);
  const one: Read = (entry, path, shaping) => shapeObject(shape, entry, path, shaping);
  // Objects around entries, which exist even if there is no entry.
  const isWrapped = scope.server.objects.get(inner)?.of === undefined;
  return (source, path, shaping) => {
    const value = unwrapped(attributesOf(source, isNested)[name], isNested);
    if (isList) {
      return Array.isArray(value) ? shapeList(one, isElementRequired, value, { path, shaping }) : null;
    }
    if (value === null || value === undefined) return isWrapped ? one(null, path, shaping) : null;
    return one(value, path, shaping);
  };
}

function componentReader(scope: SelectionScope, selected: SelectedField, attribute: string): Read {
  const { field, key, nodes, level } = selected;
  const { name: inner, isList, isElementRequired } = partsOf(field.type);
  const below = new Level();
  const shape = selectObject(scope, objectNamed(scope, inner), selectionsOf(nodes), below);
  const name = level.populate(attribute, key, { ...below.query(), ...optionsOf(scope, selected, inner) });
  const isNested = isNestedIn(scope);
  const one: Read = (item, path, shaping) => shapeObject(shape, item, path, shaping);
  return (source, path, shaping) => {
    const value = attributesOf(source, isNested)[name];
    if (isList) return Array.isArray(value) ? shapeList(one, isElementRequired, value, { path, shaping }) : [];
    return isObject(value) ? one(value, path, shaping) : null;
  };
}

interface Variants {
  /** Name in queries → what is shown. */
  readonly on: Readonly<Record<string, object>>;
  readonly shapes: ReadonlyMap<string, ObjectShape>;
}

/** What a selection from a union shows of each member; those that it doesn't name are shown, too, without anything. */
function variantsOf(
  scope: SelectionScope,
  nodes: readonly FieldNode[],
  members: readonly (readonly [uid: string, inQuery: string])[],
): Variants {
  const on: Record<string, object> = {};
  const shapes = new Map<string, ObjectShape>();
  for (const [uid, inQuery] of members) {
    const below = new Level();
    const object = objectNamed(scope, scope.server.nameOf.get(uid) ?? '');
    shapes.set(inQuery, selectObject(scope, object, selectionsOf(nodes), below));
    on[inQuery] = below.query();
  }
  return { on, shapes };
}

/** An element of a union; null if its type is unknown. */
function variantReader(shapes: Variants['shapes'], nameOf: (value: Arguments) => unknown): Read {
  return (value, path, shaping) => {
    if (!isObject(value)) return null;
    const shape = shapes.get(String(nameOf(value)));
    return shape ? shapeObject(shape, value, path, shaping) : null;
  };
}

/** An attribute of the type or component that an object shows. */
function attributeIn({ server }: SelectionScope, { of }: KnownObject, name: string): Attribute | undefined {
  const { types, components } = server.types;
  return (of && ('type' in of ? types[of.type] : components[of.component]))?.attributes[name];
}

function zoneReader(scope: SelectionScope, { object, key, nodes, level }: SelectedField, attribute: string): Read {
  const zone = attributeIn(scope, object, attribute);
  const members = zone?.type === 'dynamiczone' ? zone.components : [];
  const { on, shapes } = variantsOf(
    scope,
    nodes,
    members.map((uid) => [uid, uid]),
  );
  const name = level.populate(attribute, key, { on });
  const isNested = isNestedIn(scope);
  const one = variantReader(shapes, (item) => item['__component']);
  return (source, path, shaping) => {
    const value = attributesOf(source, isNested)[name];
    return Array.isArray(value) ? shapeList(one, false, value, { path, shaping }) : [];
  };
}

function morphReader(
  scope: SelectionScope,
  { object, field, key, nodes, level }: SelectedField,
  attribute: string,
): Read {
  const relation = attributeIn(scope, object, attribute);
  const targets =
    relation?.type === 'relation' && relation.storage.kind === 'morph' ? Object.keys(relation.storage.targets) : [];
  const visible = targets.filter((uid) => typeOf(scope, uid) && hasRight(scope.caller, 'related', uid));
  if (visible.length === 0) return forbidden();
  const { on, shapes } = variantsOf(
    behind(scope),
    nodes,
    visible.map((uid) => [uid, typeName(uid)]),
  );
  const name = level.populate(attribute, key, { on });
  const isNested = isNestedIn(scope);
  const one = variantReader(shapes, (entry) => attributesOf(entry, isNested)['__type']);
  const { isList } = partsOf(field.type);
  return (source, path, shaping) => {
    const value = unwrapped(attributesOf(source, isNested)[name], isNested);
    if (!isList) return one(value, path, shaping);
    return Array.isArray(value) ? shapeList(one, false, value, { path, shaping }) : [];
  };
}
