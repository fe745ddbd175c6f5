// One run of the command line on the file schema.yaml of a folder: how long it takes, and what it uses.
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const BIN = fileURLToPath(new URL('../../bin/content-gen.js', import.meta.url));

/** Loaded into the measured process: tells what it used when it ends. */
const REPORT = `process.on('exit', () => console.error('usage ' + JSON.stringify(process.resourceUsage())));`;
const PRELOAD = ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`];

/**
 * Runs a program of Node's. Answers seconds, processor time of all threads in seconds, the peak of memory in MB and the last
 * line of what was printed. Throws where the program fails.
 */
export async function measureProgram(args, cwd) {
  const start = performance.now();
  const { exitCode, stdout, stderr } = await execa(process.execPath, [...PRELOAD, ...args], { cwd, reject: false });
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`.slice(0, 2000));
  const seconds = (performance.now() - start) / 1000;
  const usage = JSON.parse(/^usage (.*)$/m.exec(stderr)[1]);
  return {
    seconds,
    user: usage.userCPUTime / 1e6,
    system: usage.systemCPUTime / 1e6,
    memory: usage.maxRSS / 1024,
    said: stdout.trim().split('\n').at(-1),
  };
}

/** Builds `schema.yaml` of `cwd` into `project/` there. */
export function measureBuild(cwd) {
  return measureProgram([BIN, 'build', 'schema.yaml', '--out', 'project'], cwd);
}
