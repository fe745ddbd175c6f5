/** Commands whose output is cut off: `npm run server -- openapi --help | head -n 1`. */
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../../test-support/forked-server.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';

const PROJECT = join(import.meta.dirname, '../../test-support/projects/desk/src/generated/app.ts');

const PROGRAM = `
  import { definition } from '${PROJECT}';
  import { runProjectCommand } from '${join(import.meta.dirname, 'commands.ts')}';
  const extensions = () => Promise.resolve({});
  process.exitCode = await runProjectCommand({ definition, extensions }, process.argv.slice(2));
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  file = await bundleProgram(folder.path, PROGRAM);
});
afterAll(() => folder?.remove());

test.each(['--help', 'openapi --help'])('%s ends quietly when nobody reads its output', async (args) => {
  // `true` has ended by the time that the program writes.
  const script = `{ "$0" "$1" ${args}; echo "exit code $?" >&2; } | true`;

  const { stderr } = await execa('sh', ['-c', script, process.execPath, file]);
  expect(stderr).toBe('exit code 0');
});
