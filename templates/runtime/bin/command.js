/**
 * Runs a command of the project: `npm run server -- token list`. It runs what is compiled, or the sources where those are
 * newer and tsx is installed; `start` only what is compiled. Plain JavaScript, as it has to run before anything is compiled.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

// An installed package is run by npm, in the folder of the project.
const isInstalled = /\/node_modules\//u.test(import.meta.url);
const root = isInstalled ? pathToFileURL(`${process.cwd()}/`) : new URL('../../', import.meta.url);
const [name, ...args] = process.argv.slice(2);
const isStart = name === 'start';
const module = isStart ? 'main' : 'generated/command';
/** What the module is given of the arguments: which of the commands it is to run, and how. */
const passed = isStart ? [] : process.argv.slice(2);
const compiled = fileURLToPath(new URL(`dist/${module}.js`, root));
const source = fileURLToPath(new URL(`src/${module}.ts`, root));

function changedAt(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

/** When the newest of the generated sources was written; 0 where there are none, as in an image. */
function sourcesChangedAt() {
  const folder = fileURLToPath(new URL('src/generated/', root));
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((entry) => changedAt(`${entry.parentPath ?? entry.path}/${entry.name}`)));
}

function compiledAt() {
  // The compiler touches this at each run, and the rest only where it differs. With --noEmit, it only lists what it would write.
  const info = fileURLToPath(new URL('dist/.tsbuildinfo', root));
  const isWritten = existsSync(info) && !readFileSync(info, 'utf8').includes('"affectedFilesPendingEmit"');
  return Math.max(changedAt(compiled), isWritten ? changedAt(info) : 0);
}

function findTsx() {
  try {
    return pathToFileURL(createRequire(new URL('package.json', root)).resolve('tsx')).href;
  } catch {
    return undefined;
  }
}

function runSources(tsx) {
  const child = spawn(process.execPath, ['--conditions=content-gen-source', '--import', tsx, source, ...passed], {
    stdio: 'inherit',
  });
  // Signals of a terminal reach both; those of a supervisor only this one.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

function refuse() {
  const how = isStart ? 'npm run build, or npm run dev while you work' : 'npm run build';
  process.stderr.write(`This project is not compiled yet. Run first: ${how}\n`);
  process.exitCode = 1;
}

/** `start` has no arguments. Without this, `npm start -- --port 80` would listen at another port than it was told. */
function refuseArguments() {
  const isHelp = args.includes('--help') || args.includes('-h');
  const about =
    'npm start runs what `npm run build` has compiled. Its settings are environment variables: see .env.example.\n';
  if (isHelp) process.stdout.write(about);
  else process.stderr.write(`start takes no arguments, such as ${args.join(' ')}\n\n${about}`);
  process.exitCode = isHelp ? 0 : 2;
}

const isCompiled = existsSync(compiled);
const isStale = existsSync(source) && (!isCompiled || sourcesChangedAt() > compiledAt());
const tsx = isStale && !isStart ? findTsx() : undefined;
if (isStale && isStart && isCompiled && args.length === 0) {
  process.stderr.write(
    'Warning: src/generated/ is newer than what is compiled in dist/. To compile it: npm run build\n',
  );
}
if (tsx !== undefined) {
  runSources(tsx);
} else if (isCompiled && isStart && args.length > 0) {
  refuseArguments();
} else if (isCompiled) {
  process.argv.splice(1, Infinity, compiled, ...passed);
  await import(pathToFileURL(compiled).href);
} else {
  refuse();
}
