/** MariaDB servers of our own, as the nodes of one Galera cluster, in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { clusterPort } from './cluster-port.ts';

const DATABASE = 'cluster';
const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const SERVER = '/usr/sbin/mariadbd';
const INSTALL = '/usr/bin/mariadb-install-db';
const PROGRAMS = [SERVER, INSTALL, '/usr/bin/wsrep_sst_rsync', '/usr/bin/rsync'];
/** How long a node may take to join, in milliseconds. */
const START_TIMEOUT = 60_000;
const PAUSE = 100;

/** What is missing to start a cluster; undefined: nothing. */
export function missingForGalera(): string | undefined {
  return [PROVIDER, ...PROGRAMS].find((path) => !existsSync(path));
}

export interface GaleraNode {
  readonly name: string;
  readonly port: number;
  /** Rows of a query in its database. */
  rows(query: string): Promise<readonly Record<string, unknown>[]>;
  /** Cuts it off from the others, or lets it come back: its clients stay connected. */
  isolate(isIsolated: boolean): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Starts it, and waits until it takes part. */
  start(): Promise<void>;
  /** Waits until it takes part with so many nodes. */
  synced(nodes: number): Promise<void>;
}

export interface GaleraCluster {
  readonly nodes: readonly GaleraNode[];
  /** A URL with the hosts of all nodes, one of them first. */
  url(first: GaleraNode): string;
  close(): Promise<void>;
}

interface Ports {
  readonly sql: number;
  readonly group: number;
  readonly changes: number;
  readonly state: number;
}

async function freePorts(): Promise<Ports> {
  return {
    sql: await clusterPort(),
    group: await clusterPort(),
    changes: await clusterPort(),
    state: await clusterPort(),
  };
}

/** For servers that live for a minute, and notice soon that one of them is gone. */
function configuration(root: string, name: string, ports: Ports, cluster: readonly Ports[]): string {
  const group = cluster.map((each) => `127.0.0.1:${each.group}`).join(',');
  const provider = [
    `gmcast.listen_addr=tcp://127.0.0.1:${ports.group}`,
    `ist.recv_addr=127.0.0.1:${ports.changes}`,
    'gcache.size=128M',
    'evs.keepalive_period=PT0.5S',
    'evs.suspect_timeout=PT2S',
    'evs.inactive_timeout=PT4S',
    'evs.inactive_check_period=PT0.5S',
    'evs.install_timeout=PT4S',
  ];
  const lines = [
    `datadir=${join(root, name)}`,
    `socket=${join(root, name)}.sock`,
    `pid-file=${join(root, name)}.pid`,
    `log-error=${join(root, name)}.log`,
    `port=${ports.sql}`,
    'bind-address=127.0.0.1',
    'skip-name-resolve',
    'max_connections=100',
    'innodb_buffer_pool_size=32M',
    'innodb_flush_log_at_trx_commit=0',
    'innodb_autoinc_lock_mode=2',
    'binlog_format=ROW',
    'wsrep_on=ON',
    `wsrep_provider=${PROVIDER}`,
    'wsrep_cluster_name=content-gen-test',
    `wsrep_cluster_address=gcomm://${group}`,
    `wsrep_node_name=${name}`,
    `wsrep_node_address=127.0.0.1:${ports.group}`,
    'wsrep_sst_method=rsync',
    `wsrep_sst_receive_address=127.0.0.1:${ports.state}`,
    'wsrep_slave_threads=2',
    `wsrep_provider_options="${provider.join(';')}"`,
  ];
  return `[mysqld]\n${lines.join('\n')}\n`;
}

/** Rsync as root gives the files that it receives to nobody. */
const isRoot = process.getuid?.() === 0;
const USER = 'mysql';

async function idsOfUser(): Promise<readonly [number, number]> {
  const [user, group] = await Promise.all(['-u', '-g'].map((flag) => execa('id', [flag, USER])));
  return [Number(user?.stdout), Number(group?.stdout)];
}

async function openNode(root: string, name: string, ports: Ports, cluster: readonly Ports[]): Promise<GaleraNode> {
  const file = join(root, `${name}.cnf`);
  const url = (database: string): string => `mysql://root@127.0.0.1:${ports.sql}/${database}`;
  await writeFile(file, configuration(root, name, ports, cluster));
  const [uid, gid] = isRoot ? await idsOfUser() : [];
  const as = uid === undefined || gid === undefined ? {} : { uid, gid };
  const isFirst = ports === cluster[0];
  const data = join(root, name);
  if (isFirst) {
    const flags = ['--auth-root-authentication-method=normal', '--skip-test-db'];
    await execa(INSTALL, ['--no-defaults', `--datadir=${data}`, ...flags], as);
  } else {
    // The others get theirs from it.
    await mkdir(data);
    if (uid !== undefined && gid !== undefined) await chown(data, uid, gid);
  }
  let server: ChildProcess | undefined;

  const query = async (text: string, database: string): Promise<readonly Record<string, unknown>[]> => {
    const connection = await mysql.createConnection({ uri: url(database), connectTimeout: 5000 });
    connection.on('error', () => undefined);
    try {
      const [rows] = await connection.query<RowDataPacket[]>(text);
      return rows;
    } finally {
      connection.destroy();
    }
  };
  const state = async (): Promise<string> => {
    const rows = await query("SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'wsrep_ready')", 'mysql');
    return rows.map((row) => String(row['Value'])).join();
  };
  const synced: GaleraNode['synced'] = async (nodes) => {
    const deadline = performance.now() + START_TIMEOUT;
    for (;;) {
      const now = await state().catch(String);
      if (now === `${nodes},ON`) return;
      if (performance.now() > deadline) {
        throw new Error(`${name} is ${now}:\n${(await readFile(join(root, `${name}.log`), 'utf8')).slice(-4000)}`);
      }
      await sleep(PAUSE);
    }
  };
  return {
    name,
    port: ports.sql,
    rows: (text) => query(text, DATABASE),
    synced,
    isolate: async (isIsolated) =>
      void (await query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${isIsolated ? 1 : 0}'`, 'mysql')),
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
    async start() {
      const begins = isFirst && server === undefined;
      const args = [`--defaults-file=${file}`, ...(begins ? ['--wsrep-new-cluster'] : [])];
      server = spawn(SERVER, args, { stdio: 'ignore', cwd: root, ...as });
      if (begins) {
        await synced(1);
        await query(`CREATE DATABASE ${DATABASE}`, 'mysql');
      }
    },
  };
}

/** A cluster of so many nodes, all of which take part. */
export async function openGaleraCluster(count: number): Promise<GaleraCluster> {
  const root = await mkdtemp(join(tmpdir(), 'content-gen-galera-'));
  await chmod(root, 0o755);
  if (isRoot) await chown(root, ...(await idsOfUser()));
  const ports: Ports[] = [];
  for (let index = 0; index < count; index += 1) ports.push(await freePorts());
  const nodes = await Promise.all(ports.map((own, index) => openNode(root, `node${index}`, own, ports)));
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    for (const [index, node] of nodes.entries()) {
      await node.start();
      await node.synced(index + 1);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nodes,
    url(first) {
      const hosts = [first, ...nodes.filter((node) => node !== first)].map(({ port }) => `127.0.0.1:${port}`);
      return `mysql://root@${hosts.join(',')}/${DATABASE}`;
    },
    close,
  };
}
