// Build times of the generator by number of types, and the time to type-check its output.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manyTypes } from '../support/many-types.js';
import { measureBuild, measureProgram } from '../support/measure-build.js';
import { output, root } from './paths.js';
import { linkRuntime } from './project.js';

const COUNTS = [10, 100, 250, 1000];
const QUICK_COUNTS = [10, 100];
/** The TypeScript version of generated projects, and the native compiler. */
const COMPILERS = { 6: 'node_modules/typescript/bin/tsc', 7: 'node_modules/typescript-7.0/bin/tsc' };

async function measureCount(count) {
  const folder = join(output, 'builds', String(count));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, 'schema.yaml'), manyTypes(count));
    const first = await measureBuild(folder);
    const unchanged = await measureBuild(folder);
    writeFileSync(join(folder, 'schema.yaml'), manyTypes(count, { longer: true }));
    const attribute = await measureBuild(folder);
    const project = join(folder, 'project');
    linkRuntime(project);
    const check = (compiler) => measureProgram([join(root, compiler), '--noEmit', '-p', '.'], project);
    return { count, first, unchanged, attribute, check6: await check(COMPILERS[6]), check7: await check(COMPILERS[7]) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureBuilds({ options, say }) {
  const results = [];
  for (const count of options.quick ? QUICK_COUNTS : COUNTS) {
    say(`  ${count} types`);
    results.push(await measureCount(count));
  }
  return results;
}
