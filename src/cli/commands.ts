/**
 * The commands with their arguments and flags. Each passes its exit code to `onExit`, and loads its implementation only
 * when it runs.
 */
import { Argument, type Command, Option } from 'commander';
import type { MigrationsTask } from '../migrate.ts';
import { buildCommand, type BuildFlags } from './build-command.ts';
import { ejectCommand } from './eject-command.ts';
import { explainCommand } from './explain-command.ts';
import { importCommand, type ImportFlags } from './import-command.ts';
import { initCommand, type InitFlags } from './init-command.ts';
import type { Io } from './io.ts';
import { migrationsCommand } from './migrations-command.ts';
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
  addImport(program, io, onExit);
}

function addInit(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('init')
    .description('start a project: a schema to begin with, scripts, editor settings, and the first build')
    .argument('[folder]', 'where the project is to be', '.')
    .option('--name <name>', 'the npm name of the project (default: the name of the folder)')
    .addOption(
      new Option('--database <engine>', 'the database to start with')
        .choices(['sqlite', 'postgres', 'mysql'])
        .default('sqlite'),
    )
    .action(async (folder: string, flags: InitFlags) => onExit(await initCommand(folder, flags, io)));
}

function addBuild(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('build')
    .description('write the server, or bring it up to date; an unchanged schema writes nothing')
    .argument('[schema...]', `YAML files, or folders of them`, [SCHEMA])
    .option(
      '-o, --out <folder>',
      'where to write (default: this folder if it is a project, else ./ and the name of the project)',
    )
    .option('--watch', 'build again after each change of the schema')
    .option('--serve', 'with --watch: run the server too, and restart it after each change')
    .option('--check', 'write nothing; exit 4 when a build would change anything')
    .option('--dry-run', 'write nothing; say what a build would do')
    .option('--diff', 'write nothing; print what a build would change as a unified diff')
    .option('--overwrite <file>', 'lose the edits of one generated file; repeatable', collect, [])
    .option(
      '--allow-destructive <thing>',
      'let a migration delete the data of one type or attribute, such as article.body; repeatable',
      collect,
      [],
    )
    .option(
      '--zero-downtime',
      'split a migration in two where servers of the version before would fail: the second part is for when they are gone',
    )
    .option('--downgrade', 'let this version write a project that a newer version of content-gen wrote')
    .option('--json', 'print the result and all messages as one JSON document')
    .option('--annotations', 'print messages as annotations of a pull request')
    .action(async (schema: string[], flags: BuildFlags & WatchFlags) =>
      onExit(await (flags.watch || flags.serve ? watchCommand(schema, flags, io) : buildCommand(schema, flags, io))),
    );
}

function addExplain(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('explain')
    .description('say what a type or an attribute becomes: columns, routes, permissions, requests to copy')
    .argument('<name>', 'a content type, or one of its attributes: article, article.tags')
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
    .description('look at the migrations of a project, and change what no database has yet');
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
  add('status', 'list the migrations, and say what is wrong with them', () => ({ kind: 'status' }));
  add('new <name>', 'add an empty migration, to write its SQL by hand', (title = '') => ({ kind: 'new', title }));
  add('seal', 'take migrations that were written or edited by hand for finished: only then are they applied', () => ({
    kind: 'seal',
  }));
  add('drop [migration]', 'give up the last migration, if no database has it', (name) => ({ kind: 'drop', name }));
  add('rebase [migration]', 'put the migrations of one branch after those of another', (name) => ({
    kind: 'rebase',
    name,
  }));
}

function addEject(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('eject')
    .description('take over a part of a project for good: its sources and tests, which no build touches from then on')
    .addArgument(new Argument('<part>', 'what to take over').choices(['runtime']))
    .option('-o, --out <folder>', 'the folder of the project', '.')
    .action(async (_part: string, flags: { readonly out?: string }) => onExit(await ejectCommand(flags, io)));
}

function addImport(program: Command, io: Io, onExit: OnExit): void {
  program
    .command('import')
    .description('make a schema from what another server has')
    .command('strapi')
    .description('of a Strapi 4 or 5 project: its folder, or an export, however packed')
    .argument('<source>', 'the folder of the project, or an export: a file, or unpacked')
    .option('-o, --out <file>', 'where to write; with --split a folder', SCHEMA)
    .option('--split', 'a file for each type, instead of one')
    .option('--key-file <file>', 'a file with the key of an encrypted export (or set STRAPI_EXPORT_KEY)')
    .addOption(
      new Option('--strapi <version>', 'the version, where the folder has no package.json').choices(['4', '5']),
    )
    .option('--force', 'overwrite files that are there')
    .option('--json', 'print the report as one JSON document')
    .action(async (source: string, flags: ImportFlags) => onExit(await importCommand(source, flags, io)));
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
