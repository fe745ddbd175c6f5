/** PostgreSQL servers of our own, with streaming replication between them, in a temporary folder. */
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { Client } from 'pg';
import { clusterPort } from './cluster-port.ts';

const DATABASE = 'cluster';
const RELEASES = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL that is installed with what makes clusters; undefined: there is none. */
export function postgresPrograms(): string | undefined {
  const releases = existsSync(RELEASES) ? readdirSync(RELEASES).sort((a, b) => Number(b) - Number(a)) : [];
  return releases.map((name) => join(RELEASES, name, 'bin')).find((bin) => existsSync(join(bin, 'pg_basebackup')));
}

export interface PostgresNode {
  readonly name: string;
  readonly port: number;
  /** Rows of a query in its database. */
  rows(query: string): Promise<readonly Record<string, unknown>[]>;
  /**
   * How often it has run statements that name this table, since it was started or had crashed. Counted as they end: the counts of
   * pg_stat_user_tables are reported up to ten seconds later.
   */
  statementsOf(table: string): Promise<number>;
  /** Changes a setting of the server that needs no restart. */
  set(name: string, value: string): Promise<void>;
  /** Ends all its processes as a crash does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Has its processes stand still: connections stay, and nothing answers. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  promote(): Promise<void>;
  /** Has it follow another one from now on. */
  follow(other: PostgresNode): Promise<void>;
}

export interface PostgresCluster {
  readonly nodes: readonly PostgresNode[];
  /** A URL with the hosts of these nodes. */
  url(...nodes: readonly PostgresNode[]): string;
  close(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. */
async function run(bin: string, program: string, args: readonly string[], folder: string): Promise<string> {
  const path = join(bin, program);
  const [command = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', path, ...args] : [path, ...args];
  // Servers would keep a pipe open.
  const { stdout } = await execa(command, rest, { cwd: folder, stdio: program === 'pg_ctl' ? 'ignore' : 'pipe' });
  return stdout ?? '';
}

function connectionOf(port: number, name: string): string {
  return `host=127.0.0.1 port=${port} user=root application_name=${name}`;
}

function openNode(bin: string, root: string, name: string, port: number): PostgresNode {
  const data = join(root, name);
  const control = (...args: readonly string[]) =>
    run(bin, 'pg_ctl', ['-D', data, '-w', '-l', `${data}.log`, ...args], root);
  const rows: PostgresNode['rows'] = async (query) => {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'root',
      database: DATABASE,
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(query)).rows;
    } finally {
      await client.end();
    }
  };
  const statementsOf: PostgresNode['statementsOf'] = async (table) => {
    const counted = `SELECT coalesce(sum(calls), 0)::int AS count FROM pg_stat_statements WHERE query LIKE '%"${table}"%'`;
    return Number((await rows(counted))[0]?.['count']);
  };
  const processes = async (): Promise<readonly number[]> => {
    const pid = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0] ?? '';
    const { stdout } = await execa('ps', ['-o', 'pid=', '--ppid', pid], { reject: false });
    return [Number(pid), ...stdout.split('\n').filter(Boolean).map(Number)];
  };
  const signal = async (kind: NodeJS.Signals): Promise<void> => {
    for (const pid of await processes()) {
      try {
        process.kill(pid, kind);
      } catch {
        // It has ended by itself.
      }
    }
  };
  const set: PostgresNode['set'] = async (setting, value) => {
    await rows(`ALTER SYSTEM SET ${setting} = '${value}'`);
    await rows('SELECT pg_reload_conf()');
  };
  return {
    name,
    port,
    rows,
    statementsOf,
    set,
    kill: () => signal('SIGKILL'),
    async start() {
      // What a killed server has left of itself would be taken for another one.
      await rm(join(data, 'postmaster.pid'), { force: true });
      await control('start');
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    promote: async () => void (await control('promote')),
    follow: (other) => set('primary_conninfo', connectionOf(other.port, name)),
  };
}

/** Settings for servers that live for a minute: what they have written needs to survive them, not the machine. */
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'fsync = off',
  'max_connections = 80',
  'shared_buffers = 16MB',
  'wal_level = replica',
  'max_wal_senders = 10',
  'wal_keep_size = 256MB',
  'hot_standby = on',
  'wal_receiver_timeout = 2s',
  'wal_retrieve_retry_interval = 200ms',
  "shared_preload_libraries = 'pg_stat_statements'",
];

/** A primary and replicas of it. A commit is done once one replica has it. */
export async function openPostgresCluster(bin: string, replicas: number): Promise<PostgresCluster> {
  const root = await mkdtemp(join(tmpdir(), 'content-gen-cluster-'));
  await chmod(root, 0o755);
  if (isRoot) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => execa('id', [flag, 'postgres'])));
    const [user, group] = ids.map(({ stdout }) => Number(stdout));
    await chown(root, user ?? 0, group ?? 0);
  }
  const nodes: PostgresNode[] = [];
  for (let index = 0; index <= replicas; index += 1) {
    const [name, port] = [`node${index}`, await clusterPort()];
    const node = openNode(bin, root, name, port);
    const data = join(root, name);
    const first = nodes[0];
    if (first) {
      const from = ['-d', connectionOf(first.port, name), '-D', data, '-R', '-X', 'stream', '-c', 'fast'];
      await run(bin, 'pg_basebackup', from, root);
    } else {
      await run(bin, 'initdb', ['-D', data, '-U', 'root', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'], root);
    }
    const settings = [...SETTINGS, `port = ${port}`, `unix_socket_directories = '${root}'`];
    await appendFile(join(data, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
    await node.start();
    if (!first) {
      await run(bin, 'createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'root', DATABASE], root);
      await node.rows('CREATE EXTENSION pg_stat_statements');
    }
    nodes.push(node);
  }
  await nodes[0]?.set(
    'synchronous_standby_names',
    `ANY 1 (${nodes
      .slice(1)
      .map(({ name }) => name)
      .join(', ')})`,
  );
  return {
    nodes,
    url: (...of) => `postgres://root@${of.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${DATABASE}`,
    async close() {
      for (const node of nodes) await node.kill().catch(() => undefined);
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
