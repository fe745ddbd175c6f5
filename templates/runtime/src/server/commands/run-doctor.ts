/** `npm run server -- doctor` of a generated server: reports what is wrong with it, or soon will be. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../database/open-database.ts';
import type { Database } from '../../database/database.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { checkBackups } from '../doctor/check-backups.ts';
import { checkContent, checkMigrations } from '../doctor/check-content.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkDisk } from '../doctor/check-disk.ts';
import { checkDrift } from '../doctor/check-drift.ts';
import { checkSettings } from '../doctor/check-settings.ts';
import { checkTraces } from '../doctor/check-traces.ts';
import { type Finding, findingsAbout, messageOf } from '../doctor/finding.ts';
import { loadDotEnv, problemsOfDotEnv, readSettings, type Settings } from '../settings.ts';
import type { ServerDefinition } from '../definition.ts';
import { type CommandDefinition, runWithoutDatabase } from './command.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- doctor [-- --json]

Checks settings, database, clock, connections, migrations, tables, permissions, disks, files and backups, and the collector
of traces if it is configured. Changes nothing, except for a row that it writes and deletes. A server may be running.

Exit codes: 0 no problems, 1 problems, 2 invalid arguments. With warnings only, the code is 0.
`;

/** A definition, with what is checked besides. */
type CheckedDefinition = CommandDefinition & Pick<ServerDefinition, 'webhooks' | 'jobs' | 'events' | 'audit'>;

const LABELS = { good: 'ok  ', warning: 'warn', bad: 'FAIL' } as const;

async function checkFiles(definition: CommandDefinition, database: Database, settings: Settings) {
  if (!Object.hasOwn(definition.contentTypes.types, 'file')) return [];
  const { checkStoredFiles } = await import('../doctor/check-stored-files.ts').catch(explainMissingModule('media'));
  return checkStoredFiles(definition, database, settings);
}

async function checkTold({ webhooks }: CheckedDefinition, database: Database, settings: Settings) {
  if (!webhooks) return [];
  const { checkWebhooks } = await import('../doctor/check-webhooks.ts').catch(explainMissingModule('webhooks'));
  return checkWebhooks(webhooks, database, settings);
}

async function checkOwnJobs({ jobs }: CheckedDefinition, database: Database) {
  if (!jobs) return [];
  const { checkJobs } = await import('../doctor/check-jobs.ts').catch(explainMissingModule('jobs'));
  return checkJobs(database);
}

async function checkOwnEvents({ events }: CheckedDefinition, database: Database) {
  if (!events) return [];
  const { checkEvents } = await import('../doctor/check-events.ts').catch(explainMissingModule('events'));
  return checkEvents(database);
}

async function checkOwnAudit({ audit }: CheckedDefinition, database: Database, settings: Settings) {
  if (!audit) return [];
  const { checkAudit } = await import('../doctor/check-audit.ts').catch(explainMissingModule('audit'));
  return checkAudit(database, settings.audit);
}

/** The checks that need a connection to the database. */
async function checkOpened(
  definition: CheckedDefinition,
  database: Database,
  settings: Settings,
): Promise<readonly Finding[]> {
  const found = [...(await checkDatabase(database, settings))];
  const directory = fileURLToPath(definition.migrations);
  const migrations = await checkMigrations(database, directory, settings.migrateOnStart);
  found.push(...migrations);
  // With pending migrations, differences in the tables are expected.
  if (migrations.some(({ state }) => state !== 'good')) return found;
  found.push(...(await checkDrift(database, directory)));
  found.push(...(await checkContent(database, definition)), ...(await checkFiles(definition, database, settings)));
  found.push(...(await checkTold(definition, database, settings)));
  found.push(...(await checkOwnJobs(definition, database)));
  found.push(...(await checkOwnEvents(definition, database)), ...(await checkOwnAudit(definition, database, settings)));
  return found;
}

async function checkWithDatabase(definition: CheckedDefinition, settings: Settings): Promise<readonly Finding[]> {
  const of = findingsAbout('database');
  const opened = await openDatabase(settings.databaseUrl, { ...settings.database, startTimeout: 0 }).catch(messageOf);
  if (typeof opened === 'string') return [of.bad(opened)];
  try {
    return await checkOpened(definition, opened, settings);
  } catch (error) {
    return [of.bad(messageOf(error))];
  } finally {
    await opened.close();
  }
}

async function examine(definition: CheckedDefinition): Promise<readonly Finding[]> {
  loadDotEnv();
  let settings: Settings;
  try {
    settings = readSettings(definition.name, process.env);
  } catch (error) {
    return [findingsAbout('settings').bad(messageOf(error))];
  }
  const hasFiles = Object.hasOwn(definition.contentTypes.types, 'file');
  return [
    ...checkSettings(settings),
    ...problemsOfDotEnv(definition.name).map((problem) => findingsAbout('settings').warning(problem)),
    ...(await checkDisk(settings, hasFiles)),
    ...(await checkWithDatabase(definition, settings)),
    ...(await checkTraces(settings)),
    ...(await checkBackups(settings, Date.now())),
  ];
}

/** Runs `npm run server -- doctor` with settings from the environment. Returns the exit code. */
export function runDoctor(definition: CheckedDefinition, args: readonly string[]): Promise<number> {
  return runWithoutDatabase(async () => {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
    const found = await examine(definition);
    const bad = found.filter(({ state }) => state === 'bad').length;
    const warnings = found.filter(({ state }) => state === 'warning').length;
    const lines = found.map(({ state, about, text }) => `${LABELS[state]}  ${about.padEnd(12)} ${text}`);
    const sum = `${bad} wrong, ${warnings} warnings, ${found.length - bad - warnings} good`;
    process.stdout.write(`${values.json ? JSON.stringify(found, undefined, 2) : [...lines, sum].join('\n')}\n`);
    return bad > 0 ? 1 : 0;
  }, USAGE);
}
