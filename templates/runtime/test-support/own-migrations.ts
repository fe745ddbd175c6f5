/** Migrations with SQL of their own, as files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DialectName } from '../src/database/dialect.ts';
import { nextHash } from '../src/migrator/sum.ts';

/** A migration: its name, and its SQL for the engine that is tested. */
export interface OwnMigration {
  readonly name: string;
  readonly up: string;
  readonly down?: string;
  /** Its `plan.json`. */
  readonly plan?: object;
}

/** Writes sealed migrations to `folder`, which is returned. */
export async function writeOwnMigrations(
  folder: string,
  dialect: DialectName,
  migrations: readonly OwnMigration[],
): Promise<string> {
  let [sum, previous] = ['', ''];
  for (const { name, up, down = '-- nothing to do\n', plan = { handWritten: true } } of migrations) {
    const files = new Map([
      ['plan.json', JSON.stringify(plan)],
      [`${dialect}/down.sql`, down],
      [`${dialect}/up.sql`, up],
    ]);
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, name, path)), { recursive: true });
      await writeFile(join(folder, name, path), text);
    }
    previous = nextHash(previous, files);
    sum += `${name} ${previous}\n`;
  }
  await writeFile(join(folder, 'migrations.sum'), sum);
  return folder;
}
