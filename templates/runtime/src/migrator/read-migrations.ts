/** Reads the migrations of a project from its folder. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialectName } from '../database/dialect.ts';
import { MigrationError } from './migration-error.ts';
import { decodePlans, type RecordedPlan } from '../contract/migrations/former-plans.ts';
import type { MigrationPlan } from '../contract/migrations/plan.ts';
import { isMigrationFile, type MigrationFiles, type SumLine } from '../contract/migration-sum.ts';
import { checkSum, parseSum, textHash } from './sum.ts';

/** One migration for one engine. */
export interface Migration {
  /** Folder name: `0001_create_article_1f2e3d4c`. */
  readonly name: string;
  /** SHA-256 of `up`, in hex, as the database records it. */
  readonly checksum: string;
  readonly up: string;
  readonly down: string;
  readonly plan: MigrationPlan;
}

const NAME = /^\d{4,}_[a-z0-9_]+$/u;

async function readFiles(directory: string, name: string): Promise<MigrationFiles> {
  const entries = await readdir(join(directory, name), { recursive: true });
  const paths = entries.map((path) => path.replaceAll('\\', '/')).filter(isMigrationFile);
  const texts = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(directory, name, path), 'utf8')] as const),
  );
  return { name, files: new Map(texts) };
}

function byNumber(a: string, b: string): number {
  const difference = Number.parseInt(a, 10) - Number.parseInt(b, 10);
  if (difference !== 0) return difference;
  return a < b ? -1 : 1;
}

/** The content of `plan.json`; a plan without changes if it is missing or broken. */
function recordedPlan({ name, files }: MigrationFiles): RecordedPlan {
  try {
    return { ...(JSON.parse(files.get('plan.json') ?? '{}') as Partial<RecordedPlan> | null), name };
  } catch {
    return { name };
  }
}

/** The plans of migrations, in order from the first one. */
export function readPlans(migrations: readonly MigrationFiles[]): readonly MigrationPlan[] {
  return decodePlans(migrations.map(recordedPlan));
}

/** A text without the byte order mark that some editors write, which is a syntax error to PostgreSQL. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

function forEngine(plan: MigrationPlan, files: MigrationFiles['files'], dialect: DialectName): Migration {
  const { name } = plan;
  const [up, down] = [files.get(`${dialect}/up.sql`), files.get(`${dialect}/down.sql`)];
  if (up === undefined || down === undefined) {
    throw new MigrationError(
      `The migration ${name} has no SQL for ${dialect}. Add ${dialect} to 'databases' of the schema and build again.`,
    );
  }
  return { name, checksum: textHash(up), up: withoutMark(up), down: withoutMark(down), plan };
}

function unreadable(directory: string): (error: unknown) => never {
  return (error) => {
    throw new MigrationError(`The folder ${directory} with its migrations.sum can't be read.`, { cause: error });
  };
}

function readSumText(directory: string): Promise<string> {
  return readFile(join(directory, 'migrations.sum'), 'utf8').catch(unreadable(directory));
}

/** The lines of `migrations.sum`, in order. Throws a MigrationError if it can't be read. */
export async function readSum(directory: string): Promise<readonly SumLine[]> {
  return parseSum(await readSumText(directory));
}

/** The migrations of a project. */
export interface ProjectMigrations {
  /** The sealed ones, in the order in which they are applied. */
  readonly migrations: readonly Migration[];
  /** The names of hand-written migrations that are not sealed: they are not in `migrations.sum`, and never applied. */
  readonly unsealed: readonly string[];
}

interface Folders {
  readonly sealed: readonly MigrationFiles[];
  readonly unsealed: readonly MigrationFiles[];
}

async function readFolders(directory: string): Promise<Folders> {
  const [names, sum] = await Promise.all([readdir(directory).catch(unreadable(directory)), readSumText(directory)]);
  const all = await Promise.all(
    names
      .filter((name) => NAME.test(name))
      .sort(byNumber)
      .map((name) => readFiles(directory, name)),
  );
  const listed = new Set(parseSum(sum).map(({ name }) => name));
  const unsealed = all.filter(
    (migration) => !listed.has(migration.name) && recordedPlan(migration).handWritten === true,
  );
  const sealed = all.filter((migration) => !unsealed.includes(migration));
  checkSum(sum, sealed);
  return { sealed, unsealed };
}

/** The files of all sealed migrations, in order. Throws a MigrationError if one is missing or was changed. */
export async function readMigrationFiles(directory: string): Promise<readonly MigrationFiles[]> {
  return (await readFolders(directory)).sealed;
}

/**
 * The migrations in `directory`. Throws a MigrationError if one is missing, was changed, or has no SQL for the engine.
 */
export async function readMigrations(directory: string, dialect: DialectName): Promise<ProjectMigrations> {
  const { sealed, unsealed } = await readFolders(directory);
  return {
    migrations: readPlans(sealed).map((plan, index) => forEngine(plan, sealed[index]?.files ?? new Map(), dialect)),
    unsealed: unsealed.map(({ name }) => name),
  };
}
