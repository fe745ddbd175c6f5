/** The state of a conversion, and the findings about an entity. */
import { member, type Members, type StrapiEntity } from '../../strapi/records.ts';
import type { Decisions, Problem } from './decisions.ts';
import type { EntityIndex } from './entity-index.ts';
import type { FindingKind, Findings } from '../findings.ts';
import { createNumberMap, hashText, type NumberMap } from '../number-map.ts';
import type { SourceType, SourceTypes } from './source-types.ts';
import type { ArchiveFiles } from './stored-names.ts';

/** State shared by the conversion of all entities. A second pass with fresh `seen` and `problems` yields the same rows. */
export interface Conversion {
  readonly source: SourceTypes;
  readonly index: EntityIndex;
  readonly findings: Findings;
  readonly decisions: Decisions;
  /** When the archive was made: the default for missing times, and the seed of document ids. */
  readonly archivedAt: string;
  readonly defaultLocale: string;
  readonly files: ArchiveFiles | undefined;
  /** Hashes of the values seen so far, by kind: see `isFirst`. */
  readonly seen: Map<string, NumberMap>;
  readonly problems: Problem[];
  lastItem: number;
}

/** Thrown to leave out an entry. */
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

/** Adds a finding about an entity. */
export function note(entry: Entry, kind: FindingKind, what: string, path: readonly string[], message?: string): void {
  const place = where(entry, path);
  entry.conversion.findings.add(kind, what, message === undefined ? place : `${place}: ${message}`);
}

/** Whether a value of this kind is seen for the first time; remembers it. */
export function isFirst({ seen }: Conversion, kind: string, value: string): boolean {
  const values = seen.get(kind) ?? createNumberMap();
  seen.set(kind, values);
  const hash = hashText(value);
  if (values.get(hash) !== undefined) return false;
  values.set(hash, 1);
  return true;
}
