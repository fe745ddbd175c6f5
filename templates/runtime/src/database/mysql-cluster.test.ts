/** How errors of Galera cluster nodes are classified, and how waiting for a node is shared. */
import { describe, expect, it } from 'vitest';
import { Conflict, type Connection, ConnectionLost, ServerNotReady, ServerUnavailable } from './connection.ts';
import type { Executor } from './executor.ts';
import { catchUpNode, createCatchUp } from './mysql-cluster.ts';
import { mysqlError } from './mysql-errors.ts';

/** An error as thrown by the driver. */
function driverError(errno: number, sqlMessage: string): Error {
  return Object.assign(new Error(sqlMessage), { errno, sqlMessage });
}

describe('errors of a node', () => {
  it('are a conflict if nothing was done', () => {
    expect(mysqlError(driverError(1213, 'Deadlock found when trying to get lock'))).toBeInstanceOf(Conflict);
    expect(mysqlError(driverError(1412, 'Table definition has changed'))).toBeInstanceOf(Conflict);
  });

  it('mean that the node is not ready if it is no part of its cluster', () => {
    const error = mysqlError(driverError(1047, 'WSREP has not yet prepared node for application use'));
    expect(error).toBeInstanceOf(ServerNotReady);
  });

  it('mean an unknown outcome if the node was cut off during a COMMIT', () => {
    expect(mysqlError(driverError(1180, 'Got error 6 "No such device" during COMMIT'))).toBeInstanceOf(ConnectionLost);
  });
});

describe('catching up', () => {
  it('is given up, with the connection, if the node does not catch up', async () => {
    let isOpen = true;
    const connection = {
      query: () => Promise.reject(new ServerUnavailable(driverError(1205, 'Lock wait timeout exceeded'))),
      destroy() {
        isOpen = false;
      },
    };
    await expect(catchUpNode(connection as unknown as Connection)).rejects.toThrow(ServerNotReady);
    expect(isOpen).toBe(false);
  });

  it('takes one statement at a time, which starts after the calls that wait for it', async () => {
    const asked: (() => void)[] = [];
    const node = { get: () => new Promise<undefined>((resolve) => asked.push(() => resolve(undefined))) };
    const catchUp = createCatchUp(node as unknown as Executor);
    const done: string[] = [];
    const come = (name: string): Promise<number> => catchUp().then(() => done.push(name));
    const first = come('first');
    await expect.poll(() => asked.length).toBe(1);
    const others = [come('second'), come('third')];
    asked[0]?.();
    await first;
    expect(done).toStrictEqual(['first']);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.();
    await Promise.all(others);
    expect(done).toStrictEqual(['first', 'second', 'third']);
  });

  it('is tried again by calls after a failure', async () => {
    let tries = 0;
    const get = async (): Promise<undefined> => {
      tries += 1;
      if (tries === 1) throw new Error('cut off');
    };
    const catchUp = createCatchUp({ get } as unknown as Executor);
    await expect(catchUp()).rejects.toThrow('cut off');
    await catchUp();
    expect(tries).toBe(2);
  });
});
