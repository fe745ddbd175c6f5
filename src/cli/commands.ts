/**
 * The commands with their arguments and flags. Each passes its exit code to `onExit`, and loads its implementation only
 * when it runs.
 */
import { ENGINES } from '#contract/engines.ts';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { MigrationsTask } from '../migrate.ts';
import { buildCommand, type BuildFlags } from './build-command.ts';
import type { CompareFlags, ExportContentFlags, ImportContentFlags } from './data-command.ts';
import { packCommand } from './pack-command.ts';
import { ejectCommand } from './eject-command.ts';
import { explainCommand } from './explain-command.ts';
import { importCommand, type ImportFlags } from './import-command.ts';
import { initCommand, type InitFlags } from './init-command.ts';
import type { Io } from './io.ts';
import { migrationsCommand } from './migrations-command.ts';
import type { ProveFlags } from './prove-command.ts';
import { schemaCommand } from './schema-command.ts';
import { watchCommand, type WatchFlags } from './watch-command.ts';

type OnExit = (code: number) => void;

/** The default schema file. */
const SCHEMA = 'schema.yaml';

export function addCommands(program: Command, io: Io, onExit: OnExit): void {
  addInit(program, io, onExit);
  addBuild(program, io, onExit);
  addExplain(program, io, onExit);
  addSchema(program, io, onExit);
  addMigrations(program, io, onExit);
  addEject(program, io, onExit);
  addPack(program, io, onExit);
  addImport(program, io, onExit);
  addData(program, io, onExit);
  addProve(program, io, onExit);
}

function addInit(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('init')
    .description('create a project: a schema to start from, scripts, editor settings, and the first build')
    .argument('[folder]', 'the folder to create it in', '.')
    .option('--name <name>', 'the npm name of the project (default: the name of the folder)')
    .addOption(new Option('--database <engine>', 'the database engine').choices(ENGINES).default('sqlite'))
    .action(async (folder: string, flags: InitFlags) => onExit(await initCommand(folder, flags, io)));
}

function addBuild(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('build')
    .description('generate the server, or update it; nothing is written if the schema is unchanged')
    .argument('[schema...]', `YAML files, or folders of them`, [SCHEMA])
    .option(
      '-o, --out <folder>',
      'the output folder (default: this folder if it is a project, else a folder with the name of the project)',
    )
    .option('--watch', 'rebuild whenever the schema changes')
    .option('--serve', 'with --watch: also run the server, and restart it after each build')
    .option('--check', 'write nothing; exit with code 4 if a build would change anything')
    .option('--dry-run', 'write nothing; list what a build would do')
    .option('--diff', 'write nothing; print the changes as a unified diff')
    .option(
      '--overwrite <path>',
      'discard the edits in a generated file, or in all of a folder; repeatable',
      collect,
      [],
    )
    .option(
      '--allow-destructive <thing>',
      'allow a migration to delete the data of a type or an attribute, such as article.body; repeatable',
      collect,
      [],
    )
    .option(
      '--zero-downtime',
      'split migrations that would break running servers of the previous version: the second part is applied once they are stopped',
    )
    .option('--downgrade', 'allow building a project that a newer version of content-gen generated')
    .option('--json', 'print the result and all messages as a JSON document')
    .option('--annotations', 'print messages as annotations for pull requests on GitHub')
    .action(async (schema: string[], flags: BuildFlags & WatchFlags) =>
      onExit(await (flags.watch || flags.serve ? watchCommand(schema, flags, io) : buildCommand(schema, flags, io))),
    );
}

function addExplain(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('explain')
    .description('show what a type or an attribute becomes: columns, routes, permissions, example requests')
    .argument('<name>', 'a content type or an attribute, such as article or article.tags')
    .argument('[schema...]', 'YAML files, or folders of them', [SCHEMA])
    .action(async (name: string, schema: string[]) => onExit(await explainCommand(name, schema, io)));
}

function addSchema(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('schema')
    .description('print the schema language: all keys, types and options')
    .option('--json', 'as a JSON Schema, for editors')
    .action(async (flags: { readonly json?: boolean }) => onExit(await schemaCommand(flags, io)));
}

function addMigrations(program: Command, io: Io, onExit: OnExit): void {
  const migrations = program
    .command('migrations')
    .description('inspect the migrations of a project, and change those that no database has applied');
  const add = (usage: string, description: string, taskOf: (argument: string | undefined) => MigrationsTask): void => {
    migrations
      .command(usage)
      .description(description)
      .option('-o, --out <folder>', 'the folder of the project', '.')
      .action(async (...given: readonly unknown[]) => {
        const [argument, flags] = typeof given[0] === 'object' ? [undefined, given[0]] : [given[0], given[1]];
        const task = taskOf(typeof argument === 'string' ? argument : undefined);
        onExit(await migrationsCommand(task, flags as { readonly out?: string }, io));
      });
  };
  add('status', 'list the migrations and their problems', () => ({ kind: 'status' }));
  add('new <name>', 'add an empty migration for SQL written by hand', (title = '') => ({ kind: 'new', title }));
  add('seal', 'mark migrations written or edited by hand as finished, so that they can be applied', () => ({
    kind: 'seal',
  }));
  add('drop [migration]', 'delete the last migration, if no database has applied it', (name) => ({
    kind: 'drop',
    name,
  }));
  add('rebase [migration]', 'move the migrations of a branch after those of the branch it was merged with', (name) => ({
    kind: 'rebase',
    name,
  }));
}

function addEject(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('eject')
    .description('replace a generated part of a project with its sources and tests, which later builds do not change')
    .addArgument(new Argument('<part>', 'the part to replace').choices(['runtime']))
    .option('-o, --out <folder>', 'the folder of the project', '.')
    .action(async (_part: string, flags: { readonly out?: string }) => onExit(await ejectCommand(flags, io)));
}

function addPack(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('pack')
    .description('write the package that projects with `runtime: package` install')
    .addArgument(new Argument('<part>', 'the part to pack').choices(['runtime']))
    .option('-o, --out <folder>', 'the folder for the packed file', '.')
    .action(async (_part: string, flags: { readonly out?: string }) => onExit(await packCommand(flags, io)));
}

function addImport(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('import')
    .description('create a schema from the project of another content server')
    .command('strapi')
    .description('from a Strapi 4 or 5 project: its folder, or an export in any format')
    .argument('<source>', 'the folder of the project, or an export (a file or a folder)')
    .option('-o, --out <file>', 'the output file; with --split, the output folder', SCHEMA)
    .option('--split', 'write one file per type')
    .option('--key-file <file>', 'a file with the key of an encrypted export (or set STRAPI_EXPORT_KEY)')
    .addOption(
      new Option('--strapi <version>', 'the version of Strapi, if the folder has no package.json').choices(['4', '5']),
    )
    .option('--code', 'also translate the code of the project, to src/extensions/ beside the schema')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print the report as a JSON document')
    .action(async (source: string, flags: ImportFlags) => onExit(await importCommand(source, flags, io)));
}

function addData(program: Command, io: Io, onExit: OnExit): void {
  const data = program
    .command('data')
    .description(
      "move the content of Strapi to a project, or back; `npm run server -- data` is for the project's own format",
    )
    .addHelpText('after', DATA_EXIT_CODES);
  const add = (usage: string, description: string): Command =>
    data.command(usage).description(description).option('--project <folder>', 'the folder of the project', '.');
  add('import-strapi', 'import an export of Strapi 4 or 5 (`strapi export`) into a database without content')
    .argument('<archive>', 'a folder, or a tar that may be compressed and encrypted')
    .addOption(
      new Option(
        '--prefer <version>',
        'in types without drafts here: the version to keep where a draft differs from what is published',
      )
        .choices(['published', 'draft'])
        .default('published'),
    )
    .option('--strict', 'refuse content that a request would be rejected for')
    .option('--dry-run', 'roll back at the end')
    .option('--decisions <file>', "what to do with values that the database can't hold", 'strapi-decisions.json')
    .option('--report <file>', 'write the report as JSON')
    .option('--allow-drops', 'exit with code 0 although something was left behind')
    .option('--key-file <file>', 'a file with the key of an encrypted export (or set STRAPI_EXPORT_KEY)')
    .action(async (archive: string, flags: ImportContentFlags) => {
      const { importContentCommand } = await import('./data-command.ts');
      onExit(await importContentCommand(archive, flags, io));
    });
  add('export', 'write an archive that Strapi imports: for version 5 if entries have document ids, else for version 4')
    .addOption(new Option('--format <format>', 'the format').choices(['strapi']).makeOptionMandatory())
    .requiredOption('--out <file>', 'the new file, a compressed tar')
    .action(async (flags: ExportContentFlags) => {
      const { exportContentCommand } = await import('./data-command.ts');
      onExit(await exportContentCommand(flags, io));
    });
  add('compare', 'send two servers the same requests, and show where their responses differ')
    .requiredOption('--base-a <url>', 'the address of a server; its token: COMPARE_TOKEN_A', addressOf)
    .requiredOption('--base-b <url>', 'the address of the other; its token: COMPARE_TOKEN_B', addressOf)
    .option('--pages <count>', 'how many pages of each list to read', countOf, 4)
    .option('--entries <count>', 'how many entries of each list to read one by one', countOf, 10)
    .option('--files <count>', 'how many files to load', countOf, 100)
    .option('--ids', 'also compare the ids of components, and of entries with document ids')
    .action(async (flags: CompareFlags) => {
      const { compareCommand } = await import('./data-command.ts');
      onExit(await compareCommand(flags, io));
    });
}

function addProve(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('prove')
    .description("show that no answer of a project's server tells a caller what the rules of the schema hide")
    .option('--project <folder>', 'the folder of the project', '.')
    .option('--cases <count>', 'how many requests to compare', countOf, 10_000)
    .option('--seed <number>', 'the seed of the random content and requests', countOf, 1)
    .option(
      '--database <url>',
      'a database of PostgreSQL or MariaDB, beside which others are created and dropped again',
    )
    .addHelpText('after', PROVE_EXIT_CODES)
    .action(async (flags: ProveFlags) => {
      const { proveCommand } = await import('./prove-command.ts');
      onExit(await proveCommand(flags, io));
    });
}

const PROVE_EXIT_CODES = `
Two servers with random content, which differs only in what a caller may not see, must give this caller the same answers, byte by byte.
Without --database, they have SQLite files.

Exit codes: 0 done, 1 failed, or answers differ, 2 invalid arguments, 3 refused: not compiled, not installed, or without rules.`;

const DATA_EXIT_CODES = `
Settings such as DATABASE_URL are those of the server, from the environment and .env of the project. Stop the server while you import.

Exit codes: 0 done, 1 failed or different, 2 invalid arguments, 3 refused; 4 done, but something was left behind.
With any other code than 0 and 4, no content was changed.`;

/** An address without a trailing slash. */
function addressOf(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('It must be the address of a server, such as http://127.0.0.1:1337.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/u, '');
}

function countOf(value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError('It must be a number.');
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
