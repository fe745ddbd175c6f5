/** What a person sees of each schema in `fixtures/invalid`. `UPDATE_GOLDEN=1` writes the expected texts anew. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnosticCodes } from '../src/diagnostics/codes.ts';
import type { Diagnostic } from '../src/diagnostics/diagnostic.ts';
import { hasErrors } from '../src/diagnostics/sort-diagnostics.ts';
import { renderText } from '../src/diagnostics/render-text.ts';
import { resolveReading } from '../src/model/build-content-model.ts';
import type { ContentModel } from '../src/model/content-model.ts';
import { loadSources } from '../src/schema/load-sources.ts';
import { readSchema } from '../src/schema/read-schema.ts';
import { buildStorageModel } from '../src/storage/build-storage-model.ts';
import { layoutOf } from '../src/storage/compute-layout.ts';
import { findExceededLimits } from '../src/storage/engine-limits.ts';
import { findNameClashes } from '../src/storage/name-clashes.ts';

const fixtures = new URL('../fixtures/invalid/', import.meta.url).pathname;
const source = new URL('../src/', import.meta.url).pathname;
const names = readdirSync(fixtures).sort();

interface Run {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: boolean;
}

/** Names and sizes of tables are known only where the model has become one of storage. */
function checkStorage(model: ContentModel): readonly Diagnostic[] {
  const layout = layoutOf(model);
  return [...findNameClashes(model, layout), ...findExceededLimits(model, buildStorageModel(model, layout))];
}

async function run(directory: string): Promise<Run> {
  const sources = await loadSources(['.'], directory);
  const schema = sources.value && readSchema(sources.value);
  const model = schema && resolveReading(schema);
  const diagnostics = [
    ...sources.diagnostics,
    ...(model?.diagnostics ?? []),
    ...(model?.value ? checkStorage(model.value) : []),
  ];
  const sourceOf = (file: string): string | undefined => sources.value?.find((source) => source.file === file)?.text;
  return {
    text: renderText(diagnostics, { sourceOf }),
    diagnostics,
    accepted: model?.value !== undefined && !hasErrors(diagnostics),
  };
}

describe('invalid schemas', () => {
  it.each(names)('%s', async (name) => {
    const { text, diagnostics, accepted } = await run(join(fixtures, name));
    const expected = join(fixtures, name, 'expected.txt');
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(expected, text);
    expect(text).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : '');
    // There is no model without a reason, and none with one.
    expect(accepted).toBe(!hasErrors(diagnostics));
    for (const { code } of diagnostics) expect(Object.keys(diagnosticCodes)).toContain(code);
    // Nothing of a schema may reach the terminal as a command, or turn a line around.
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });

  it('covers every code of the stages that read a schema', () => {
    const shown = names.map((name) => readFileSync(join(fixtures, name, 'expected.txt'), 'utf8')).join('\n');
    const ofInput = Object.keys(diagnosticCodes).filter((code) =>
      /^(?:yaml|schema|project|name|attribute|relation|component|permission)\//.test(code),
    );
    expect(ofInput.filter((code) => !shown.includes(` ${code}: `))).toEqual(['schema/too-many-problems']);
  });

  it('lists every code that the generator uses', () => {
    const sources = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    );
    const used = sources.flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/code: '([a-z]+\/[a-z-]+)'/g)].map(([, code]) => code),
    );
    expect([...new Set(used)].filter((code) => !Object.hasOwn(diagnosticCodes, code ?? ''))).toEqual([]);
  });
});
