/** The types that every server knows without a schema: users, and the files of media attributes. */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Attribute, Component, ContentType, ScalarAttribute, ScalarType } from './content-model.ts';
import { codeNames } from './naming.ts';

type Options = Partial<Pick<ScalarAttribute, 'required' | 'private' | 'unique' | 'default'>>;
type Field = readonly [name: string, type: ScalarType, options?: Options];

const userFields: readonly Field[] = [
  ['username', 'string', { required: true, unique: true }],
  ['email', 'email', { required: true, unique: true }],
  ['provider', 'string'],
  ['password', 'password', { private: true }],
  ['confirmed', 'boolean', { default: false }],
  ['blocked', 'boolean', { default: false }],
];

const fileFields: readonly Field[] = [
  ['name', 'string', { required: true }],
  ['alternativeText', 'string'],
  ['caption', 'string'],
  ['width', 'integer'],
  ['height', 'integer'],
  ['formats', 'json'],
  ['hash', 'string', { required: true }],
  ['ext', 'string'],
  ['mime', 'string', { required: true }],
  ['size', 'decimal', { required: true }],
  ['url', 'string', { required: true }],
  ['previewUrl', 'string'],
  ['provider', 'string', { required: true }],
  ['provider_metadata', 'json', { private: true }],
];

function scalar([name, type, options = {}]: Field, location: SourceLocation): ScalarAttribute {
  return {
    kind: 'scalar',
    name,
    type,
    required: false,
    private: false,
    localized: false,
    description: undefined,
    renamedFrom: undefined,
    location,
    unique: false,
    default: undefined,
    minLength: undefined,
    maxLength: undefined,
    regex: undefined,
    min: undefined,
    max: undefined,
    enum: [],
    targetField: undefined,
    ...options,
  };
}

function builtIn(uid: string, pluralName: string, fields: readonly Field[], location: SourceLocation): ContentType {
  return {
    uid,
    kind: 'collectionType',
    pluralName,
    tableName: pluralName,
    route: pluralName,
    names: codeNames(uid),
    displayName: undefined,
    description: undefined,
    draftAndPublish: false,
    localized: false,
    renamedFrom: undefined,
    builtIn: true,
    attributes: fields.map((field) => scalar(field, location)),
    location,
  };
}

function needs(attribute: Attribute, uid: string): boolean {
  if (uid === 'file') return attribute.kind === 'media';
  return attribute.kind === 'relation' && attribute.targets.includes(uid);
}

/**
 * The built-in types that attributes of `owners` refer to, sorted by uid. Their location is that of the first attribute
 * that does.
 */
export function builtInTypesOf(owners: readonly (ContentType | Component)[]): readonly ContentType[] {
  const attributes = owners.flatMap((owner) => owner.attributes);
  const file = attributes.find((attribute) => needs(attribute, 'file'));
  const user = attributes.find((attribute) => needs(attribute, 'user'));
  return [
    ...(file === undefined ? [] : [builtIn('file', 'files', fileFields, file.location)]),
    ...(user === undefined ? [] : [builtIn('user', 'users', userFields, user.location)]),
  ];
}
