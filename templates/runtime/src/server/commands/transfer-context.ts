/** What exports and imports of a project depend on. */
import { fileURLToPath } from 'node:url';
import type { Progress } from '../../contract/content-transfer.ts';
import type { TransferContext } from '../../features/transfer/context.ts';
import { openStorage } from '../../features/upload/context.ts';
import type { CommandContext } from './command.ts';

/** Opens the storage, if the schema has media. */
export async function transferContext(
  { definition, database, settings }: Omit<CommandContext, 'print'>,
  progress: Progress,
  signal: AbortSignal,
): Promise<TransferContext> {
  const hasFiles = Object.hasOwn(definition.contentTypes.types, 'file');
  return {
    database,
    name: definition.name,
    contentTypes: definition.contentTypes,
    schema: definition,
    accounts: settings.auth,
    migrations: fileURLToPath(definition.migrations),
    storage: hasFiles ? await openStorage(settings.uploads) : undefined,
    progress,
    signal,
  };
}
