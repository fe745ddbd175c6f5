/** An import that is killed leaves an empty database, and the next one completes it. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { archiveOf } from './support/strapi-archive.ts';
import { bundleProject } from './support/bundled-project.ts';
import { root } from './support/project.ts';
import { compileDefinition } from './support/served-project.ts';
import { schemaFor, V4 } from './support/strapi-content.ts';

const CONTENT_GEN = join(root, 'bin/content-gen.js');
const KILLS = 20;
const ENTITIES = 3000;

it.each(await testedEngines())(
  'killed at twenty moments, an import into %s ends in the same database',
  async (engine) => {
    const project = await bundleProject(schemaFor(engine, 4));
    const databases: TestDatabase[] = [];
    const urls = new Map<string, string>();
    for (const name of ['whole', 'killed']) {
      if (engine === 'sqlite') urls.set(name, `sqlite:${join(project.path, `${name}.db`)}`);
      else {
        const database = await createDatabase(engine, `strapi_${name}`);
        databases.push(database);
        urls.set(name, database.url);
      }
    }
    try {
      await compileDefinition(project.path);
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
        DATABASE_URL: urls.get(name) ?? '',
        UPLOAD_DIR: join(project.path, `${name}.files`),
        TMPDIR: temporary,
        JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
      });
      const run = (name: string, program: string, ...args: readonly string[]) =>
        execa(process.execPath, [program, 'data', ...args], {
          cwd: project.path,
          env: environment(name),
          reject: false,
        });
      const exported = async (name: string) => {
        const file = join(project.path, `${name}.jsonl`);
        expect((await run(name, 'dist/generated/command.js', 'export', file)).exitCode).toBe(4);
        return readFileSync(file, 'utf8');
      };
      const started = performance.now();
      expect((await run('whole', CONTENT_GEN, 'import-strapi', archive)).exitCode).toBe(4);
      const duration = performance.now() - started;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = spawn(process.execPath, [CONTENT_GEN, 'data', 'import-strapi', archive], {
          cwd: project.path,
          env: environment('killed'),
          stdio: 'ignore',
        });
        const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
        // The first as soon as it has unpacked something, then later each time: once an import was done, the next ones are refused.
        if (kill === 0) while (readdirSync(temporary).length === 0 && child.exitCode === null) await sleep(1);
        else await sleep((duration * (kill + Math.random())) / KILLS);
        child.kill('SIGKILL');
        // Where it was done before, the database has everything, and the next runs are refused.
        expect([null, 3, 4]).toContain(await ended);
        const left = readdirSync(temporary);
        if (kill === 0) expect(left).toHaveLength(1);
        // Those of earlier runs are gone.
        expect(left.length).toBeLessThanOrEqual(1);
        for (const one of left) expect(statSync(join(temporary, one)).mode & 0o077).toBe(0);
      }
      expect([3, 4]).toContain((await run('killed', CONTENT_GEN, 'import-strapi', archive)).exitCode);
      expect(readdirSync(temporary)).toEqual([]);
      expect(await exported('killed')).toBe(await exported('whole'));
    } finally {
      for (const database of databases) await database.drop();
      await project.remove();
    }
  },
  300_000,
);
