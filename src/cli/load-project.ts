/** Loads a project for the commands that run beside it: its definition, and what its own runtime offers to tools. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProjectDefinition, ProjectTools } from '#contract/content-transfer.ts';
import type { Proof, ProofOptions } from '#contract/proof.ts';
import { CommandRefused } from '../strapi-content/command-refused.ts';
import { packageVersion } from './version.ts';

export interface Project {
  readonly definition: ProjectDefinition;
  readonly tools: ProjectTools;
}

const RUNTIME = '@content-gen/runtime';
const DEFINITION = 'generated/app';

function changedAt(path: string): number {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

/** When the newest file in a folder was written; 0 if there is no such folder. */
function filesChangedAt(folder: string): number {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(0, ...names.map((name) => changedAt(join(folder, name))));
}

/** The compiled definition. Throws CommandRefused if the sources were not compiled since they changed. */
function compiledDefinition(folder: string): string {
  const compiled = join(folder, 'dist', `${DEFINITION}.js`);
  if (!existsSync(compiled)) {
    const isProject = existsSync(join(folder, 'src', `${DEFINITION}.ts`));
    throw new CommandRefused(
      isProject
        ? 'This project is not compiled yet. Run first: npm run build'
        : `There is no project of content-gen in ${folder}. Name its folder with --project.`,
    );
  }
  // The compiler writes its notes at each run, and the rest only where it differs.
  const compiledAt = Math.max(changedAt(compiled), changedAt(join(folder, 'dist/.tsbuildinfo')));
  if (filesChangedAt(join(folder, 'src/generated')) > compiledAt) {
    throw new CommandRefused('src/generated/ is newer than what is compiled in dist/. Run first: npm run build');
  }
  return compiled;
}

/** The version of the runtime with this module; undefined if no folder above it says. */
function versionOf(module: string): string | undefined {
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: string; version?: string };
    if (name === RUNTIME) return version;
  }
  return undefined;
}

/** The main module of the project's runtime. Throws CommandRefused if it is not installed, or has another version than this program. */
function runtimeOf(folder: string): NodeJS.Require {
  const require = createRequire(join(folder, 'package.json'));
  let main: string;
  try {
    main = require.resolve(RUNTIME);
  } catch (error) {
    throw new CommandRefused('The packages of this project are not installed. Run first: npm install', {
      cause: error,
    });
  }
  const [version, own] = [versionOf(main), packageVersion()];
  if (version === own) return require;
  throw new CommandRefused(
    `The runtime of this project has the version ${version ?? 'unknown'}, and this is content-gen ${own}. ` +
      'Install that version of content-gen in the project, or build the project with this one: npx content-gen build && npm install && npm run build',
  );
}

/** Loads the project in `folder`, an absolute path. Throws CommandRefused if it must be installed or compiled first. */
export async function loadProject(folder: string): Promise<Project> {
  const compiled = compiledDefinition(folder);
  const tools = runtimeOf(folder).resolve(`${RUNTIME}/tools`);
  const [{ definition }, { projectTools }] = (await Promise.all(
    [compiled, tools].map((path) => import(pathToFileURL(path).href)),
  )) as [{ readonly definition: ProjectDefinition }, { readonly projectTools: ProjectTools }];
  return { definition, tools: projectTools };
}

/**
 * The proof of the project's rules, of the project with its own code. Throws CommandRefused if it has no rules, or must be installed
 * or compiled first.
 */
export async function loadProof(folder: string): Promise<(options: ProofOptions) => Promise<Proof>> {
  const compiled = compiledDefinition(folder);
  const { definition } = (await import(pathToFileURL(compiled).href)) as {
    readonly definition: { readonly rules?: object };
  };
  if (!definition.rules) {
    throw new CommandRefused('The schema of this project has no rules of permissions: there is nothing to prove.');
  }
  const prover = runtimeOf(folder).resolve(`${RUNTIME}/prove`);
  const extensions = join(dirname(dirname(compiled)), 'extensions/index.js');
  const [own, { proveRules }] = (await Promise.all(
    [extensions, prover].map((path) => import(pathToFileURL(path).href)),
  )) as [
    { readonly default: object },
    { proveRules(definition: object, options: ProofOptions & { readonly extensions: object }): Promise<Proof> },
  ];
  return (options) => proveRules(definition, { ...options, extensions: own.default });
}
