/** Ports for servers that tests start as processes. */
import { type AddressInfo, connect, createServer } from 'node:net';

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}

/** Resolves once something listens, or after 10 seconds. */
export async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 300 && !(await isListening(port)); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
