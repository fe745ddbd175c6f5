/** Lazy loading without free file descriptors, in a process of its own with a low limit. */
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { writeProgram } from '../../test-support/runtime-program.ts';

const PROGRAM = `
import { closeSync, openSync } from 'node:fs';
import { lazyImport } from './base/lazy-import.js';
import { loadQs } from './base/lazy-packages.js';

const descriptors = [];
const fill = () => {
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'));
  } catch {}
};
const loadJose = lazyImport(() => import('jose'));
const loadWithDependencies = lazyImport(() => import('./contract/attribute-types/scalar-type.js'));
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
// A few free descriptors, but too few for a module with its dependencies.
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

it('R11: lazy loading fails with 503 while file descriptors are exhausted, and succeeds afterwards', async () => {
  const program = await writeProgram(join(folder.path, 'lazy'), PROGRAM);
  const { stdout } = await execa('sh', ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, program]);
  const refused = [503, 503, 503];
  expect(JSON.parse(stdout)).toEqual([refused, refused, refused, refused, ['loaded', 'loaded', 'loaded']]);
});
