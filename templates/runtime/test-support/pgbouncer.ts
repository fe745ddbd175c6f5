/** A real PgBouncer in transaction mode, before PostgreSQL on this machine. */
import { spawn, spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWanted } from './engines.ts';
import { freePort, untilListening } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Prints why it is left out; in CI that is an error, unless PostgreSQL is left out there. */
export function hasPgBouncer(): boolean {
  if (!isWanted('postgres')) return false;
  if (spawnSync('pgbouncer', ['--version']).status === 0) return true;
  if (process.env['CI'] === 'true') throw new Error('pgbouncer is not installed');
  console.log('PgBouncer is not tested: it is not installed');
  return false;
}

/** For the database of a URL of PostgreSQL without a password. `connections`: to the server, at most. */
export async function openPgBouncer(target: string, connections: number) {
  const { hostname, port: targetPort, username, pathname } = new URL(target);
  const folder = await temporaryFolder();
  await chmod(folder.path, 0o755);
  const [port, file] = [await freePort(), join(folder.path, 'pgbouncer.ini')];
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${targetPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await untilListening(port);
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async close(): Promise<void> {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), 2000).unref();
      await ended;
      await folder.remove();
    },
  };
}
