import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { readableLine } from './readable-log.ts';

function textOf(line: object): string {
  return stripVTControlCharacters(readableLine(JSON.stringify(line))).replace(/^\d\d:\d\d:\d\d /, '');
}

it('N13: shows a request in short form, and other lines with their members', () => {
  const time = '2026-01-31T12:00:00.000Z';
  const request = { requestId: 'x', method: 'GET', path: '/api/articles', status: 404, milliseconds: 4.2 };
  expect(textOf({ level: 30, time, ...request, msg: 'request' })).toBe('info  GET    /api/articles 404 4.2 ms\n');
  expect(textOf({ level: 40, time, migration: '0002_x', msg: 'not applied' })).toBe(
    'warn  not applied migration=0002_x\n',
  );
});

it('shows control characters of values by their codes', () => {
  const line = { level: 40, time: 0, err: { message: 'no \u001b[2J' }, file: 'a\u009b', msg: 'refused' };
  expect(textOf(line)).toBe('warn  refused file=a\\u009b\n    no \\u001b[2J\n');
});

it('shows the stack of an error on separate lines, and lines that are not JSON unchanged', () => {
  const line = { level: 50, time: 0, err: { message: 'broken', stack: 'Error: broken\n  at x.ts:1' }, msg: 'failed' };
  expect(textOf(line)).toBe('error failed\n    Error: broken\n      at x.ts:1\n');
  expect(readableLine('plain text\n')).toBe('plain text\n');
});
