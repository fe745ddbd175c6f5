/** `content-gen migrations drop` asks the database of the project, by the project's own command. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { contentGen, root } from './support/project.ts';
import { generateProject, linkRuntime } from './support/served-project.ts';

it('refuses a migration that the database of the project has applied, until it is undone', async () => {
  const { folder, remove } = await generateProject(
    'name: dropped\ncontentTypes: { note: { attributes: { text: { type: string } } } }\n',
  );
  const project = join(folder, 'project');
  try {
    await linkRuntime(project);
    const bundling = ['--bundle', '--platform=node', '--format=esm', '--packages=external', '--outdir=dist/generated'];
    await execa(join(root, 'node_modules/.bin/esbuild'), ['src/generated/command.ts', ...bundling], { cwd: project });
    const migrate = (direction: string) =>
      execa(process.execPath, ['runtime/bin/command.js', 'migrate', direction], { cwd: project });
    await migrate('up');
    const refused = await contentGen(['migrations', 'drop', '--out', project], folder);
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toMatch(/migrations\/applied: 0001_create_note\w* can't be dropped/u);
    expect(refused.stderr).toContain('stop the server');
    await migrate('down');
    const dropped = await contentGen(['migrations', 'drop', '--out', project], folder);
    expect([dropped.exitCode, dropped.stderr]).toEqual([0, '']);
    expect(dropped.stdout).toContain('Dropped 0001_create_note');
  } finally {
    await remove();
  }
});
