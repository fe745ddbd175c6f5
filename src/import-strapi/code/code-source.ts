/** What is translated, and the result. */
import type { Names } from '../names.ts';
import type { StrapiProject } from '../strapi-project.ts';
import type { FileReport } from './code-report.ts';

export interface CodeSource {
  readonly project: StrapiProject;
  readonly names: Names;
  /** Scripts and JSON files by path, such as `src/index.js`. */
  readonly files: ReadonlyMap<string, string>;
  /** Of package.json: name → version. */
  readonly dependencies: Readonly<Record<string, unknown>>;
  /** The modules that translated code uses: name → text. */
  readonly support: ReadonlyMap<string, string>;
}

export interface TranslatedCode {
  /** By path within `src/extensions/`; not formatted. */
  readonly files: ReadonlyMap<string, string>;
  readonly report: readonly FileReport[];
  /** Markdown. */
  readonly text: string;
}
