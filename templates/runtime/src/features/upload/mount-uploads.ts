/** Mounts uploads. Loaded only if the schema has media. */
import type { Middleware } from 'koa';
import { explainMissingModule } from '../../base/missing-module.ts';
import { isJobWorker, type Siblings, SINGLE_WORKER, type WorkerSlot } from '../../base/siblings.ts';
import { HttpError } from '../../contract/errors.ts';
import { FOLDER_ROUTES } from '../../contract/routes/folders.ts';
import { RESUMABLE_ROUTES } from '../../contract/routes/resumable.ts';
import { TAG_ROUTES } from '../../contract/routes/tags.ts';
import { FILE_ROUTES, FILE_TRASH_ROUTES } from '../../contract/routes/files.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import type { Feature, InTransaction } from '../../http/feature.ts';
import type { Logger } from '../../http/log.ts';
import type { RouteMount } from '../../http/mount-routes.ts';
import { cachedFor } from '../../http/readiness.ts';
import type { NamesBefore } from './accepted-formats.ts';
import { fileTools } from './file-tools.ts';
import { openUploads, type UploadContext } from './context.ts';
import type { UploadSettings } from './upload-settings.ts';
import { fileCollection } from './file-collection.ts';
import { guardFiles } from './guard-files.ts';
import { isDeletedFile } from './pending-files.ts';
import { PUBLIC, type ReadFile, serveFiles } from './serve-files.ts';
import type { Resumable } from './resumable/open-resumable.ts';
import { describeFault } from '../../storage/storage-faults.ts';
import { startSweeper } from './sweeper.ts';
import { uploadRequests } from './upload-requests.ts';

/** The probe writes a file, so its result is cached. */
const READY_KEPT_MS = 5000;

async function canStore({ temp }: UploadContext): Promise<string | undefined> {
  try {
    await temp.probe();
    return undefined;
  } catch (error) {
    return describeFault(error instanceof HttpError ? error.cause : error) ?? "files can't be stored";
  }
}

/** Files that not everyone may find are served by this server alone. */
function withoutPublicUrl(settings: UploadSettings, { warn }: Pick<Logger, 'warn'>): UploadSettings {
  const { s3 } = settings;
  if (s3?.publicUrl === undefined) return settings;
  warn(
    'S3_PUBLIC_URL is not used, because rules say who may find files: make the bucket private, and remove the setting',
  );
  return { ...settings, s3: { ...s3, publicUrl: undefined } };
}

function inOrder(first: Middleware, second: Middleware): Middleware {
  return (ctx, next) => first(ctx, () => second(ctx, next));
}

/** Files in the trash are not served, and all others to everyone. */
function unlessDeleted({ database }: UploadContext): ReadFile {
  return async (_, name) => ((await isDeletedFile(database, name)) ? undefined : PUBLIC);
}

/** How addresses of sizes answer with other formats; undefined if sizes have none. */
async function openFormats({ sizes }: UploadContext): Promise<NamesBefore | undefined> {
  if (!sizes.some(({ also }) => also)) return undefined;
  return (await import('./accepted-formats.ts').catch(explainMissingModule('uploads.formats'))).namesBefore(sizes);
}

interface Settings {
  readonly uploads: UploadSettings;
  readonly worker: WorkerSlot | undefined;
}

async function trashHandlers(context: UploadContext, clock: MovedClock) {
  const deletions = await import('../../entries/trash/deletions.ts').catch(explainMissingModule('uploads.trash'));
  return (await import('./trashed-files.ts')).trashedFileHandlers(context, clock, deletions);
}

async function handlersOfFolders(context: UploadContext) {
  const loaded = await import('./folders/folder-handlers.ts').catch(explainMissingModule('uploads.folders'));
  return loaded.folderHandlers(context);
}

/** Which parts of uploads the schema switches on. */
export interface UploadParts {
  /** Whether deleted files can be restored. */
  readonly trash: boolean;
  readonly folders: boolean;
  /** Whether files have tags. */
  readonly tags: boolean;
  /** Whether uploads can continue where they were cut off. */
  readonly resumable: boolean;
}

async function handlersOfTags(context: UploadContext) {
  const loaded = await import('./tags/tag-handlers.ts').catch(explainMissingModule('uploads.tags'));
  return loaded.tagHandlers(context);
}

async function open(context: UploadContext, clock: MovedClock, siblings: Siblings): Promise<Resumable> {
  const { openResumable } = await import('./resumable/open-resumable.ts').catch(
    explainMissingModule('uploads.resumable'),
  );
  return openResumable(context, clock, siblings);
}

/** Uploads, for servers whose schema has media. */
export function uploads(parts: UploadParts): Feature<Settings> {
  const { trash, folders, tags, resumable } = parts;
  // Those of parts come first: ids of files could have the same names.
  const routes = [
    ...(trash ? FILE_TRASH_ROUTES : []),
    ...(folders ? FOLDER_ROUTES : []),
    ...(tags ? TAG_ROUTES : []),
    ...(resumable ? RESUMABLE_ROUTES : []),
    ...FILE_ROUTES,
  ];
  return feature(routes, parts, ({ context, clock, inTransaction, continued }) => ({
    routes,
    load: async () => ({
      ...(trash && (await trashHandlers(context, clock))),
      ...(folders && (await handlersOfFolders(context))),
      ...(tags && (await handlersOfTags(context))),
      ...continued?.handlers,
      ...(await import('./upload-routes.ts')).fileHandlers(context, inTransaction),
    }),
  }));
}

interface Opened {
  readonly context: UploadContext;
  readonly clock: MovedClock;
  readonly inTransaction: InTransaction;
  /** Uploads that continue where they were cut off. */
  readonly continued: Resumable | undefined;
}

const feature = (
  routes: Feature<Settings>['routes'],
  { resumable }: UploadParts,
  mountOf: (opened: Opened) => RouteMount,
): Feature<Settings> => ({
  name: 'upload',
  routes,
  async start({
    definition,
    database,
    reader,
    inTransaction,
    hooked: hookedOf,
    provide,
    settings,
    logger,
    siblings,
    fileUrls,
  }) {
    const types = definition.contentTypes;
    const context = await openUploads({
      database,
      types,
      reader,
      hookedOf,
      settings: fileUrls ? withoutPublicUrl(settings.uploads, logger) : settings.uploads,
      logger,
      siblings,
      sizes: definition.imageSizes,
    });
    if (!context) throw new Error('this server has no type "file": generate it again');
    const { fileType } = context;
    const formats = await openFormats(context);
    const keepsDeleted = fileType.trash !== undefined;
    const clock: MovedClock = { moved: 0 };
    const continued = resumable ? await open(context, clock, siblings) : undefined;
    const requests = continued ? inOrder(continued.headers, uploadRequests(context)) : uploadRequests(context);
    provide('file', ({ hooked, isTransaction, ...place }) =>
      fileCollection({ ...context, ...place, hooked: hooked(fileType), hookedOf: hooked }, isTransaction),
    );
    const sweeper = isJobWorker(settings.worker ?? SINGLE_WORKER)
      ? startSweeper({ ...context, removeExpired: continued?.removeExpired })
      : undefined;
    return {
      mounts: [mountOf({ context, clock, inTransaction, continued })],
      middleware: fileUrls
        ? { api: inOrder(serveFiles(context.storage, guardFiles(context, fileUrls), formats), requests) }
        : {
            assets: serveFiles(context.storage, keepsDeleted ? unlessDeleted(context) : undefined, formats),
            api: requests,
          },
      tools: fileTools(context),
      readiness: cachedFor(READY_KEPT_MS, () => canStore(context)),
      async advance(milliseconds) {
        clock.moved += milliseconds;
        await continued?.removeExpired();
      },
      stop: async () => sweeper?.stop(),
    };
  },
});
