/** The first hour at the command line: a new project, what a type becomes, and a build that follows the schema. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { outsideNote } from '../src/cli/installed-from.ts';
import { main } from '../src/cli/main.ts';
import { temporaryFolder, tree } from './support/output-project.ts';

interface Running {
  readonly ended: Promise<number>;
  readonly output: () => string;
  readonly stop: () => void;
}

function start(cwd: string, args: readonly string[], tty = false): Running {
  let output = '';
  let stop = () => {};
  const io = {
    stdout: { write: (text: string) => (output += text), isTTY: tty },
    stderr: { write: (text: string) => (output += text), isTTY: tty },
    cwd,
    env: {},
    onStop: (given: () => void) => (stop = given),
  };
  return { ended: main(args, io), output: () => output, stop: () => stop() };
}

async function run(cwd: string, ...args: readonly string[]) {
  const running = start(cwd, args);
  return { code: await running.ended, output: running.output() };
}

function json(cwd: string, path: string) {
  return JSON.parse(readFileSync(join(cwd, path), 'utf8'));
}

describe('init', () => {
  it('makes a project that a build finds as it is', async () => {
    const cwd = temporaryFolder();
    const made = await run(cwd, 'init', 'my-blog');
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Next: cd my-blog && npm install') });
    // The tests run content-gen from its repository, which is not in the project.
    expect(made.output).toMatch(/outside of the project\. CI and Docker don't have that.*: npm pack \.\./);
    const project = join(cwd, 'my-blog');
    expect(json(project, 'package.json')).toMatchObject({
      name: 'my-blog',
      scripts: { dev: 'content-gen build --watch --serve', start: expect.any(String) },
      devDependencies: { 'content-gen': expect.stringMatching(/^file:/) },
    });
    expect(readFileSync(join(project, 'schema.yaml'), 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\//);
    expect(json(project, '.vscode/extensions.json').recommendations).toContain('redhat.vscode-yaml');
    expect(await run(project, 'build')).toEqual({
      code: 0,
      output: expect.stringMatching(/^The project is up to date: /),
    });
    expect(await run(project, 'init')).toMatchObject({ code: 3, output: expect.stringContaining('init/project') });
  });

  it('says how to keep a packed file in the project, where CI and Docker find it', () => {
    expect(outsideNote('file:../content-gen-0.2.0.tgz')).toMatch(
      /: cp \.\.\/content-gen-0\.2\.0\.tgz \. && npm install --save-dev \.\/content-gen-0\.2\.0\.tgz\n$/,
    );
    for (const inside of ['file:content-gen-0.2.0.tgz', '^0.2.0', 'git+ssh://git@example.org/tools/content-gen.git']) {
      expect(outsideNote(inside)).toBe('');
    }
  });

  it('adds what is missing to the package.json of `npm init`, and takes the schema that is there', async () => {
    const cwd = temporaryFolder();
    const own = {
      name: '@acme/site',
      type: 'commonjs',
      scripts: { test: 'echo "Error: no test specified" && exit 1', lint: 'mine' },
      devDependencies: { 'content-gen': '1.2.3' },
    };
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(own));
    writeFileSync(join(cwd, 'schema.yaml'), 'contentTypes: { note: { attributes: { text: { type: text } } } }\n');
    const { code, output } = await run(cwd, 'init', '--database', 'postgres');
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/package\.json: added .*type/) });
    expect(json(cwd, 'package.json')).toMatchObject({
      name: '@acme/site',
      type: 'module',
      scripts: { lint: 'mine', test: expect.stringContaining('node'), dev: expect.stringContaining('content-gen') },
      devDependencies: { 'content-gen': '1.2.3', typescript: expect.any(String) },
    });
    expect(tree(cwd)['src/generated/routes/note.ts']).toBeDefined();
  });

  it('writes nothing where it can not write all', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'src/main.ts'), '// mine\n');
    const before = tree(cwd);
    expect(await run(cwd, 'init')).toMatchObject({
      code: 3,
      output: expect.stringContaining('src/main.ts already exists'),
    });
    expect(tree(cwd)).toEqual(before);
  });
});

describe('explain', () => {
  it('says what an attribute becomes, with requests to copy', async () => {
    const cwd = temporaryFolder();
    await run(cwd, 'init');
    const tags = await run(cwd, 'explain', 'article.tags');
    expect(tags.code).toBe(0);
    for (const part of [
      'manyToMany: an ordered list of tag; the other side is tag.articles',
      'Table articles_tags_links',
      '→ tags, on delete cascade',
      'tag.find',
      `"tags":{"connect":[1]}`,
      `"position":{"before":1}`,
    ]) {
      expect(tags.output).toContain(part);
    }
    expect(tags.output).toMatch(/^ *GET +\/api\/articles +article\.find +public, authenticated, admin, editor$/mu);
    const schema = join(cwd, 'schema.yaml');
    const written = readFileSync(schema, 'utf8');
    writeFileSync(schema, written.replace(/^contentTypes:/mu, 'api: { format: v5 }\ncontentTypes:'));
    const inV5 = (await run(cwd, 'explain', 'article.tags')).output;
    expect(inV5).toMatch(/"tags":\{"connect":\["[a-z][a-z0-9]{23}"\]\}/u);
    expect(inV5).toMatch(/"connect":\[\{"documentId":"[a-z0-9]{24}","position":\{"before":"[a-z0-9]{24}"\}\}\]/u);
    expect(inV5).toMatch(/filters\[tags\]\[documentId\]\[\$eq\]=[a-z0-9]{24}/u);
    writeFileSync(schema, written);
    const target = 'target: tag, inversedBy: articles';
    const text = readFileSync(schema, 'utf8');
    writeFileSync(schema, text.replace(target, `${target}, displayName: Keywords, description: At most five.`));
    expect((await run(cwd, 'explain', 'article.tags')).output).toMatch(/Keywords\n\s*At most five\.\n/u);
    const type = await run(cwd, 'explain', 'homepage');
    expect(type.output).toContain('PUT');
    expect(type.output).toContain('http://127.0.0.1:1337/api/homepage?populate=*');
    const wrong = await run(cwd, 'explain', 'article.tag');
    expect(wrong).toMatchObject({ code: 2, output: expect.stringContaining('did you mean `tags`?') });
    const component = await run(cwd, 'explain', 'shared.seo');
    expect(component).toMatchObject({
      code: 2,
      output: expect.stringContaining('this is a component; explain an attribute that uses it: `article.seo`'),
    });
  });

  it('is coloured on a terminal, and never elsewhere', async () => {
    const cwd = temporaryFolder();
    await run(cwd, 'init');
    const [plain, colored] = [start(cwd, ['explain', 'tag']), start(cwd, ['explain', 'tag'], true)];
    await Promise.all([plain.ended, colored.ended]);
    expect(plain.output()).toBe(stripVTControlCharacters(plain.output()));
    expect(colored.output()).not.toBe(plain.output());
    expect(stripVTControlCharacters(colored.output())).toBe(plain.output());
  });
});

describe('build --watch', () => {
  it('builds after each change, and goes on after a mistake', async () => {
    const cwd = temporaryFolder();
    await run(cwd, 'init');
    const schema = join(cwd, 'schema.yaml');
    const text = readFileSync(schema, 'utf8');
    const watching = start(cwd, ['build', '--watch']);
    const seen = async (pattern: RegExp) => expect.poll(watching.output, { timeout: 30_000 }).toMatch(pattern);
    await seen(/Nothing to write in \d+ ms\. Watching schema\.yaml/);
    writeFileSync(schema, text.replace('type: richtext', 'type: rich'));
    await seen(
      /Building: schema\.yaml changed …\nschema\.yaml:\d+:\d+: error schema\/unknown-value: .*\n(?:.*\n)+.*1 error: nothing was written/,
    );
    rmSync(schema);
    writeFileSync(schema, text.replace('body: { type: richtext }', 'body: { type: text }'));
    await seen(/ {2}update {2}src\/generated\/database\.ts\n(?:.*\n)+.*Built in/);
    watching.stop();
    expect(await watching.ended).toBe(0);
  });

  it('restarts the server after each build that has written something', async () => {
    const cwd = temporaryFolder();
    await run(cwd, 'init');
    const { dependencies } = json(cwd, 'runtime/package.json');
    for (const name of Object.keys(dependencies)) mkdirSync(join(cwd, 'node_modules', name), { recursive: true });
    // In place of tsx: notes what it is told.
    const tsx = join(cwd, 'node_modules/tsx');
    mkdirSync(tsx);
    writeFileSync(join(tsx, 'package.json'), '{"exports":{"./cli":"./cli.cjs"}}');
    writeFileSync(
      join(tsx, 'cli.cjs'),
      `const { appendFileSync } = require('node:fs');
      appendFileSync('told', 'start ');
      process.stdin.on('data', () => appendFileSync('told', 'restart '));`,
    );
    const serving = start(cwd, ['build', '--watch', '--serve']);
    const told = async (text: string) =>
      expect.poll(() => readFileSync(join(cwd, 'told'), 'utf8'), { timeout: 30_000 }).toBe(text);
    await told('start ');
    const schema = join(cwd, 'schema.yaml');
    const text = readFileSync(schema, 'utf8');
    writeFileSync(schema, text.replace('maxLength: 120', 'maxLength: 100'));
    await told('start restart ');
    writeFileSync(schema, text.replace('maxLength: 120', 'maxLength: 90'));
    await told('start restart restart ');
    serving.stop();
    expect(await serving.ended).toBe(0);
  });

  it('refuses flags that make no sense with it', async () => {
    const cwd = temporaryFolder();
    expect(await run(cwd, 'build', '--watch', '--check')).toMatchObject({ code: 2 });
    expect(await run(cwd, 'build', '--serve')).toMatchObject({ code: 2 });
  });
});

describe('schema', () => {
  it('prints the language, for people and as a JSON Schema', async () => {
    const cwd = temporaryFolder();
    expect((await run(cwd, 'schema')).output).toContain('| `inversedBy` |');
    expect(JSON.parse((await run(cwd, 'schema', '--json')).output)).toMatchObject({ title: 'content-gen schema' });
  });
});
