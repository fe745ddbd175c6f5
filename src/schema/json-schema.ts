/** The schema language as a JSON Schema, with which editors complete and validate schemas. */
import { SCHEMA_ENDPOINTS } from '#contract/routes/built-in.ts';
import { entryActions } from '#contract/routes/entries.ts';
import { LINK } from '#contract/policy/rule.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import { commonOptions, ownOptions } from './attribute-options.ts';
import { type AttributeType, attributeTypes } from './keywords.ts';
import {
  attributeNamePattern,
  componentNamePattern,
  projectNamePattern,
  roleNamePattern,
  typeNamePattern,
} from './name-patterns.ts';
import { type Keywords, mapSchema, shapeOf } from './option.ts';
import { apiOptions, rootOptions } from './root-options.ts';
import { builtInNames, type SchemaNames } from './schema-names.ts';
import { componentOptions, contentTypeOptions, usersOptions } from './type-options.ts';

/**
 * A string that is one of the known names, or any other that matches the pattern, since it may be about to be added.
 * The build reports unknown names.
 */
function nameOf(names: readonly string[], pattern: RegExp): JsonSchema {
  return { anyOf: [...(names.length === 0 ? [] : [{ enum: names }]), { type: 'string', pattern: pattern.source }] };
}

/** The JSON Schemas of options that contain names. */
function references({ types, components, relations }: SchemaNames): Readonly<Record<string, JsonSchema>> {
  const type = nameOf(types, typeNamePattern);
  const component = nameOf(components, componentNamePattern);
  return {
    target: type,
    targets: { items: type },
    component,
    components: { items: component },
    targetField: nameOf([], attributeNamePattern),
    inversedBy: nameOf(relations, attributeNamePattern),
    mappedBy: nameOf(relations, attributeNamePattern),
    morphBy: nameOf(relations, attributeNamePattern),
  };
}

const REQUIRED_OPTIONS: ReadonlySet<string> = new Set(['component', 'components', 'relation']);

/** Groups attribute types with the same options, so that editors evaluate fewer cases. */
function typesByOptions(): readonly (readonly [types: readonly AttributeType[], options: Keywords])[] {
  const groups = new Map<string, { readonly types: AttributeType[]; readonly options: Keywords }>();
  for (const type of attributeTypes) {
    const options = ownOptions(type);
    const key = JSON.stringify(Object.entries(options).map(([name, entry]) => [name, shapeOf(entry)?.jsonSchema]));
    const group = groups.get(key) ?? { types: [], options };
    group.types.push(type);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ types, options }) => [types, options]);
}

/** The options of an attribute depend on its type: one case for all types with the same options. */
function attributeSchema(names: SchemaNames): JsonSchema {
  const further = references(names);
  const common = Object.fromEntries(Object.keys(commonOptions).map((key) => [key, true]));
  const cases = typesByOptions().map(([types, options]) => {
    const { properties, ...rest } = mapSchema(options, further);
    const required = Object.keys(options).filter((key) => REQUIRED_OPTIONS.has(key));
    return {
      if: { properties: { type: { enum: types } }, required: ['type'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; the object is never awaited
      then: { ...rest, properties: { ...common, ...(properties as JsonSchema) }, required },
    };
  });
  const { properties } = mapSchema(commonOptions, { type: { enum: attributeTypes } });
  return { type: 'object', required: ['type'], properties, allOf: cases };
}

/** A list of actions, or all of them. */
function actionsSchema(actions: readonly string[]): JsonSchema {
  return { anyOf: [{ enum: ['*'] }, { type: 'array', items: { enum: actions } }] };
}

const NAMES: JsonSchema = { type: 'array', items: { type: 'string' }, minItems: 1 };

const RULE: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    where: {
      description:
        'A filter: the entries that the action reaches. `$user`, `$user.attribute`, `$now` and `$token` are variables.',
      type: 'object',
    },
    keep: {
      description: 'Whether an entry must satisfy `where` after its update, too. By default `true`.',
      type: 'boolean',
    },
    set: { description: 'Attributes that the server writes, whatever the request says.', type: 'object' },
    only: { description: 'The attributes that the action may read or write.', ...NAMES },
    except: { description: 'The attributes that the action may neither read nor write.', ...NAMES },
  },
};

/** A list of actions, some of which may have a rule, or all of them. `link` always has one. */
function ruledActionsSchema(actions: readonly string[], withRules = [...actions, LINK]): JsonSchema {
  const rule = { $ref: '#/definitions/rule' };
  const ruled = Object.fromEntries(withRules.map((action) => [action, rule]));
  const item = { type: 'object', additionalProperties: false, minProperties: 1, maxProperties: 1, properties: ruled };
  return { anyOf: [{ enum: ['*'] }, { type: 'array', items: { anyOf: [{ enum: actions }, item] } }] };
}

const ENTRY_ACTIONS = entryActions({ kind: 'collectionType', draftAndPublish: true, history: {} });

function roleSchema({ types, roles }: SchemaNames): JsonSchema {
  const entries = { $ref: '#/definitions/entryActions' };
  const own = types.filter((type) => !builtInNames.types.includes(type));
  return {
    type: 'object',
    properties: {
      extends: { description: 'The role from which this one inherits permissions.', ...nameOf(roles, roleNamePattern) },
      '*': { description: 'All content types.', ...entries },
      ...Object.fromEntries(own.map((type) => [type, entries])),
      ...Object.fromEntries([...SCHEMA_ENDPOINTS].map(([subject, actions]) => [subject, actionsSchema(actions)])),
      upload: ruledActionsSchema(SCHEMA_ENDPOINTS.get('upload') ?? [], ['find', 'findOne']),
    },
    additionalProperties: entries,
  };
}

function named(definition: string, pattern: RegExp): JsonSchema {
  return {
    type: 'object',
    propertyNames: { pattern: pattern.source },
    additionalProperties: { $ref: `#/definitions/${definition}` },
  };
}

/** The language as a JSON Schema (draft 7). With the names of a project, editors complete those too. */
export function schemaJsonSchema(names: SchemaNames = builtInNames): JsonSchema {
  const role = { $ref: '#/definitions/role' };
  const attributes = named('attribute', attributeNamePattern);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'content-gen schema',
    ...mapSchema(rootOptions, {
      name: { pattern: projectNamePattern.source },
      api: mapSchema(apiOptions),
      contentTypes: named('contentType', typeNamePattern),
      components: named('component', componentNamePattern),
      users: { ...mapSchema(usersOptions, { attributes }), required: ['attributes'] },
      permissions: {
        ...named('role', roleNamePattern),
        properties: Object.fromEntries(names.roles.map((name) => [name, role])),
      },
    }),
    definitions: {
      contentType: { ...mapSchema(contentTypeOptions, { attributes }), required: ['attributes'] },
      component: { ...mapSchema(componentOptions, { attributes }), required: ['attributes'] },
      attribute: attributeSchema(names),
      role: roleSchema(names),
      entryActions: ruledActionsSchema(ENTRY_ACTIONS),
      rule: RULE,
    },
  };
}
