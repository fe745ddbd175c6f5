/** The entry for tools beside a project: they read and write its content with the settings and the runtime that its server has. */
import { join } from 'node:path';
import type { ProjectTools } from '../contract/content-transfer.ts';
import { createProgress } from '../features/transfer/progress.ts';
import { projectContent } from '../features/transfer/project-content.ts';
import { withScratchFolder } from '../features/transfer/scratch-folder.ts';
import { writeNewFile } from '../features/transfer/new-file.ts';
import { withDatabase } from './commands/command.ts';
import { transferContext } from './commands/transfer-context.ts';

export const projectTools: ProjectTools = {
  createProgress,
  withScratchFolder,
  writeNewFile,
  withContent: (definition, { mayMigrate, progress, signal }, work) =>
    withDatabase(
      definition,
      async (command) => {
        const incoming = join(command.settings.uploads.directory, '.incoming');
        return work(projectContent(await transferContext(command, progress, signal), incoming));
      },
      mayMigrate,
    ),
};
