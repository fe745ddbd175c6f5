/** URLs with several servers. */
import { expect, it } from 'vitest';
import { type Connection, ConnectionLost, ServerUnavailable } from './connection.ts';
import { DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';
import { openDatabase } from './open-database.ts';
import { hostUrls } from './hosts.ts';
import { connectToWriter } from './postgres-hosts.ts';

it('becomes a URL for each host, with everything else in it', () => {
  expect(
    hostUrls('postgres://me:a%2Cb@first:5433,second/name?target_session_attrs=read-write&sslmode=require'),
  ).toEqual(['postgres://me:a%2Cb@first:5433/name?sslmode=require', 'postgres://me:a%2Cb@second/name?sslmode=require']);
});

it('is left unchanged with one host, whatever is in its password', () => {
  for (const url of ['postgres://me:a,b@first:5433/name?x=1,2', 'postgres:///name?host=/run', 'postgres://first/a,b']) {
    expect(hostUrls(url)).toEqual([url]);
  }
});

it('that lead nowhere at the start say what to do', async () => {
  const settings = { ...DEFAULT_DATABASE_SETTINGS, startTimeout: 0 };
  await expect(openDatabase('postgres://me:secret@127.0.0.1:1/name', settings)).rejects.toThrow(
    /ECONNREFUSED 127\.0\.0\.1:1\. Start the database, or correct its address in DATABASE_URL\.$/u,
  );
});

/** A server that reports its role. */
function server(standby: 0 | 1, closed: string[], name: string): () => Promise<Connection> {
  const connection = {
    query: async () => ({ rows: [{ standby }], changes: 0 }),
    close: async () => void closed.push(name),
    name,
  };
  return async () => connection as unknown as Connection;
}

const dead = async (): Promise<Connection> => Promise.reject(new ConnectionLost(new Error('refused')));

it('leads to the server that can be written to, whichever it is', async () => {
  const closed: string[] = [];
  const silent = (): Promise<Connection> => new Promise(() => undefined);
  const connect = connectToWriter([dead, silent, server(1, closed, 'replica'), server(0, closed, 'primary')]);
  expect(await connect()).toMatchObject({ name: 'primary' });
  expect(closed).toEqual(['replica']);
});

it('leads nowhere for now if all servers are replicas or gone', async () => {
  await expect(connectToWriter([dead, server(1, [], 'replica')])()).rejects.toThrow(ServerUnavailable);
});
