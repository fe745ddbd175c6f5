/** The API formats. To add one, add an object here. */
import type { ApiSettings, FormatName } from '../contract/api-settings.ts';
import type { ContentType } from '../contract/content-type.ts';
import { type EntryShape, FLAT, NESTED, NESTED_DOCUMENT, NESTED_OWN, NESTED_SPARSE } from './entry-shape.ts';

/**
 * The names that queries may use and answers have: those of a wire format or, with document ids, those of the server's own code,
 * with the rights of a `caller` or of the `server`, which also reads private attributes.
 */
export type Vocabulary = FormatName | 'caller' | 'server';

export interface Format {
  /** Unique name; part of cache keys. */
  readonly name: string;
  /** The rules by which paths, queries and bodies are parsed. */
  readonly rules: FormatName;
  readonly vocabulary: Vocabulary;
  readonly shape: EntryShape;
  /** The format of entries behind a polymorphic relation. */
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

export const V4 = format({ name: 'v4', rules: 'v4', vocabulary: 'v4', shape: NESTED });

/** What the server's own code gets. */
export const OWN = format({ name: 'own', rules: 'v4', vocabulary: 'server', shape: NESTED_OWN });

/** Flat, for the server itself. */
export const OWN_FLAT = format({ name: 'own flat', rules: 'v4', vocabulary: 'server', shape: FLAT });

/** Flat, as Strapi 4 tells others of entries. */
export const TOLD_V4 = format({ name: 'told v4', rules: 'v4', vocabulary: 'v4', shape: FLAT });

/** What the server's own code gets with the rights of a caller. */
export const OWN_AS_CALLER = format({ name: 'own as caller', rules: 'v4', vocabulary: 'caller', shape: NESTED_OWN });

/** With `entryMeta: localized`. */
export const V4_SPARSE = format({ name: 'v4 sparse', rules: 'v4', vocabulary: 'v4', shape: NESTED_SPARSE });

export const V5 = format({ name: 'v5', rules: 'v5', vocabulary: 'v5', shape: FLAT });

/** Requests in the v5 format with responses nested for clients of v4. */
export const V5_NESTED = format({ name: 'v5 nested', rules: 'v5', vocabulary: 'v5', shape: NESTED_DOCUMENT }, V5);

/** Whether the server's own code asks. */
export function isOwn(format: Format | undefined): boolean {
  return format?.vocabulary === 'server' || format?.vocabulary === 'caller';
}

/** The format of users and files, which are flat in every format. They have document ids if their type does. */
export function flatFormat({ documentIds }: ContentType): Format {
  return documentIds ? V5 : V4;
}

/**
 * The format of a request: the one it `asked` for, otherwise the server's. A server of the v5 format does not accept v4 requests;
 * for clients that ask for v4, it only nests the responses.
 */
export function formatOf({ format: standard, entryMeta }: ApiSettings, asked: string): Format {
  if (standard === 'v5') return asked === 'v4' ? V5_NESTED : V5;
  if (standard === 'v4' && asked === 'v5') return V5;
  return entryMeta === 'localized' ? V4_SPARSE : V4;
}
