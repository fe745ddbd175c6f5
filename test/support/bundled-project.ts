/** Projects that run in processes of their own, without installation or compilation: esbuild bundles their sources. */
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { root, type RunningServer, start } from './project.ts';
import { generateProject, linkRuntime } from './served-project.ts';

const BUNDLE = 'dist/bundle/main.js';

export interface BundledProject {
  /** The folder of the project. */
  readonly path: string;
  start(environment?: Readonly<Record<string, string>>): Promise<RunningServer>;
  remove(): Promise<void>;
}

/** Packages are external: the runtime is resolved in the project, the others in this repository. */
const OPTIONS = ['--bundle', '--splitting', '--platform=node', '--format=esm', '--packages=external'];

/**
 * A project from the text of a schema. Its servers have no log and no rate limits, unless their environment sets them.
 */
export async function bundleProject(schema: string): Promise<BundledProject> {
  const { folder, remove } = await generateProject(schema);
  const path = join(folder, 'project');
  await linkRuntime(path);
  const esbuild = join(root, 'node_modules/.bin/esbuild');
  await execa(esbuild, ['src/main.ts', ...OPTIONS, `--outdir=${dirname(BUNDLE)}`], { cwd: path });
  return {
    path,
    start: (environment = {}) =>
      start(path, { LOG_LEVEL: 'silent', AUTH_RATE_LIMIT: '0', AUTH_PASSWORD_COST: '8', ...environment }, BUNDLE),
    remove,
  };
}
