/** A generated file and its owner. The content is printed only once it is known that the file must be written. */
import { hashText } from './hash.ts';

/**
 * - `managed`: written by every build, never edited by hand;
 * - `once`: written if absent, and owned by the team from then on;
 * - `history`: written once and never changed: migrations.
 */
export type Ownership = 'managed' | 'once' | 'history';

/**
 * How the printed text is formatted before it is written. `typescript`: formatted as prettier would, except that long
 * lines are not broken yet; `none`: final.
 */
export type Format = 'typescript' | 'none';

export interface GeneratedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly owner: Ownership;
  readonly format: Format;
  /**
   * Everything that the content depends on, apart from the generator itself, as plain data; `undefined` members count
   * as absent. Its hash identifies an unchanged file without printing it.
   */
  readonly input: unknown;
  /**
   * Prints the content, ending in a line feed, from the input alone (see `printFile`). Called only if the file must be
   * written or compared.
   */
  readonly print: (input: never) => string | Promise<string>;
  /** The `shapeHash` of the content, if known in advance; null: it has none, and any change is an edit. */
  readonly shape?: string | null;
  /**
   * Of a file of the team: what it was written as while the runtime was in its other place. The build that moves the runtime changes
   * in it what differs between both.
   */
  readonly former?: GeneratedFile;
  /** Of the history: it says more than before about a migration, such as how its SQL for another database runs. */
  readonly isCompleted?: boolean;
  /** Where the team's own code belongs instead, named in the message about an edited managed file. */
  readonly extensionPoint?: string;
}

/** A file with a typed input, for the code that creates it. */
export interface FileOf<Input> extends GeneratedFile {
  readonly input: Input;
  readonly print: (input: Input) => string | Promise<string>;
}

/** The content of a file, unformatted. */
export async function printFile(file: GeneratedFile): Promise<string> {
  return file.print(file.input as never);
}

const hashes = new WeakMap<GeneratedFile, string>();

/** The hash of everything that the content depends on. Memoized, since it is needed twice and inputs are large. */
export function inputHash(file: GeneratedFile): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const input: unknown = file.input;
  const hash = hashText(typeof input === 'string' ? input : JSON.stringify(input));
  hashes.set(file, hash);
  return hash;
}

/**
 * A file of which only the hash of the input is known: enough to see whether it is unchanged. Printing it throws.
 */
export function unprintableFile(file: Omit<GeneratedFile, 'input' | 'print'>, hash: string): GeneratedFile {
  const print = (): never => {
    throw new Error(`the input of ${file.path} is not known`);
  };
  const known = { ...file, input: undefined, print };
  hashes.set(known, hash);
  return known;
}

function itself(text: string): string {
  return text;
}

/** A file whose final text is known. */
export function textFile(path: string, owner: Ownership, text: string): FileOf<string> {
  return { path, owner, format: 'none', input: text, print: itself };
}
