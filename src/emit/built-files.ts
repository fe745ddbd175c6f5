/**
 * Files that `npm run build` of this repository builds for projects: the runtime, the client and the admin panel.
 */
import type { FileOf } from '../files/generated-file.ts';
import type { ContentModel } from '../model/content-model.ts';
import { EXTENSION_POINT } from './header.ts';
import { readTemplate } from './read-templates.ts';

/**
 * An optional feature that a schema can use: an engine, media, uids, the documentation page, tools for agents, GraphQL, the
 * admin panel, previews in it, rules of permissions, webhooks, cache tags, costs, audit, events, jobs, or schedules.
 */
export type Use =
  | ContentModel['databases'][number]
  | 'media'
  | 'uid'
  | 'docs'
  | 'mcp'
  | 'graphql'
  | 'admin'
  | 'preview'
  | 'rules'
  | 'webhooks'
  | 'cacheTags'
  | 'costs'
  | 'audit'
  | 'events'
  | 'jobs'
  | 'schedules'
  | 'trash'
  | 'folders'
  | 'focalPoints'
  | 'crops'
  | 'placeholders'
  | 'imageFormats'
  | 'resumable'
  | 'fileTags'
  | 'history';

/** Hashes of a built file: of its content, and of its shape if it has one. */
interface BuiltFile {
  readonly content: string;
  readonly shape?: string;
}

/** `templates/runtime/dist/contents.json`: an index of the build. */
interface Contents {
  /** Public entry → module name: `.` → `index`. */
  readonly exports: Readonly<Record<string, string>>;
  /** `for`: the features that need the module; absent: every project has it. `packages`: the packages it imports. */
  readonly modules: Readonly<Record<string, { readonly for?: readonly Use[]; readonly packages: readonly string[] }>>;
  /** Packages that only some of the projects that include the importing module need. */
  readonly packages: Readonly<Record<string, { readonly for: readonly Use[] }>>;
  readonly files: Readonly<
    Record<string, BuiltFile & { /** The module that it belongs to. */ readonly module: string }>
  >;
  readonly client: Readonly<Record<string, BuiltFile>>;
}

export function readContents(): Contents {
  return JSON.parse(readTemplate('runtime/dist/contents.json')) as Contents;
}

/** `content` is a hash, so the file itself is read only when it is written. */
interface BuiltInput {
  readonly from: string;
  readonly content: string;
}

function printBuilt({ from }: BuiltInput): string {
  return readTemplate(from);
}

/** `templates/admin/dist/contents.json`: an index of the admin panel. */
interface AdminContents {
  readonly files: Readonly<Record<string, BuiltFile>>;
}

/** The folder of the built admin panel. */
const ADMIN = 'admin/dist/';

function readAdminContents(): AdminContents {
  return JSON.parse(readTemplate(`${ADMIN}contents.json`)) as AdminContents;
}

/** Path within the admin panel's folder → text. */
export function adminTexts(): ReadonlyMap<string, string> {
  return new Map(Object.keys(readAdminContents().files).map((path) => [path, readTemplate(`${ADMIN}${path}`)]));
}

/** The script of sites that are previewed. */
const PREVIEW_SCRIPT = 'preview.js';

/** The files of the admin panel, to be written to the folder `to` of a project. */
export function adminFiles(to: string, hasPreview: boolean): readonly FileOf<BuiltInput>[] {
  return Object.entries(readAdminContents().files)
    .filter(([path]) => hasPreview || path !== PREVIEW_SCRIPT)
    .map(([path, file]) => builtFile(`${to}${path}`, `${ADMIN}${path}`, file));
}

/** A file copied unchanged from `from` in `templates/`. */
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
