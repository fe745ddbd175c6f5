// Measures one run of the command line on `schema.yaml` in a folder.
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const BIN = fileURLToPath(new URL('../../bin/content-gen.js', import.meta.url));

/** Loaded into the measured process: reports its resource usage at exit. */
const REPORT = `process.on('exit', () => console.error('usage ' + JSON.stringify(process.resourceUsage())));`;
const PRELOAD = ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`];

/**
 * Runs a Node program. Returns seconds, CPU time of all threads in seconds, peak memory in MB, and the last line of
 * output. Throws if the program fails.
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
