/** Parsing of environment variables. */
import { expect, test } from 'vitest';
import {
  anyText,
  defaultsOf,
  flag,
  listOf,
  matching,
  oneOf,
  optional,
  type ReadText,
  readVariables,
  urlOf,
  webUrl,
  wholeNumber,
  withDefault,
} from './environment.ts';

function read<Value>(variable: ReadText<Value>, text: string): unknown {
  const result = variable(text);
  return result.ok ? result.value : result.message;
}

test('each kind of variable is parsed, or its message says what it must be', () => {
  expect(read(anyText, ' x ')).toBe(' x ');
  expect(read(matching(/^a+$/u, 'must be a'), 'aa')).toBe('aa');
  expect(read(matching(/^a+$/u, 'must be a'), 'b')).toBe('must be a');
  expect(read(flag, 'false')).toBe(false);
  expect(read(flag, 'yes')).toBe('must be "true" or "false"');
  expect(read(oneOf(['info', 'warn']), 'warn')).toBe('warn');
  expect(read(oneOf(['info', 'warn']), 'toString')).toBe('must be one of info, warn');
});

test('whole numbers have digits and bounds', () => {
  const number = wholeNumber(1, 10);
  expect(read(number, '10')).toBe(10);
  expect(read(number, '11')).toBe('must be from 1 to 10');
  expect(read(number, '0')).toBe('must be from 1 to 10');
  for (const text of ['-1', '1.5', '1e1', ' 1', '0x1', '1'.repeat(16)]) {
    expect(read(number, text)).toBe('must be a number');
  }
});

test('URLs must have an allowed protocol', () => {
  const web = webUrl('must be a URL');
  expect(read(web, ' https://example.org/a ')).toBe('https://example.org/a');
  for (const text of [
    'example.org',
    'http:example.org',
    'ftp://example.org',
    'javascript:alert(1)',
    'https://',
    'https://exa\nmple.org',
  ]) {
    expect(read(web, text)).toBe('must be a URL');
  }
  expect(read(urlOf(/^smtps?:$/u, 'must be smtp'), 'smtps://a:b@mail:465')).toBe('smtps://a:b@mail:465');
  expect(read(urlOf(/^smtps?:$/u, 'must be smtp'), 'https://mail')).toBe('must be smtp');
});

test('a list is valid if each of its parts is', () => {
  expect(read(listOf(flag), 'true, false')).toEqual([true, false]);
  expect(read(listOf(flag), 'true,,false')).toBe('must be "true" or "false"');
});

test('all invalid variables are reported, and absent or empty ones have their defaults', () => {
  const variables = {
    PORT: withDefault(wholeNumber(0, 9), 1),
    DEBUG: withDefault(flag, true),
    NAME: optional(anyText),
  };
  const defaults = { PORT: 1, DEBUG: true, NAME: undefined };
  expect(defaultsOf(variables)).toEqual(defaults);
  expect(readVariables(variables, { PORT: '', OTHER: 'x' })).toEqual({ values: defaults, problems: [] });
  expect(readVariables(variables, { PORT: '5', NAME: 'n' }).values).toEqual({ PORT: 5, DEBUG: true, NAME: 'n' });
  expect(readVariables(variables, { PORT: 'x', DEBUG: '1', NAME: 'n' })).toEqual({
    values: undefined,
    problems: ['PORT must be a number', 'DEBUG must be "true" or "false"'],
  });
});
