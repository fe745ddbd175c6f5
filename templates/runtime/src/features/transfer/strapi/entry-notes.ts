/** An entity while it is converted, and what is told of it. */
import { member, type Members, type StrapiEntity } from '../../../strapi/records.ts';
import type { Decisions, Problem } from './decisions.ts';
import type { EntityIndex } from './entity-index.ts';
import type { FindingKind, Findings } from './findings.ts';
import { createNumberMap, hashText, type NumberMap } from './number-map.ts';
import type { SourceType, SourceTypes } from './source-types.ts';
import type { ArchiveFiles } from './stored-names.ts';

/** What the conversion of all entities has in common. A second run with the same, and new `seen` and `problems`, gives the same rows. */
export interface Conversion {
  readonly source: SourceTypes;
  readonly index: EntityIndex;
  readonly findings: Findings;
  readonly decisions: Decisions;
  /** When the archive was made: stands in for missing times, and for document ids. */
  readonly archivedAt: string;
  readonly defaultLocale: string;
  readonly files: ArchiveFiles | undefined;
  /** Values of unique attributes so far. */
  readonly seen: Map<string, NumberMap>;
  readonly problems: Problem[];
  lastItem: number;
}

/** Thrown for an entry that is left out. */
export const LEFT_OUT = Symbol('left out');

/** An entity that is being converted. */
export interface Entry {
  readonly conversion: Conversion;
  readonly type: SourceType;
  readonly entity: StrapiEntity;
  readonly data: Members;
  readonly isDraft: boolean;
  readonly locale: string;
}

function where({ type, entity }: Pick<Entry, 'type' | 'entity'>, path: readonly string[] = []): string {
  const documentId = member(entity.data, 'documentId');
  const name = typeof documentId === 'string' ? `${entity.id} (${documentId})` : String(entity.id);
  return [`${type.type.uid} ${name}`, ...path].join('.');
}

/** Tells what was found in an entity. */
export function note(entry: Entry, kind: FindingKind, what: string, path: readonly string[], message?: string): void {
  const place = where(entry, path);
  entry.conversion.findings.add(kind, what, message === undefined ? place : `${place}: ${message}`);
}

/** Whether it is the first value of this kind. */
export function isFirst({ seen }: Conversion, kind: string, value: string): boolean {
  const values = seen.get(kind) ?? createNumberMap();
  seen.set(kind, values);
  const hash = hashText(value);
  if (values.get(hash) !== undefined) return false;
  values.set(hash, 1);
  return true;
}
