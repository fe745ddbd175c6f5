/** Writes the package `@content-gen/runtime`, which projects with `runtime: package` install, as npm packs it. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { runtimePackage } from '../emit/project/runtime-files.ts';
import { printFile } from '../files/generated-file.ts';

const FOLDER = 'runtime/';

/** `out`: the folder for the packed file; it is created. Returns the path of the file. Throws if npm fails. */
export async function packRuntime(out: string): Promise<string> {
  await mkdir(out, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'content-gen-runtime-'));
  try {
    for (const file of runtimePackage()) {
      const path = join(folder, file.path.slice(FOLDER.length));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await printFile(file));
    }
    await chmod(join(folder, 'bin/command.js'), 0o755);
    const { stdout } = await execa('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(out)], {
      cwd: folder,
    });
    const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
    if (packed === undefined) throw new Error('npm pack has written no file');
    return join(out, packed.filename);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
