/** The names of error responses, as written in the code of the server: docs/errors.md and the typed client know them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { textOf } from './support/document-examples.ts';
import { root } from './support/project.ts';

const SOURCES = join(root, 'templates/runtime/src');
const NAMED = /(?:HttpError|super)\(\s*(?<status>\d{3}),\s*'(?<name>\w+)'/gu;
/** Errors within answers of GraphQL are the plugin's. */
const GRAPHQL = 'features/graphql/';
/** Of a caller who has closed the connection, and reads no answer. */
const GONE = '499';
/** Of resumable uploads, which are not part of the client. */
const NOT_OF_CLIENT: ReadonlySet<string> = new Set(['LockedError']);

/** `429 RateLimitError` */
function namesInCode(): ReadonlySet<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const found = sources
    .filter((file) => !file.startsWith(GRAPHQL))
    .flatMap((file) =>
      [...readFileSync(join(SOURCES, file), 'utf8').matchAll(NAMED)].map(({ groups }) => ({ ...groups })),
    );
  return new Set(found.filter(({ status }) => status !== GONE).map(({ status, name }) => `${status} ${name}`));
}

const names = namesInCode();

it('stand in docs/errors.md, with their status', () => {
  expect(names).toContain('429 RateLimitError');
  const rows = [...textOf('docs/errors.md').matchAll(/^\|\s*(\d{3}) \| `(\w+)`/gmu)];
  const documented = new Set(rows.map(([, status, name]) => `${status} ${name}`));
  expect([...names].filter((name) => !documented.has(name))).toEqual([]);
});

it('are types of the client', () => {
  const client = readFileSync(join(root, 'templates/client/src/api-error.ts'), 'utf8');
  const bare = [...names].map((name) => name.slice('400 '.length)).filter((name) => !NOT_OF_CLIENT.has(name));
  expect(bare.filter((name) => !client.includes(`readonly ${name}: `))).toEqual([]);
});
