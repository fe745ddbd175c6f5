/** `npm run server -- backup create|list|restore` of a generated server on SQLite. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandRefused, UsageError } from '../../base/command-errors.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { sqlitePath } from '../../database/open-database.ts';
import { DATABASE, listBackups } from '../backup/backup-folder.ts';
import { backupSource } from '../backup/backup-source.ts';
import { createBackup } from '../backup/create-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { loadDotEnv, readSettings, type Settings } from '../settings.ts';
import { type CommandDefinition, runWithoutDatabase } from './command.ts';
import { unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- backup <command>

  create           copies the database and its uploads to a new folder in BACKUP_DIR, and keeps the newest BACKUP_KEEP backups;
                   a server may be running
  list             shows the backups
  restore NAME     replaces the database by a backup (a name from the list, or the path of a folder), and adds the files that
                   are missing; no server may be running. The previous database is kept.

For SQLite. With PostgreSQL and MariaDB use pg_dump or mariadb-dump, or on any engine: npm run server -- data export FILE

Exit codes: 0 done, 1 failed, 2 invalid arguments, 3 refused, 4 created, but files that entries of the backup refer to are missing.
`;

const INCOMPLETE = 4;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function create(definition: CommandDefinition, settings: Settings): Promise<number> {
  const source = backupSource(settings, definition.contentTypes);
  if (!existsSync(source.file)) {
    throw new CommandRefused(`There is no ${source.file}, the database that DATABASE_URL names.`);
  }
  const { name, bytes, files, added, removed } = await createBackup(source, settings.backup);
  const folder = join(settings.backup.directory, name);
  print(`Created ${folder}: a database of ${bytes} bytes, ${files} files, ${added} of them new.`);
  for (const old of removed) print(`Removed ${old}.`);
  if (source.uploads === undefined) {
    if (definition.contentTypes.types['file']) {
      print('The files are in a bucket, so this backup does not contain them.');
    }
    return 0;
  }
  const { missingFiles } = await import('../backup/missing-files.ts').catch(explainMissingModule('media'));
  const missing = await missingFiles(folder, definition.contentTypes);
  for (const { name: file, id, title } of missing) print(`missing: ${file}, of the entry ${id} (${title})`);
  return missing.length > 0 ? INCOMPLETE : 0;
}

async function list({ backup }: Settings): Promise<number> {
  const names = await listBackups(backup.directory);
  for (const name of names) print(name);
  if (names.length === 0) print(`There are no backups in ${backup.directory}.`);
  return 0;
}

async function restore(definition: CommandDefinition, settings: Settings, name: string): Promise<number> {
  const given =
    isAbsolute(name) || existsSync(join(name, DATABASE)) ? resolve(name) : join(settings.backup.directory, name);
  if (!existsSync(join(given, DATABASE))) {
    throw new CommandRefused(`There is no backup ${name}. See: npm run server -- backup list`);
  }
  const source = backupSource(settings, definition.contentTypes);
  const { files, before } = await restoreBackup(given, source);
  print(`Restored ${source.file} from ${given}, and ${files} files.`);
  if (before !== undefined) print(`The previous database is now ${before}: delete it once you no longer need it.`);
  print('Sessions stay valid with the same JWT_SECRET. The next start applies the migrations that the backup lacks.');
  return 0;
}

/** Runs `npm run server -- backup …` with settings from the environment. Returns the exit code. */
export function runBackup(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  return runWithoutDatabase(async () => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [command, name, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`Expected one name; unexpected: ${rest.join(' ')}`);
    loadDotEnv();
    const settings = readSettings(definition.name, process.env);
    if (sqlitePath(settings.databaseUrl) === undefined) {
      throw new CommandRefused(
        'This command is for SQLite. For other engines: pg_dump, mariadb-dump, or npm run server -- data export FILE',
      );
    }
    if (command === 'restore' && name !== undefined) return restore(definition, settings, name);
    if (name !== undefined) throw new UsageError(`There is no command ${String(command)} ${name}`);
    if (command === 'create') return create(definition, settings);
    if (command === 'list') return list(settings);
    throw unknownCommand(command, ['create', 'list', 'restore']);
  }, USAGE);
}
