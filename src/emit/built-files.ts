/** What `npm run build` of this repository builds for projects: the runtime, and the client. */
import type { FileOf } from '../files/generated-file.ts';
import type { ContentModel } from '../model/content-model.ts';
import { EXTENSION_POINT } from './header.ts';
import { readTemplate } from './read-templates.ts';

/** What a schema can use and another one not: an engine, files, values that are made of text, the pages of the documentation, tools for agents, or the page for editors. */
export type Use = ContentModel['databases'][number] | 'media' | 'uid' | 'docs' | 'mcp' | 'admin';

/** Hashes of a file: of its content, and of its shape if it has one. */
interface BuiltFile {
  readonly content: string;
  readonly shape?: string;
}

/** `templates/runtime/dist/contents.json`: what is built. */
interface Contents {
  /** Public entry → the module that it is: `.` → `index`. */
  readonly exports: Readonly<Record<string, string>>;
  /** `for`: what needs the module; absent: every project. `packages`: what it imports. */
  readonly modules: Readonly<Record<string, { readonly for?: readonly Use[]; readonly packages: readonly string[] }>>;
  /** Packages that only some of the projects with a module need. */
  readonly packages: Readonly<Record<string, { readonly for: readonly Use[] }>>;
  readonly files: Readonly<
    Record<string, BuiltFile & { /** The module that it belongs to. */ readonly module: string }>
  >;
  readonly client: Readonly<Record<string, BuiltFile>>;
}

export function readContents(): Contents {
  return JSON.parse(readTemplate('runtime/dist/contents.json')) as Contents;
}

/** The content as its hash, so that it is only read when it is written. */
interface BuiltInput {
  readonly from: string;
  readonly content: string;
}

function printBuilt({ from }: BuiltInput): string {
  return readTemplate(from);
}

/** `templates/admin/dist/contents.json`: the page for editors. */
interface PageContents {
  readonly files: Readonly<Record<string, BuiltFile>>;
}

/** The folder of the built page. */
const PAGE = 'admin/dist/';

function readPageContents(): PageContents {
  return JSON.parse(readTemplate(`${PAGE}contents.json`)) as PageContents;
}

/** Path below the page's folder → text. */
export function pageTexts(): ReadonlyMap<string, string> {
  return new Map(Object.keys(readPageContents().files).map((path) => [path, readTemplate(`${PAGE}${path}`)]));
}

/** The files of the page for editors, in the folder `to` of a project. */
export function pageFiles(to: string): readonly FileOf<BuiltInput>[] {
  const { files } = readPageContents();
  return Object.entries(files).map(([path, file]) => builtFile(`${to}${path}`, `${PAGE}${path}`, file));
}

/** A file that is as it was built, at `from` in `templates/`. */
export function builtFile(path: string, from: string, { content, shape }: BuiltFile): FileOf<BuiltInput> {
  return {
    path,
    owner: 'managed',
    format: 'none',
    input: { from, content },
    print: printBuilt,
    extensionPoint: EXTENSION_POINT,
    shape: shape ?? null,
  };
}
