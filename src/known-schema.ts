/**
 * Keeps what the last build read from the schema, so that the next one can tell that nothing has changed without parsing
 * YAML. It is used for nothing else: whatever a build writes comes from the schema itself.
 */
import { earlyTemplates } from './emit/read-templates.ts';
import { inputHash, unprintableFile } from './files/generated-file.ts';
import { hashText } from './files/hash.ts';
import { readCache, writeCache } from './output/cache-file.ts';
import { generatorFingerprint } from './output/generator-fingerprint.ts';
import type { Models } from './plan-build.ts';
import type { ModelReading } from './read-models.ts';
import type { SourceFile } from './schema/source-file.ts';

/** A reading as cached: JSON, with hashes instead of the inputs of files. */
interface CachedReading extends Pick<Models, 'model' | 'storage'>, Pick<ModelReading, 'diagnostics'> {
  /** Hash of everything that the reading depends on. The first member. */
  readonly key: string;
  readonly files: readonly {
    readonly file: Omit<Models['files'][number], 'input' | 'print'>;
    readonly hash: string;
  }[];
}

/** The first characters of a cached text: one with another key need not be parsed. */
function prefixOf(key: string): string {
  return `{"key":${JSON.stringify(key)},`;
}

function keyOf(sources: readonly SourceFile[]): string {
  return hashText(JSON.stringify([generatorFingerprint(), earlyTemplates(), sources]));
}

/** What the last build of the project at `root` read from the same sources; undefined if they or the generator have changed. */
export function cachedReading(
  root: string,
  sources: readonly SourceFile[],
): (ModelReading & { models: Models }) | undefined {
  const text = readCache(root);
  if (!text?.startsWith(prefixOf(keyOf(sources)))) return undefined;
  const { model, storage, diagnostics, files } = JSON.parse(text) as CachedReading;
  return {
    models: { model, storage, files: files.map(({ file, hash }) => unprintableFile(file, hash)) },
    diagnostics,
    sources,
  };
}

/** Caches a reading for the next build. */
export function cacheReading(root: string, { models, diagnostics, sources }: ModelReading): void {
  if (!models) return;
  const { model, storage } = models;
  const files = models.files.map((one) => {
    const { input: _, print: __, ...file } = one;
    return { file, hash: inputHash(one) };
  });
  writeCache(root, JSON.stringify({ key: keyOf(sources), model, storage, diagnostics, files } satisfies CachedReading));
}
