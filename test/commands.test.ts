/** The commands of a project that nobody has compiled or installed. */
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { fixtureSchema, generateProject } from './support/served-project.ts';

it('N09: commands of a project that is not compiled say what to do', async () => {
  const { folder, remove } = await generateProject(await fixtureSchema('blog'));
  for (const [name, advice] of [
    ['start', 'npm run build, or npm run dev while you work'],
    ['token', 'npm run build'],
    ['migrate', 'npm run build'],
  ] as const) {
    const ran = await execa('npm', ['run', '--silent', name, '--', 'list'], {
      cwd: join(folder, 'project'),
      reject: false,
      env: { npm_config_loglevel: 'silent' },
    });
    expect([ran.exitCode, ran.stderr, ran.stdout]).toEqual([
      1,
      `This project is not compiled yet. Run first: ${advice}`,
      '',
    ]);
  }
  await remove();
});
