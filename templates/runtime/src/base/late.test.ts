/** What is loaded late while the process can't open files: in a process of its own, with few descriptors. */
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/project.ts';
import { writeProgram } from '../../../../test/support/runtime-program.ts';

const PROGRAM = `
import { closeSync, openSync } from 'node:fs';
import { late } from './base/late.js';
import { loadQs } from './base/late-packages.js';

const descriptors = [];
const fill = () => {
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'));
  } catch {}
};
const loadJose = late(() => import('jose'));
const loadWithDependencies = late(() => import('./contract/values/cast-scalar.js'));
const attempts = async () => {
  const results = [];
  for (const load of [loadQs, loadJose, loadWithDependencies]) {
    try {
      await load();
      results.push('loaded');
    } catch (error) {
      results.push(error.status);
    }
  }
  return results;
};
const results = [];
fill();
results.push(await attempts());
// Some, and too few for all that a module imports.
for (const few of [1, 8, 64]) {
  for (const descriptor of descriptors.splice(0, few)) closeSync(descriptor);
  results.push(await attempts());
  fill();
}
for (const descriptor of descriptors) closeSync(descriptor);
results.push(await attempts());
console.log(JSON.stringify(results));
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.remove());

it('R11: what is loaded late fails with 503 while no files can be opened, and is loaded when they can', async () => {
  const program = await writeProgram(join(folder.path, 'late'), PROGRAM);
  const { stdout } = await execa('sh', ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, program]);
  const refused = [503, 503, 503];
  expect(JSON.parse(stdout)).toEqual([refused, refused, refused, refused, ['loaded', 'loaded', 'loaded']]);
});
