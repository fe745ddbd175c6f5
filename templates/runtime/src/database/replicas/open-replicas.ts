/** Opens the replicas that `DATABASE_READ_URLS` names. */
import type { Position } from '../../base/read-point.ts';
import type { Database } from '../database.ts';
import type { DatabaseSettings } from '../database-settings.ts';
import { connectPrimary, postgresServer } from '../postgres.ts';
import type { ReplicaSettings } from '../replica-settings.ts';
import { latestPosition } from './position.ts';
import { createReplica } from './replica.ts';
import { routedDatabase } from './routed-database.ts';
import { type ReplicaNews, watchReplicas } from './usable-replicas.ts';

export interface ReplicatedDatabase {
  readonly database: Database;
  /** The log position after everything done before the call; LATEST if it can't be determined. */
  latestPosition(): Promise<Position>;
}

/** The name of a replica in logs: without user and password. */
function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'replica';
}

export interface ReplicaOptions {
  /** The URL of the primary. */
  readonly url: string;
  readonly settings: DatabaseSettings;
  readonly replicas: ReplicaSettings;
  readonly news: ReplicaNews;
}

/** `primary` with its replicas, which need not be available yet. */
export async function withReplicas(primary: Database, options: ReplicaOptions): Promise<ReplicatedDatabase> {
  const { url, settings, news } = options;
  const { urls, maxDelay } = options.replicas;
  const replicas = urls.map((each) => {
    const server = postgresServer(each, settings);
    return { server, replica: createReplica(nameOf(each), server, settings) };
  });
  const usable = await watchReplicas(replicas, { connectPrimary: connectPrimary(url, settings), maxDelay, news });
  const close = async (): Promise<void> => {
    await Promise.all([usable.stop(), ...replicas.map(({ replica }) => replica.close())]);
  };
  return { database: routedDatabase(primary, usable, close), latestPosition: latestPosition(primary) };
}
