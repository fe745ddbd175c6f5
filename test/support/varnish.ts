/** A real Varnish in front of a server, with the configuration that the documentation prints. */
import { spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, untilListening } from '../../templates/runtime/test-support/free-port.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';

const ENVIRONMENT = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/** Prints why it is left out; in CI that is an error. */
export function hasVarnish(): boolean {
  if (spawnSync('varnishd', ['-V'], { env: ENVIRONMENT }).status === 0) return true;
  if (process.env['CI'] === 'true') throw new Error('varnish and varnish-modules are not installed');
  console.log('Varnish is not tested: it is not installed');
  return false;
}

/** The VCL of docs/cache-tags.md. */
async function documentedVcl(): Promise<string> {
  const text = await readFile(new URL('../../docs/cache-tags.md', import.meta.url), 'utf8');
  const vcl = /```vcl\n(?<vcl>.*?)```/su.exec(text)?.groups?.['vcl'];
  if (vcl === undefined) throw new Error('docs/cache-tags.md has no VCL');
  return vcl;
}

export interface Varnish {
  readonly url: string;
  close(): Promise<void>;
}

/** `port`: that of Varnish; `backend`: that of the server, on this machine. */
export async function openVarnish(port: number, backend: number): Promise<Varnish> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'default.vcl');
  const vcl = await documentedVcl();
  const own = vcl.replace(/\.port = "\d+"/u, `.port = "${backend}"`);
  if (own === vcl) throw new Error('the VCL names no port of the server');
  await writeFile(file, own);
  const control = await freePort();
  const child = spawn(
    'varnishd',
    [
      '-F',
      '-j',
      'none',
      '-n',
      folder.path,
      '-f',
      file,
      '-a',
      `127.0.0.1:${port}`,
      '-T',
      `127.0.0.1:${control}`,
      '-s',
      'malloc,64m',
    ],
    { env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let problems = '';
  child.stderr.on('data', (part: Buffer) => void (problems += part.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await Promise.race([untilListening(port), ended]);
  if (child.exitCode !== null) throw new Error(`varnishd has ended: ${problems}`);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}
