/** Redis on this machine. */
import { connect } from 'node:net';

export const REDIS_URL = 'redis://127.0.0.1:6379/';

/** Says why it is left out. It is optional, so that it need not be there in CI either. */
export async function hasRedis(): Promise<boolean> {
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect(6379, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (answer) => {
      resolve(answer.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
  });
  if (!isThere) console.log('Redis is not tested: there is none at 127.0.0.1:6379');
  return isThere;
}
