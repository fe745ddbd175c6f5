/** The formats in which entries are asked for and answered. A further one is an object here. */
import type { FormatName } from '../contract/api-settings.ts';
import type { ContentType } from '../contract/content-type.ts';
import { type EntryShape, FLAT, NESTED, NESTED_DOCUMENT } from './entry-shape.ts';

export interface Format {
  /** Tells formats apart. */
  readonly name: string;
  /** By which rules paths, queries and bodies are read. */
  readonly rules: FormatName;
  readonly shape: EntryShape;
  /** Of entries behind a relation to several types. */
  readonly behindMorph: Format;
}

function format(parts: Omit<Format, 'behindMorph'>, behindMorph?: Format): Format {
  const made: Format = {
    ...parts,
    get behindMorph() {
      return behindMorph ?? made;
    },
  };
  return made;
}

export const V4 = format({ name: 'v4', rules: 'v4', shape: NESTED });

export const V5 = format({ name: 'v5', rules: 'v5', shape: FLAT });

/** Requests of the v5 format, whose answers are nested for clients of the v4 format. */
export const V5_NESTED = format({ name: 'v5 nested', rules: 'v5', shape: NESTED_DOCUMENT }, V5);

/** The format of what is answered without nesting in every format: users and files. Document ids are in it where the type has them. */
export function flatFormat({ documentIds }: ContentType): Format {
  return documentIds ? V5 : V4;
}

/**
 * The format of a request: what it `asked` for, else the `standard` one of the server. A server of the v5 format only nests its answers
 * for those who ask for v4.
 */
export function formatOf(standard: FormatName, asked: string): Format {
  if (standard === 'v4') return asked === 'v5' ? V5 : V4;
  return asked === 'v4' ? V5_NESTED : V5;
}
