/** The dependencies shared by all upload code. */
import type { Siblings } from '../../base/siblings.ts';
import { join } from 'node:path';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { DEFAULT_SIZES, type ImageSize } from '../../contract/image-sizes.ts';
import { PLACEHOLDER_ATTRIBUTE } from '../../contract/placeholder.ts';
import { FOLDER_ATTRIBUTE } from '../../contract/upload-folders.ts';
import { TAGS_ATTRIBUTE } from '../../contract/upload-tags.ts';
import type { Database } from '../../database/database.ts';
import type { HookedType } from '../../entries/context.ts';
import type { Logger } from '../../http/log.ts';
import type { Reader } from '../../query/reader.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { createShares, type Shares } from './arriving-bytes.ts';
import type { FolderAccess } from './folders/folder-access.ts';
import type { TagAccess } from './tags/tag-access.ts';
import { loadSharp, type Sharp, type SharpImage } from './image-formats.ts';
import { localStorage } from '../../storage/local-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { openTempFolder, type TempFolder } from '../../storage/temp-folder.ts';
import type { UploadSettings } from './upload-settings.ts';

export interface UploadContext {
  readonly database: Database;
  readonly types: ContentTypes;
  /** The built-in type `file`. */
  readonly fileType: ContentType;
  /** The type `file` with the project's hooks. */
  readonly hooked: HookedType;
  /** Another type with its hooks, for attaching files to its entries. */
  hookedOf(type: ContentType): HookedType;
  readonly reader: Reader;
  readonly settings: UploadSettings;
  readonly storage: Storage;
  readonly temp: TempFolder;
  readonly shares: Shares;
  readonly sharp: Sharp | undefined;
  /** The versions that images get. */
  readonly sizes: readonly ImageSize[];
  /** Makes the placeholder of a small image. Undefined if images have none. */
  readonly placeholderOf?: ((image: SharpImage) => Promise<string>) | undefined;
  /** Undefined if the schema has no folders. */
  readonly folders?: FolderAccess | undefined;
  /** Undefined if files have no tags. */
  readonly tags?: TagAccess | undefined;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Opens the configured storage. Throws if its folder can't be created. */
export async function openStorage({ s3, directory }: UploadSettings): Promise<Storage> {
  if (!s3) return localStorage(directory);
  const { s3Storage } = await import('../../storage/s3-storage.ts').catch(explainMissingModule('media'));
  return s3Storage(s3);
}

/** The dependencies that the server provides. */
export interface UploadOptions {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly reader: Reader;
  hookedOf(type: ContentType): HookedType;
  readonly settings: UploadSettings;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The other workers, with which upload quotas are shared. */
  readonly siblings?: Siblings;
  /** The versions that images get. Default: those of Strapi. */
  readonly sizes?: readonly ImageSize[] | undefined;
  /** Resizes images. Default: `sharp`, if it is installed. `null` disables resizing. */
  readonly sharp?: Sharp | null;
}

async function openTags(files: Pick<UploadContext, 'hooked' | 'fileType'>): Promise<TagAccess | undefined> {
  if (!files.fileType.attributes[TAGS_ATTRIBUTE]) return undefined;
  const { tagAccess } = await import('./tags/tag-access.ts').catch(explainMissingModule('uploads.tags'));
  return tagAccess(files);
}

async function openFolders(files: Pick<UploadContext, 'hooked' | 'fileType'>): Promise<FolderAccess | undefined> {
  if (!files.fileType.attributes[FOLDER_ATTRIBUTE]) return undefined;
  const { folderAccess } = await import('./folders/folder-access.ts').catch(explainMissingModule('uploads.folders'));
  return folderAccess(files);
}

async function openPlaceholders({ attributes }: ContentType): Promise<UploadContext['placeholderOf']> {
  if (!attributes[PLACEHOLDER_ATTRIBUTE]) return undefined;
  const loaded = await import('./placeholder/thumb-hash.ts').catch(explainMissingModule('uploads.placeholders'));
  return loaded.thumbHashOf;
}

/**
 * Opens the storage and the temporary folder; undefined if the schema has no media, and so no type `file`. Throws if a folder can't be
 * created.
 */
export async function openUploads(options: UploadOptions): Promise<UploadContext | undefined> {
  const { types, settings, sharp } = options;
  const fileType = Object.hasOwn(types.types, 'file') ? types.types['file'] : undefined;
  if (!fileType) return undefined;
  const temp = await openTempFolder(join(settings.directory, '.incoming'));
  const found = sharp === undefined ? await loadSharp() : (sharp ?? undefined);
  if (!found) {
    options.logger.info('no smaller copies of images are made (formats is null); to enable them: npm install sharp');
  }
  const hooked = options.hookedOf(fileType);
  return {
    ...options,
    fileType,
    hooked,
    folders: await openFolders({ hooked, fileType }),
    tags: await openTags({ hooked, fileType }),
    placeholderOf: await openPlaceholders(fileType),
    temp,
    storage: await openStorage(settings),
    shares: createShares(settings.maxTotal, options.siblings),
    sharp: found,
    sizes: options.sizes ?? DEFAULT_SIZES,
  };
}
