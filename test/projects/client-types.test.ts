/** The types of the client: what they accept, and what the compiler says of a mistake in a query. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build } from '../../src/build.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { root } from '../support/project.ts';

/** Where several forms are allowed, the compiler lists them and proposes none. */
const NOT_SAID = 'does not exist';

/** A query → the name in it that is wrong, and the one that is meant. */
const MISTAKES: readonly (readonly [query: string, wrong: string, meant: string])[] = [
  [`fields: ['titel']`, `'titel'`, 'title'],
  [`sort: 'titel'`, 'sort', 'title'],
  [`sort: ['title:dsc']`, `'title:dsc'`, 'title:desc'],
  [`filters: { titel: 'x', slug: 'y' }`, 'titel', 'title'],
  [`filters: { author: { nam: 'x' } }`, 'nam', NOT_SAID],
  [`filters: { title: { $contain: 'x' } }`, '$contain', NOT_SAID],
  [`filters: { $or: [{ titel: 'x' }] }`, 'titel', 'title'],
  [`filters: { topics: { $none: { nam: 'x' } } }`, 'nam', NOT_SAID],
  [`filters: { author: { $none: { name: 'x' } } }`, '$none', NOT_SAID],
  [`populate: 'autor'`, 'populate', 'author'],
  [`populate: ['autor']`, `'autor'`, 'author'],
  [`populate: { autor: true }`, 'autor', 'author'],
  [`populate: { author: true, topic: true }`, 'topic', 'topics'],
  [`populate: { author: { fields: ['nam'] } }`, `'nam'`, 'name'],
  [`populate: { author: { field: ['name'] } }`, 'field', 'fields'],
  [`populate: { author: { filters: { nam: 'x', name: 'y' } } }`, 'nam', 'name'],
  [`populate: { author: { populate: ['artikles'] } }`, `'artikles'`, 'articles'],
  [`populate: { author: { populate: { articles: { populate: { topic: true } } } } }`, 'topic', 'topics'],
  [`populate: { blocks: { on: { 'blocks.hiro': true } } }`, `'blocks.hiro'`, NOT_SAID],
  [`populate: { blocks: { on: { 'blocks.hero': { populate: ['pictur'] } } } }`, `'pictur'`, 'picture'],
  [`populates: ['author']`, 'populates', 'populate'],
];

const COMPILERS = ['typescript-7.0', 'typescript', 'typescript-5.9'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** A frontend in the folder `name`, with the client of a server of this schema. */
async function frontend(name: string, schema: string): Promise<void> {
  const out = join(folder.path, `${name}-project`);
  const file = join(folder.path, `${name}.yaml`);
  writeFileSync(file, schema);
  await build({ schema: [file], cwd: root, out, mode: 'write', diff: false, overwrite: [], onWait: () => {} });
  cpSync(join(out, 'client'), join(folder.path, name, 'client'), { recursive: true });
  writeFileSync(join(folder.path, name, 'package.json'), '{ "type": "module" }');
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const schema = readFileSync(join(root, 'fixtures/magazine/schema.yaml'), 'utf8');
  await frontend('v4', schema);
  await frontend('v5', schema.replace('maxPopulateDepth: 8', '$&, format: v5'));
  await frontend('waiting', `${schema}\nevents: true\n`);
});
afterAll(() => folder.remove());

/** What the compiler prints of a file of a frontend, as code for browsers. */
async function compile(compiler: string, name: string, file: string): Promise<string> {
  const own = join(folder.path, name);
  const config = join(own, 'tsconfig.json');
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noEmit: true,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
  return (await execa('node', [tsc, '-p', config, '--pretty', 'false'], { cwd: own, reject: false })).stdout;
}

const FRONTENDS = [
  ['v4', 'frontend.ts'],
  ['v5', 'frontend-v5.ts'],
] as const;

it.each(COMPILERS)('%s compiles frontends, and finds their mistakes', async (compiler) => {
  for (const [name, file] of FRONTENDS) {
    cpSync(join(root, 'fixtures/magazine', file), join(folder.path, name, file));
    expect(await compile(compiler, name, file)).toBe('');
  }
});

const WAITING = `
import { createClient } from './client/index.js';
const api = createClient({ baseUrl: '' });
for await (const change of api.events({ types: ['article', 'author'] })) {
  if (change.event === 'reset') continue;
  if (change.event === 'entry.delete') {
    const id: number = change.entry.id;
    // @ts-expect-error: only the ids are left.
    console.log(id, change.entry.title);
  } else if (change.event === 'entry.publish' && change.model === 'article') {
    const title: string | null = change.entry.title;
    // @ts-expect-error: a number or null.
    const rating: string = change.entry.rating;
    console.log(title, rating);
  }
  // @ts-expect-error: nothing was asked of files.
  console.log(change.media);
}
for await (const change of api.events()) if (change.event === 'media.create') console.log(change.media.url);
// @ts-expect-error: not a type.
api.events({ types: ['artikel'] });
`;

it.each(COMPILERS)('%s tells events apart by their names and types', async (compiler) => {
  writeFileSync(join(folder.path, 'waiting', 'waiting.ts'), WAITING);
  expect(await compile(compiler, 'waiting', 'waiting.ts')).toBe('');
});

const BOTH = COMPILERS.flatMap((compiler) => FRONTENDS.map(([name]) => [compiler, name] as const));

it.each(BOTH)('%s reports a mistake where it is, with what may have been meant: %s', async (compiler, name) => {
  const lines = MISTAKES.map(([query]) => `await api.articles.find({ ${query} });`);
  const code = ["import type { Client } from './client/index.js';", 'declare const api: Client;', ...lines];
  writeFileSync(join(folder.path, name, 'mistakes.ts'), code.join('\n'));
  const output = await compile(compiler, name, 'mistakes.ts');
  const found = [
    ...output.matchAll(/^mistakes\.ts\((?<line>\d+),(?<column>\d+)\): error TS\d+: (?<message>.*(?:\n .*)*)/gmu),
  ];
  const reported = found.map(({ groups }) => {
    const { line = '', column = '', message = '' } = groups ?? {};
    const at = code[Number(line) - 1]?.slice(Number(column) - 1) ?? '';
    const wrong = /^(?:'[^']*'|[\w$]+)/u.exec(at)?.[0];
    const meant = /Did you mean (?:to write )?'"?(?<name>[^'"]+)"?'\?/u.exec(message)?.groups?.['name'];
    const said = message.includes(NOT_SAID) ? NOT_SAID : message;
    return `${Number(line) - 2}: ${wrong}, ${meant ?? said}`;
  });
  expect(reported).toEqual(MISTAKES.map(([, wrong, meant], index) => `${index + 1}: ${wrong}, ${meant}`));
});
