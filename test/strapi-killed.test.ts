/** An import that is killed leaves an empty database, and the next one completes it. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { archiveOf } from '../templates/runtime/test-support/strapi-archive.ts';
import { bundleProject } from './support/bundled-project.ts';
import { root } from './support/project.ts';
import { schemaFor, V4 } from './support/strapi-content.ts';

const KILLS = 20;
const ENTITIES = 3000;

it('killed at twenty moments, an import ends in the same database', async () => {
  const project = await bundleProject(schemaFor('sqlite', 4));
  try {
    const options = ['--bundle', '--splitting', '--platform=node', '--format=esm', '--packages=external'];
    await execa(
      join(root, 'node_modules/.bin/esbuild'),
      ['src/generated/data.ts', ...options, '--outdir=dist/bundle'],
      {
        cwd: project.path,
      },
    );
    const tags = Array.from({ length: ENTITIES }, (_, index) => ({
      type: 'api::tag.tag',
      id: index + 100,
      data: { name: `further ${index}`, rank: 1 },
    }));
    const archive = join(project.path, 'archive.tar.gz');
    writeFileSync(archive, await archiveOf({ ...V4, entities: [...(V4.entities ?? []), ...tags] }));
    const temporary = join(project.path, 'temporary');
    mkdirSync(temporary);
    const environment = (name: string) => ({
      ...process.env,
      DATABASE_URL: `sqlite:${join(project.path, `${name}.db`)}`,
      UPLOAD_DIR: join(project.path, `${name}.files`),
      TMPDIR: temporary,
      JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
    });
    const run = (name: string, ...args: readonly string[]) =>
      execa(process.execPath, ['dist/bundle/data.js', ...args], {
        cwd: project.path,
        env: environment(name),
        reject: false,
      });
    const exported = async (name: string) => {
      const file = join(project.path, `${name}.jsonl`);
      expect((await run(name, 'export', file)).exitCode).toBe(0);
      return readFileSync(file, 'utf8');
    };
    const started = performance.now();
    expect((await run('whole', 'import-strapi', archive)).exitCode).toBe(4);
    const duration = performance.now() - started;
    let mostLeft = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, ['dist/bundle/data.js', 'import-strapi', archive], {
        cwd: project.path,
        env: environment('killed'),
        stdio: 'ignore',
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
      await sleep(duration * Math.random());
      child.kill('SIGKILL');
      // Where it was done before, the database has everything, and the next runs are refused.
      expect([null, 3, 4]).toContain(await ended);
      const left = readdirSync(temporary);
      // Those of earlier runs are gone.
      expect(left.length).toBeLessThanOrEqual(1);
      for (const one of left) expect(statSync(join(temporary, one)).mode & 0o077).toBe(0);
      mostLeft = Math.max(mostLeft, left.length);
    }
    expect(mostLeft).toBe(1);
    expect([3, 4]).toContain((await run('killed', 'import-strapi', archive)).exitCode);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await exported('killed')).toBe(await exported('whole'));
  } finally {
    await project.remove();
  }
}, 300_000);
