/** Validators find neither errors nor warnings in openapi.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Description } from '../../templates/runtime/src/server/describe.ts';
import { splitByTags } from '../../templates/runtime/src/server/describe-part.ts';
import { ring, schemas, writeDocument } from './documents.ts';
import { installTools, TOOLS } from './tools.ts';

// The last two are so large that their documents describe relations for one step.
const LARGE = 'large ring';
const all = new Map([...schemas, ['ring', ring(10)], ['ring in steps', ring(40)], [LARGE, ring(250)]]);
const documents = new Map<string, string>();

beforeAll(async () => {
  await installTools();
  writeFileSync(join(TOOLS, 'redocly.yaml'), 'extends: [recommended-strict]\n');
  writeFileSync(join(TOOLS, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  for (const [name, schema] of all) documents.set(name, await writeDocument(name, schema));
});

/** Parts of a document, for a validator that takes minutes for the whole. */
function writeParts(document: string): readonly string[] {
  const whole = JSON.parse(readFileSync(document, 'utf8')) as Description;
  return splitByTags(whole, 10).map((part, index) => {
    const path = document.replace('.json', `.part-${index + 1}.json`);
    writeFileSync(path, JSON.stringify(part));
    return path;
  });
}

function run(command: string, args: readonly string[]) {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return execa(join(TOOLS, 'node_modules/.bin', command), args, { cwd: TOOLS, env, reject: false, all: true });
}

describe.each([...all.keys()])('the document of %s', (name) => {
  const document = () => documents.get(name) ?? '';

  it('satisfies @redocly/cli, recommended-strict', async () => {
    const { exitCode, all: output } = await run('redocly', ['lint', document(), '--config', 'redocly.yaml']);
    expect(exitCode, output).toBe(0);
    expect(output).not.toMatch(/\d+ (?:errors?|warnings?)/u);
  });

  it('satisfies @stoplight/spectral-cli, oas', async () => {
    const files = name === LARGE ? writeParts(document()).slice(0, 3) : [document()];
    const { exitCode, all: output } = await run('spectral', ['lint', ...files, '-r', 'spectral.yaml', '-F', 'hint']);
    expect(exitCode, output).toBe(0);
  });

  it('satisfies @readme/openapi-parser', async () => {
    const parser = join(TOOLS, 'node_modules/@readme/openapi-parser/dist/index.js');
    const { validate } = (await import(pathToFileURL(parser).href)) as { validate(path: string): Promise<object> };
    expect(await validate(document())).toMatchObject({ valid: true, warnings: [] });
  });
});
