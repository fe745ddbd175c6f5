/** Matches types, components and attributes of an archive with those of this project. */
import type { Attribute, Component, ContentType, ContentTypes } from '#contract/content-type.ts';
import { isItemAttribute, isLinkAttribute } from '#contract/item-attributes.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { FILE, SYSTEM_ATTRIBUTES } from '../../strapi/own-names.ts';
import { member, type StrapiSchema } from '../../strapi/records.ts';
import type { Findings } from '../findings.ts';
import { isType, matchSchemas } from './match-schemas.ts';

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
    // Strapi adds no attributes to components, whose uids have a category.
    (SYSTEM_ATTRIBUTES.has(name) && !owner.includes('.')) ||
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
  for (const [schema, own] of matchSchemas(contentTypes, archive)) {
    const { uid } = schema;
    compareAttributes(findings, own, schema);
    if (isType(own)) {
      const hasDrafts = member(schema.options, 'draftAndPublish') === true;
      const isLocalized = member(member(schema.pluginOptions, 'i18n'), 'localized') === true;
      types.set(uid, { uid, index: types.size, type: own, schema, hasDrafts, isLocalized });
    } else {
      const hasLinks = Object.values(own.attributes).some(isLinkAttribute);
      components.set(uid, { uid, index: components.size, component: own, schema, hasLinks });
    }
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
