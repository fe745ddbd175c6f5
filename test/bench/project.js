// Builds and compiles the generated server, with the packages of this repository, so that both servers use the same
// versions.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { output, root } from './paths.js';
import { SCHEMA } from './schema.js';

export const BIN = join(root, 'bin/content-gen.js');
const NATIVE_COMPILER = join(root, 'node_modules/typescript-7.0/bin/tsc');

/** Links the runtime into a project in this repository; all other packages are resolved from its parent folders. */
export function linkRuntime(project) {
  mkdirSync(join(project, 'node_modules/@content-gen'), { recursive: true });
  symlinkSync('../../runtime', join(project, 'node_modules/@content-gen/runtime'));
}

/** Compiles a project as its `npm run build` does, with the native compiler. */
export async function compileProject(project) {
  await execa(process.execPath, [NATIVE_COMPILER, '-b'], { cwd: project });
}

/** Builds and compiles a project of the benchmarks; returns its folder. */
export async function prepareProject(text = SCHEMA, name = 'project') {
  const schema = join(output, `${name}.yaml`);
  const project = join(output, name);
  rmSync(project, { recursive: true, force: true });
  writeFileSync(schema, text);
  await execa(process.execPath, [BIN, 'build', schema, '--out', project]);
  linkRuntime(project);
  await compileProject(project);
  return project;
}
