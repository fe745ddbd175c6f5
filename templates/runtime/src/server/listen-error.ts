/** Why a server can't listen, and what to do about it. */

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** What the names of its settings begin with. */
  readonly prefix: '' | 'METRICS_';
}

const ADVICE: Readonly<Record<string, (prefix: string) => string>> = {
  EADDRINUSE: (prefix) => `another program uses this port. Stop it, or set ${prefix}PORT to another port`,
  EACCES: (prefix) => `this user may not use this port. Set ${prefix}PORT to 1024 or more`,
  EADDRNOTAVAIL: (prefix) =>
    `this machine has no such address. Set ${prefix}HOST to one of its own, or to 0.0.0.0 for all of them`,
};

/** The error of `listen` with its address and advice; an error of another kind unchanged. */
export function listenError(error: unknown, { host, port, prefix }: ListenAddress): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  if (advice === undefined) return error;
  return new Error(`Can't listen at ${host}:${port} (${code}): ${advice(prefix)}.`, { cause: error });
}
