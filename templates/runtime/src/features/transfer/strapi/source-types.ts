/** Which types, components and attributes of an archive are those of this project. */
import type { Attribute, Component, ContentType, ContentTypes } from '../../../contract/content-type.ts';
import { isItemAttribute, isLinkAttribute } from '../../../contract/item-attributes.ts';
import type { StrapiArchive } from '../../../strapi/open-archive.ts';
import { componentName, insteadOf, typeName } from '../../../strapi/names.ts';
import { BUILT_IN, FILE, FOLDER, LOCALE, PERMISSION, SYSTEM_ATTRIBUTES } from '../../../strapi/own-names.ts';
import { member, type StrapiSchema } from '../../../strapi/records.ts';
import type { Findings } from './findings.ts';

/** Read in other ways than as entries. */
const APART: ReadonlySet<string> = new Set([FOLDER, PERMISSION, LOCALE]);

/** Of paid features. */
const OF_FEATURES: ReadonlySet<string> = new Set(['strapi_stage', 'strapi_assignee', 'strapi_reviewWorkflows_stage']);

/** Of the built-in types: what has another form here, and is read apart, or is of no use after a move. */
const OF_BUILT_IN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['file', new Set(['related', 'folder', 'folderPath', 'focalPoint'])],
  ['user', new Set(['resetPasswordToken', 'confirmationToken'])],
  ['user-role', new Set(['permissions', 'users'])],
]);

/** A content type of the archive that the project has. */
export interface SourceType {
  /** `api::article.article` */
  readonly uid: string;
  /** Its place in the list of all. */
  readonly index: number;
  readonly type: ContentType;
  readonly schema: StrapiSchema;
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
}

export interface SourceComponent {
  /** In the archive. */
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
  /** By what the project calls them. */
  readonly ownComponents: ReadonlyMap<string, SourceComponent>;
  /** All types and components that the archive has. */
  readonly schemas: ReadonlyMap<string, StrapiSchema>;
}

/** Whether an attribute of the archive is nobody's loss if the project has none of its name. */
export function isOwnOfStrapi(owner: string, name: string): boolean {
  return SYSTEM_ATTRIBUTES.has(name) || OF_FEATURES.has(name) || OF_BUILT_IN.get(owner)?.has(name) === true;
}

/** The attribute of the project; undefined where it is Strapi's own, or missing. */
export function attributeOf(
  { uid, attributes }: Pick<ContentType | Component, 'uid' | 'attributes'>,
  name: string,
): Attribute | undefined {
  return Object.hasOwn(attributes, name) && !isOwnOfStrapi(uid, name) ? attributes[name] : undefined;
}

const BUILT_IN_NAMES: ReadonlySet<string> = new Set(BUILT_IN.values());

function typeNamed({ types }: ContentTypes, { uid, info }: StrapiSchema): ContentType | undefined {
  const builtIn = BUILT_IN.get(uid);
  const name = typeName(uid, member(info, 'singularName'));
  const names = builtIn === undefined ? [name, insteadOf(name)] : [builtIn];
  const found = names.find((one) => Object.hasOwn(types, one) && (builtIn !== undefined || !BUILT_IN_NAMES.has(one)));
  return found === undefined ? undefined : types[found];
}

/** Whether the content that a project has under a name is of another type of the archive: those of plugins give way. */
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
  // A relation to files is what media are here.
  if (type === 'relation' && member(source, 'target') === FILE) return 'media';
  if (type === 'component' || type === 'dynamiczone') return 'components';
  return type === 'media' || type === 'relation' ? type : 'value';
}

/** Counts attributes of the archive that the project lacks, or has as something else. */
function compareAttributes(findings: Findings, owner: ContentType | Component, schema: StrapiSchema): void {
  for (const [name, source] of Object.entries(schema.attributes)) {
    if (isOwnOfStrapi(owner.uid, name)) continue;
    const where = `${schema.uid}.${name}`;
    const attribute = attributeOf(owner, name);
    const type = member(source, 'type');
    if (!attribute) findings.add('left', 'attributes that the schema of this project does not have', where);
    else if (kindOf(attribute) !== sourceKind(source)) {
      findings.add(
        'left',
        'attributes that are something else in this project',
        `${where}: ${String(type)}, here ${attribute.type}`,
      );
    }
  }
}

/** Whether an attribute is of the same kind on both sides, so that its values can be read. */
export function isSameKind(attribute: Attribute, schema: StrapiSchema, name: string): boolean {
  return kindOf(attribute) === sourceKind(schema.attributes[name]);
}

/** Matches an archive with the project by names, and tells what has no equal. */
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
    const type = isApart(uid) || isOutranked(archive, schema) ? undefined : typeNamed(contentTypes, schema);
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

/** Whether rows of a type that the project doesn't have are nothing that anybody would miss. */
export function isApart(uid: string): boolean {
  return uid.startsWith('admin::') || APART.has(uid);
}
