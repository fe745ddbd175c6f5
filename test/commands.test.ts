/** The commands of a project that nobody has compiled or installed. */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
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
    const run = name === 'start' ? ['start', '--'] : ['server', '--', name];
    const ran = await execa('npm', ['run', '--silent', ...run, 'list'], {
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

it('`npm start` warns of sources that are not compiled, also if they were only type-checked', async () => {
  const { folder, remove } = await generateProject(await fixtureSchema('blog'));
  const dist = join(folder, 'project/dist');
  await mkdir(dist, { recursive: true });
  const write = async (path: string, text: string, minutes: number): Promise<void> => {
    await writeFile(join(dist, path), text);
    const at = Date.now() / 1000 + 60 * minutes;
    await utimes(join(dist, path), at, at);
  };
  const start = async () => (await execa('npm', ['start', '--silent'], { cwd: join(folder, 'project') })).stderr;
  await write('main.js', '', -10);
  await write('.tsbuildinfo', '{"affectedFilesPendingEmit":[1]}', 10);
  expect(await start()).toMatch(/newer than what is compiled in dist\/\. To compile it: npm run build/);
  await write('.tsbuildinfo', '{}', 10);
  expect(await start()).toBe('');
  await remove();
});
