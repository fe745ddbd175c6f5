/** Types that exist without being in the schema: users, their roles, and the files of media attributes. */
import { CREATOR_FIELDS } from '#contract/creator-fields.ts';
import { CROP_ATTRIBUTE } from '#contract/crop.ts';
import { FOCAL_POINT_ATTRIBUTE } from '#contract/focal-point.ts';
import { PLACEHOLDER_ATTRIBUTE } from '#contract/placeholder.ts';
import { FOLDER_ATTRIBUTE } from '#contract/upload-folders.ts';
import { TAG_TEXT_ATTRIBUTE, TAGS_ATTRIBUTE } from '#contract/upload-tags.ts';
import { USER_ATTRIBUTES } from '#contract/user-attributes.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type {
  Attribute,
  Component,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
} from './content-model.ts';
import { codeNames } from './naming.ts';
import { singleIndexes } from './resolve-indexes.ts';

type Options = Partial<
  Pick<ScalarAttribute, 'required' | 'private' | 'unique' | 'index' | 'indexed' | 'maxLength' | 'default'>
>;
type Field = readonly [name: string, type: ScalarType, options?: Options];

const userFields: readonly Field[] = [
  ['username', 'string', { required: true, unique: true }],
  ['email', 'email', { required: true, unique: true }],
  ['provider', 'string'],
  ['password', 'password', { private: true }],
  ['resetPasswordToken', 'string', { private: true, unique: true }],
  ['resetPasswordExpiresAt', 'datetime', { private: true }],
  ['confirmationToken', 'string', { private: true, unique: true }],
  ['confirmationExpiresAt', 'datetime', { private: true }],
  ['confirmed', 'boolean', { default: false }],
  ['blocked', 'boolean', { default: false }],
  // Each session records the generation in which it was created; incrementing the generation ends all earlier sessions.
  ['tokenGeneration', 'integer', { private: true, required: true, default: 0 }],
  // The session that last changed the password, if the settings let it outlive its generation.
  ['keptSession', 'string', { private: true }],
];

/** `type` is the name of the role in the schema. */
const roleFields: readonly Field[] = [
  ['name', 'string', { required: true }],
  ['description', 'string'],
  ['type', 'string', { required: true, unique: true }],
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
  ['provider_metadata', 'json'],
];

function base(name: string, location: SourceLocation) {
  return {
    name,
    required: false,
    private: false,
    writable: true,
    localized: false,
    displayName: undefined,
    description: undefined,
    renamedFrom: undefined,
    location,
  };
}

function scalar([name, type, options = {}]: Field, location: SourceLocation): ScalarAttribute {
  return {
    ...base(name, location),
    kind: 'scalar',
    type,
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

interface BuiltInOptions {
  readonly location: SourceLocation;
  readonly documentIds: boolean;
}

function toOne(name: string, target: string, location: SourceLocation): RelationAttribute {
  return {
    ...base(name, location),
    kind: 'relation',
    relation: 'manyToOne',
    many: false,
    targets: [target],
    owner: true,
    inverse: undefined,
    onDelete: 'setNull',
    shared: false,
  };
}

/** A user has one role; a role has many users. */
function roleOfUser(location: SourceLocation): RelationAttribute {
  return toOne('role', 'user-role', location);
}

/** The user who uploaded a file. */
function uploader(location: SourceLocation): RelationAttribute {
  return { ...toOne('uploadedBy', 'user', location), private: true, writable: false };
}

/** Who has created an entry of the schema's types, and who has changed it last. */
export function creatorFields({
  localized,
  location,
}: Pick<ContentType, 'localized' | 'location'>): readonly RelationAttribute[] {
  return [...CREATOR_FIELDS].map((name) => ({ ...toOne(name, 'user', location), writable: false, localized }));
}

function builtIn(
  uid: string,
  pluralName: string,
  attributes: readonly Attribute[],
  { location, documentIds }: BuiltInOptions,
): ContentType {
  return {
    uid,
    kind: 'collectionType',
    pluralName,
    tableName: pluralName.replaceAll('-', '_'),
    route: pluralName,
    names: codeNames(uid),
    displayName: undefined,
    description: undefined,
    draftAndPublish: false,
    localized: false,
    documentIds,
    renamedFrom: undefined,
    builtIn: true,
    register: [],
    indexes: singleIndexes(attributes),
    unique: [],
    search: [],
    admin: undefined,
    attributes,
    location,
  };
}

/** Files that not everyone may read are looked up by their hash, for each request. */
const RULED_HASH: Field = ['hash', 'string', { required: true, index: true, indexed: true, maxLength: 255 }];

/** What the schema needs of files. */
export interface FileNeeds {
  /** Whether who asks for a file's bytes, by its hash, may not be permitted to. */
  readonly isRuled: boolean;
  /** Whether it is stored who has uploaded a file. */
  readonly hasUploader: boolean;
  /** For how many days deleted files are kept. */
  readonly trash?: number | undefined;
  /** Whether files are in folders. */
  readonly hasFolders?: boolean;
  /** Whether images have a point that stays in view. */
  readonly hasFocalPoints?: boolean;
  /** Whether sizes of images show a part of them. */
  readonly hasCrops?: boolean;
  /** Whether images have something that is shown while they load. */
  readonly hasPlaceholders?: boolean;
  /** Whether files have tags. */
  readonly hasTags?: boolean;
}

/** The folder of a file, which is no part of answers. Its folder keeps it from being deleted, not the database. */
function folderOfFile(location: SourceLocation): ScalarAttribute {
  const options = { private: true, index: true, indexed: true } as const;
  return { ...scalar([FOLDER_ATTRIBUTE, 'integer', options], location), writable: false };
}

/** The tags of a file, and the same as a text that is searched, which is no part of answers. */
function tagsOfFile(location: SourceLocation): readonly ScalarAttribute[] {
  return [
    { ...scalar([TAGS_ATTRIBUTE, 'json', { default: [] }], location), writable: false },
    { ...scalar([TAG_TEXT_ATTRIBUTE, 'text', { private: true }], location), writable: false },
  ];
}

function fileType({ location, documentIds }: BuiltInOptions, needs: FileNeeds): ContentType {
  const { isRuled, hasUploader, trash } = needs;
  const {
    hasFolders = false,
    hasFocalPoints = false,
    hasCrops = false,
    hasPlaceholders = false,
    hasTags = false,
  } = needs;
  const fields = fileFields.map((field) => scalar(field[0] === 'hash' && isRuled ? RULED_HASH : field, location));
  const attributes = [
    ...fields,
    ...(hasUploader ? [uploader(location)] : []),
    ...(hasFolders ? [folderOfFile(location)] : []),
    ...(hasFocalPoints ? [{ ...scalar([FOCAL_POINT_ATTRIBUTE, 'json'], location), writable: false }] : []),
    ...(hasCrops ? [{ ...scalar([CROP_ATTRIBUTE, 'json'], location), writable: false }] : []),
    ...(hasTags ? tagsOfFile(location) : []),
    ...(hasPlaceholders ? [{ ...scalar([PLACEHOLDER_ATTRIBUTE, 'string'], location), writable: false }] : []),
  ];
  return { ...builtIn('file', 'files', attributes, { location, documentIds }), ...(trash !== undefined && { trash }) };
}

/** Whether deleted files can be restored. */
export function keepsDeletedFiles(types: readonly Pick<ContentType, 'uid' | 'trash'>[]): boolean {
  return types.some(({ uid, trash }) => uid === 'file' && trash !== undefined);
}

type Attributed = Pick<ContentType, 'uid' | 'attributes'>;

function filesHave(types: readonly Attributed[], attribute: string): boolean {
  return types.some(({ uid, attributes }) => uid === 'file' && attributes.some(({ name }) => name === attribute));
}

/** Whether files are in folders. */
export function hasFolders(types: readonly Attributed[]): boolean {
  return filesHave(types, FOLDER_ATTRIBUTE);
}

/** Whether images have a point that stays in view. */
export function hasFocalPoints(types: readonly Attributed[]): boolean {
  return filesHave(types, FOCAL_POINT_ATTRIBUTE);
}

/** Whether sizes of images show a part of them. */
export function hasCrops(types: readonly Attributed[]): boolean {
  return filesHave(types, CROP_ATTRIBUTE);
}

/** Whether files have tags. */
export function hasTags(types: readonly Attributed[]): boolean {
  return filesHave(types, TAGS_ATTRIBUTE);
}

/** Whether images have something that is shown while they load. */
export function hasPlaceholders(types: readonly Attributed[]): boolean {
  return filesHave(types, PLACEHOLDER_ATTRIBUTE);
}

/** The attributes that the schema adds to the built-in type `user`; empty for other types. */
export function customUserAttributes({ uid, attributes }: ContentType): readonly Attribute[] {
  return uid === 'user' ? attributes.filter(({ name }) => !USER_ATTRIBUTES.has(name)) : [];
}

/** The schema's additions to the user type. */
export interface UserExtension {
  readonly location: SourceLocation;
  readonly attributes: readonly Attribute[];
  readonly register: readonly string[];
}

function userTypes({ location, documentIds }: BuiltInOptions, further?: UserExtension): readonly ContentType[] {
  const [user, role] = [userFields, roleFields].map((fields) => fields.map((field) => scalar(field, location)));
  return [
    {
      ...builtIn('user', 'users', [...(user ?? []), roleOfUser(location), ...(further?.attributes ?? [])], {
        location,
        documentIds,
      }),
      register: further?.register ?? [],
    },
    // Roles are identified by their ids in both formats.
    builtIn('user-role', 'user-roles', role ?? [], { location, documentIds: false }),
  ];
}

/**
 * The built-in types, sorted by uid: users and roles, which every server has, and files if `owners` have media
 * attributes. The location of files is that of the first media attribute; of users, that of the first owner.
 */
export function builtInTypesOf(
  owners: readonly (ContentType | Component)[],
  {
    documentIds,
    user,
    files = { isRuled: false, hasUploader: false },
  }: { readonly documentIds: boolean; readonly user: UserExtension | undefined; readonly files?: FileNeeds },
): readonly ContentType[] {
  const [first] = owners;
  if (!first) return [];
  const media = [...owners, ...(user ? [user] : [])]
    .flatMap((owner) => owner.attributes)
    .find((attribute) => attribute.kind === 'media');
  return [
    ...(media === undefined ? [] : [fileType({ location: media.location, documentIds }, files)]),
    ...userTypes({ location: first.location, documentIds }, user),
  ];
}
