/** Parses the records in an archive. */
import { ArchiveError } from './archive-error.ts';
import { type LineLocation, locationText } from './lines.ts';

/** Read it only with `member`, or check for own properties: the names come from the archive. */
export type Members = Readonly<Record<string, unknown>>;

/** A content type or component as the exporting server ran it. */
export interface StrapiSchema {
  /** `api::article.article`, `plugin::upload.file`, or `category.name` for a component. */
  readonly uid: string;
  readonly modelType: 'contentType' | 'component';
  readonly kind?: 'collectionType' | 'singleType';
  readonly collectionName?: string;
  readonly info: Members;
  readonly options: Members;
  readonly pluginOptions: Members;
  /** By name, in the schema's order. */
  readonly attributes: Readonly<Record<string, Members>>;
}

/** A row with its scalar values and components. `id` is its numeric key. */
export interface StrapiEntity {
  readonly type: string;
  readonly id: number;
  readonly data: Members;
}

/**
 * One end of a link. `pos` of the left end is the position of the right end in its list. `pos` of the right end is the position of the
 * left end in its list or, in morph relations, the position of the right end in the left end's list.
 */
export interface LinkEnd {
  readonly type: string;
  /** A number, except for the right end of `localizations` in version 5. */
  readonly ref: number | string;
  readonly field?: string;
  readonly pos?: number;
}

export interface StrapiLink {
  readonly kind: string;
  readonly relation: string;
  readonly left: LinkEnd & { readonly field: string };
  readonly right: LinkEnd;
}

export interface StrapiConfiguration {
  readonly type: string;
  readonly value: Members;
}

export interface StrapiMetadata {
  readonly createdAt: string | undefined;
  /** As in the archive: `4.26.2`. */
  readonly version: string;
  readonly major: 4 | 5;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own property; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function wrong(at: LineLocation, what: string): ArchiveError {
  return new ArchiveError('wrong-record', `${locationText(at)} must be ${what}: it is not a line that Strapi writes.`);
}

function membersOr(value: unknown): Members {
  return isMembers(value) ? value : {};
}

export function readSchema(value: unknown, at: LineLocation): StrapiSchema {
  const uid = member(value, 'uid');
  const modelType = member(value, 'modelType');
  const attributes = member(value, 'attributes');
  const kind = member(value, 'kind');
  const collectionName = member(value, 'collectionName');
  const isSchema = typeof uid === 'string' && (modelType === 'contentType' || modelType === 'component');
  if (!isSchema || !isMembers(attributes) || !Object.values(attributes).every(isMembers)) {
    throw wrong(at, 'a content type or a component');
  }
  return {
    uid,
    modelType,
    ...(kind === 'collectionType' || kind === 'singleType' ? { kind } : {}),
    ...(typeof collectionName === 'string' ? { collectionName } : {}),
    info: membersOr(member(value, 'info')),
    options: membersOr(member(value, 'options')),
    pluginOptions: membersOr(member(value, 'pluginOptions')),
    attributes: attributes as Readonly<Record<string, Members>>,
  };
}

function isKey(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function readEntity(value: unknown, at: LineLocation): StrapiEntity {
  const type = member(value, 'type');
  const id = member(value, 'id');
  const data = member(value, 'data');
  if (typeof type !== 'string' || !isKey(id) || !isMembers(data)) throw wrong(at, 'an entity with type, id and data');
  return { type, id, data };
}

function readEnd(value: unknown): LinkEnd | undefined {
  const type = member(value, 'type');
  const ref = member(value, 'ref');
  const field = member(value, 'field');
  const pos = member(value, 'pos');
  if (typeof type !== 'string' || !(isKey(ref) || typeof ref === 'string')) return undefined;
  return {
    type,
    ref,
    ...(typeof field === 'string' && field !== '' ? { field } : {}),
    ...(typeof pos === 'number' ? { pos } : {}),
  };
}

export function readLink(value: unknown, at: LineLocation): StrapiLink {
  const kind = member(value, 'kind');
  const relation = member(value, 'relation');
  const left = readEnd(member(value, 'left'));
  const right = readEnd(member(value, 'right'));
  if (typeof kind !== 'string' || typeof relation !== 'string' || left?.field === undefined || !right) {
    throw wrong(at, 'a link with kind, relation, left and right');
  }
  return { kind, relation, left: { ...left, field: left.field }, right };
}

export function readConfiguration(value: unknown, at: LineLocation): StrapiConfiguration {
  const type = member(value, 'type');
  const record = member(value, 'value');
  if (typeof type !== 'string' || !isMembers(record)) throw wrong(at, 'a record with type and value');
  return { type, value: record };
}

export function readMetadata(value: unknown): StrapiMetadata {
  const version = member(member(value, 'strapi'), 'version');
  const createdAt = member(value, 'createdAt');
  if (typeof version !== 'string') {
    throw new ArchiveError(
      'missing-metadata',
      "metadata.json doesn't name the version of Strapi: it is not from an export.",
    );
  }
  const major = Number(/^\d+/u.exec(version)?.[0]);
  if (major !== 4 && major !== 5) {
    throw new ArchiveError(
      'wrong-version',
      `The archive is from Strapi ${JSON.stringify(version.slice(0, 40))}, but only archives of versions 4 and 5 can be read. Upgrade that project to 4 or 5, and export again.`,
    );
  }
  return { createdAt: typeof createdAt === 'string' ? createdAt : undefined, version, major };
}
