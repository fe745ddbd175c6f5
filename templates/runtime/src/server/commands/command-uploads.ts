/** Uploads for commands. */
import { withoutHooks } from '../../entries/without-hooks.ts';
import { openUploads, type UploadContext } from '../../features/upload/context.ts';
import { createReader } from '../../query/reader.ts';
import type { ServerDefinition } from '../definition.ts';
import type { Command } from './command.ts';

const SILENT_LOG = { info() {}, warn() {}, error() {} };

/** The uploads of a server, for commands: without hooks. Throws if nothing in the schema refers to files. */
export async function openCommandUploads(
  { contentTypes: types, api, imageSizes }: Pick<ServerDefinition, 'contentTypes' | 'api' | 'imageSizes'>,
  { database, settings }: Pick<Parameters<Command>[0], 'database' | 'settings'>,
): Promise<UploadContext> {
  const reader = createReader({ database, types, api });
  const context = await openUploads({
    database,
    types,
    reader,
    hookedOf: withoutHooks(types, { database, reader }),
    settings: settings.uploads,
    logger: SILENT_LOG,
    sizes: imageSizes,
  });
  if (!context) throw new Error('nothing in the schema refers to files');
  return context;
}
