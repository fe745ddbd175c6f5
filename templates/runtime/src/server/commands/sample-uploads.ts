/** Stores sample files for `npm run server -- seed`, in the same way as uploads. */
import { Readable } from 'node:stream';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { sampleFile } from '../../features/seed/sample-files.ts';
import { createFiles } from '../../features/upload/files-service.ts';
import type { ServerDefinition } from '../definition.ts';
import type { Command } from './command.ts';
import { openCommandUploads } from './command-uploads.ts';

/** Returns a function that stores a sample file of one of the given kinds, and resolves with its id. */
export async function openSampleFiles(
  definition: Pick<ServerDefinition, 'contentTypes' | 'api' | 'imageSizes'>,
  command: Pick<Parameters<Command>[0], 'database' | 'settings'>,
): Promise<(kinds: readonly string[]) => Promise<number>> {
  const context = await openCommandUploads(definition, command);
  const types = definition.contentTypes;
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
