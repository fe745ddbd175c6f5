/** Distinguishes changes that a formatter made to managed files from edits. */
import type { GeneratedFile } from '../files/generated-file.ts';
import { type FileRecord, isContentOf, isShapeOf, recordsOf } from './manifest.ts';
import type { Baseline, Printed } from './reconcile.ts';
import { shapeHash } from './shape.ts';

type Shapes = Required<Pick<Baseline, 'shapes' | 'formatted' | 'reformatted'>>;

/** The shapes of the texts to write; shapes of unchanged texts are taken from the manifest. */
function shapesOf(
  files: readonly GeneratedFile[],
  printed: ReadonlyMap<string, Printed>,
  records: ReadonlyMap<string, FileRecord>,
): ReadonlyMap<string, string> {
  const shapes = new Map<string, string>();
  for (const { path, owner, shape: known } of files) {
    const content = printed.get(path);
    if (owner !== 'managed' || content === undefined || known === null) continue;
    const record = records.get(path);
    const isKnown = record?.owner === 'managed' && record.content === content.hash;
    const shape = known ?? (isKnown ? record.shape : undefined) ?? shapeHash(path, content.text);
    if (shape !== undefined) shapes.set(path, shape);
  }
  return shapes;
}

/**
 * Computes the shapes of printed files, and finds files that only a formatter has changed. `edited` has the texts of
 * files that differ from what was written. Files whose edits may be overwritten are skipped.
 */
export function findShapes(
  edited: ReadonlyMap<string, string>,
  files: readonly GeneratedFile[],
  printed: ReadonlyMap<string, Printed>,
  { manifest, disk, overwrite }: Baseline,
): Shapes {
  const records = recordsOf(manifest);
  const shapes = shapesOf(files, printed, records);
  const [formatted, reformatted] = [new Set<string>(), new Set<string>()];
  const paths = new Set(files.map(({ path }) => path));
  const shapeless = new Set(files.filter(({ shape }) => shape === null).map(({ path }) => path));
  for (const [path, record] of records) {
    const [entry, content] = [disk.get(path), printed.get(path)];
    if (record.owner !== 'managed' || entry?.kind !== 'file' || overwrite.has(path) || shapeless.has(path)) continue;
    if (isContentOf(record, entry.hash) || (content !== undefined && entry.hash === content.hash)) continue;
    if (content === undefined && paths.has(path)) continue;
    const text = edited.get(path);
    const shape = text === undefined ? undefined : shapeHash(path, text);
    if (shape === undefined) continue;
    if (shape === shapes.get(path)) formatted.add(path);
    else if (isShapeOf(record, shape)) reformatted.add(path);
  }
  return { shapes, formatted, reformatted };
}
