import { expect, test } from 'vitest';
import { listenError } from './listen-error.ts';

const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

test('says what is in the way, where, and which setting to change', () => {
  const of = (code: string, prefix: '' | 'METRICS_') =>
    (listenError(failed(code), { host: '127.0.0.1', port: 80, prefix }) as Error).message;
  expect(of('EADDRINUSE', '')).toBe(
    "Can't listen at 127.0.0.1:80 (EADDRINUSE): another program uses this port. Stop it, or set PORT to another port.",
  );
  expect(of('EACCES', 'METRICS_')).toContain('Set METRICS_PORT to 1024 or more');
  expect(of('EADDRNOTAVAIL', '')).toContain('Set HOST to one of its own');
});

test('leaves other errors as they are', () => {
  const other = failed('EMFILE');
  expect(listenError(other, { host: '127.0.0.1', port: 80, prefix: '' })).toBe(other);
});
