/** Matches types, components and attributes of an archive with those of this project. */
import type { Attribute, Component, ContentType, ContentTypes } from '../../../contract/content-type.ts';
import { isItemAttribute, isLinkAttribute } from '../../../contract/item-attributes.ts';
import type { StrapiArchive } from '../../../strapi/open-archive.ts';
import { componentName, insteadOf, typeName } from '../../../strapi/names.ts';
import { BUILT_IN, FILE, FOLDER, LOCALE, PERMISSION, SYSTEM_ATTRIBUTES } from '../../../strapi/own-names.ts';
import { member, type StrapiSchema } from '../../../strapi/records.ts';
import type { Findings } from './findings.ts';

/** Types that are not imported as entries, but read separately. */
const READ_SEPARATELY: ReadonlySet<string> = new Set([FOLDER, PERMISSION, LOCALE]);

/** Attributes of Strapi's paid features. */
const PAID_FEATURE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'strapi_stage',
  'strapi_assignee',
  'strapi_reviewWorkflows_stage',
]);

/** Attributes of built-in types that are read separately, since they have another form here, or that are useless after the import. */
const SKIPPED_ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['file', new Set(['related', 'folder', 'folderPath', 'focalPoint'])],
  ['user', new Set(['resetPasswordToken', 'confirmationToken'])],
  ['user-role', new Set(['permissions', 'users'])],
]);

/** A content type of the archive that the project has. */
export interface SourceType {
  /** `api::article.article` */
  readonly uid: string;
  /** Index in the list of all types. */
  readonly index: number;
  readonly type: ContentType;
  readonly schema: StrapiSchema;
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
}

export interface SourceComponent {
  /** The uid in the archive. */
  readonly uid: string;
  readonly index: number;
  readonly component: Component;
  readonly schema: StrapiSchema;
  /** Whether it has relations or media. */
  readonly hasLinks: boolean;
}

export interface SourceTypes {
  readonly contentTypes: ContentTypes;
  readonly major: 4 | 5;
  /** By the uid in the archive. */
  readonly types: ReadonlyMap<string, SourceType>;
  readonly components: ReadonlyMap<string, SourceComponent>;
  /** By the uid in the project. */
  readonly ownComponents: ReadonlyMap<string, SourceComponent>;
  /** All types and components of the archive. */
  readonly schemas: ReadonlyMap<string, StrapiSchema>;
}

/** Whether an attribute is internal to Strapi, so that nothing is lost if the project lacks it. */
export function isStrapiInternal(owner: string, name: string): boolean {
  return (
    SYSTEM_ATTRIBUTES.has(name) ||
    PAID_FEATURE_ATTRIBUTES.has(name) ||
    SKIPPED_ATTRIBUTES.get(owner)?.has(name) === true
  );
}

/** The attribute of the project; undefined if it is missing or internal to Strapi. */
export function attributeOf(
  { uid, attributes }: Pick<ContentType | Component, 'uid' | 'attributes'>,
  name: string,
): Attribute | undefined {
  return Object.hasOwn(attributes, name) && !isStrapiInternal(uid, name) ? attributes[name] : undefined;
}

const BUILT_IN_NAMES: ReadonlySet<string> = new Set(BUILT_IN.values());

function typeNamed({ types }: ContentTypes, { uid, info }: StrapiSchema): ContentType | undefined {
  const builtIn = BUILT_IN.get(uid);
  const name = typeName(uid, member(info, 'singularName'));
  const names = builtIn === undefined ? [name, insteadOf(name)] : [builtIn];
  const found = names.find((one) => Object.hasOwn(types, one) && (builtIn !== undefined || !BUILT_IN_NAMES.has(one)));
  return found === undefined ? undefined : types[found];
}

/** Whether a plugin's type has the same name as an `api::` type of the archive, which takes precedence. */
function isOutranked({ schemas }: StrapiArchive, { uid, info }: StrapiSchema): boolean {
  if (uid.startsWith('api::') || BUILT_IN.has(uid)) return false;
  const name = typeName(uid, member(info, 'singularName'));
  return schemas.some(
    (one) => one.uid.startsWith('api::') && typeName(one.uid, member(one.info, 'singularName')) === name,
  );
}

function kindOf(attribute: Attribute): string {
  if (isItemAttribute(attribute)) return 'components';
  if (attribute.type === 'media') return 'media';
  return isLinkAttribute(attribute) ? 'relation' : 'value';
}

function sourceKind(source: unknown): string {
  const type = member(source, 'type');
  // A relation to files corresponds to a media attribute here.
  if (type === 'relation' && member(source, 'target') === FILE) return 'media';
  if (type === 'component' || type === 'dynamiczone') return 'components';
  return type === 'media' || type === 'relation' ? type : 'value';
}

/** Reports attributes of the archive that the project lacks, or has with another kind. */
function compareAttributes(findings: Findings, owner: ContentType | Component, schema: StrapiSchema): void {
  for (const [name, source] of Object.entries(schema.attributes)) {
    if (isStrapiInternal(owner.uid, name)) continue;
    const where = `${schema.uid}.${name}`;
    const attribute = attributeOf(owner, name);
    const type = member(source, 'type');
    if (!attribute) findings.add('left', 'attributes that the schema of this project does not have', where);
    else if (kindOf(attribute) !== sourceKind(source)) {
      findings.add(
        'left',
        'attributes that have a different kind in this project',
        `${where}: ${String(type)}, here ${attribute.type}`,
      );
    }
  }
}

/** Whether an attribute has the same kind in archive and project, so that its values can be converted. */
export function isSameKind(attribute: Attribute, schema: StrapiSchema, name: string): boolean {
  return kindOf(attribute) === sourceKind(schema.attributes[name]);
}

/** Matches an archive with the project by name, and reports attributes without a counterpart. */
export function matchTypes(contentTypes: ContentTypes, archive: StrapiArchive, findings: Findings): SourceTypes {
  const types = new Map<string, SourceType>();
  const components = new Map<string, SourceComponent>();
  for (const schema of archive.schemas) {
    const { uid } = schema;
    if (schema.modelType === 'component') {
      const name = componentName(uid);
      const component = Object.hasOwn(contentTypes.components, name) ? contentTypes.components[name] : undefined;
      if (!component) continue;
      const hasLinks = Object.values(component.attributes).some(isLinkAttribute);
      components.set(uid, { uid, index: components.size, component, schema, hasLinks });
      compareAttributes(findings, component, schema);
      continue;
    }
    const type = isExcludedType(uid) || isOutranked(archive, schema) ? undefined : typeNamed(contentTypes, schema);
    if (!type) continue;
    const hasDrafts = member(schema.options, 'draftAndPublish') === true;
    const isLocalized = member(member(schema.pluginOptions, 'i18n'), 'localized') === true;
    types.set(uid, { uid, index: types.size, type, schema, hasDrafts, isLocalized });
    compareAttributes(findings, type, schema);
  }
  return {
    contentTypes,
    major: archive.metadata.major,
    types,
    components,
    ownComponents: new Map([...components.values()].map((one) => [one.component.uid, one])),
    schemas: new Map(archive.schemas.map((schema) => [schema.uid, schema])),
  };
}

/** Whether a type is internal to Strapi or read separately, so that its rows are no loss. */
export function isExcludedType(uid: string): boolean {
  return uid.startsWith('admin::') || READ_SEPARATELY.has(uid);
}
