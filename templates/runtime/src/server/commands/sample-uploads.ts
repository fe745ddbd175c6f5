/** Stores sample files for `npm run server -- seed`, in the same way as uploads. */
import { Readable } from 'node:stream';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { withoutHooks } from '../../entries/without-hooks.ts';
import { sampleFile } from '../../features/seed/sample-files.ts';
import { openUploads } from '../../features/upload/context.ts';
import { createFiles } from '../../features/upload/files-service.ts';
import { createReader } from '../../query/reader.ts';
import type { ServerDefinition } from '../definition.ts';
import type { Command } from './command.ts';

const SILENT_LOG = { info() {}, warn() {}, error() {} };

/** Returns a function that stores a sample file of one of the given kinds, and resolves with its id. */
export async function openSampleFiles(
  { contentTypes: types, api }: ServerDefinition,
  { database, settings }: Pick<Parameters<Command>[0], 'database' | 'settings'>,
): Promise<(kinds: readonly string[]) => Promise<number>> {
  const reader = createReader({ database, types, api });
  const context = await openUploads({
    database,
    types,
    reader,
    hookedOf: withoutHooks(types, { database, reader }),
    settings: settings.uploads,
    logger: SILENT_LOG,
  });
  if (!context) throw new Error('nothing in the schema refers to files');
  const call = { caller: serverCaller(types) };
  return async (kinds) => {
    const { name, type, bytes } = sampleFile(kinds);
    const temp = await context.temp.write(Readable.from([bytes]));
    const file = { file: { field: 'files', filename: name, claimedType: type, temp }, path: ['files', '0'] };
    const [stored] = await createFiles(context, { files: [file], infos: [], call });
    if (!stored) throw new Error('no file was stored');
    return stored.id;
  };
}
