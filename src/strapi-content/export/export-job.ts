/** The state shared by the parts of an export. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentReader, ProjectContent } from '#contract/content-transfer.ts';
import type { Findings } from '../findings.ts';
import type { ExportContext } from './strapi-links.ts';

/** Maximum length of a file in characters, after which Strapi begins a new one. */
const MAX_FILE = 200_000_000;

/** The lines of one stage, in temporary files that become entries of the tar archive. */
export interface Stage {
  count: number;
  add(record: unknown): Promise<void>;
  close(): Promise<readonly string[]>;
}

/** Opens a stage in a folder for temporary files. */
export function openStage(folder: string, name: string): Stage {
  const paths: string[] = [];
  let file: FileHandle | undefined;
  let size = 0;
  let buffer: string[] = [];
  let buffered = 0;
  const flush = async (): Promise<void> => {
    if (buffer.length > 0) await file?.write(buffer.join(''));
    buffer = [];
    buffered = 0;
  };
  const stage: Stage = {
    count: 0,
    async add(record) {
      const line = JSON.stringify(record);
      if (!file || size > MAX_FILE) {
        await flush();
        await file?.close();
        const path = join(folder, `${name}_${String(paths.length + 1).padStart(5, '0')}.jsonl`);
        file = await open(path, 'wx', 0o600);
        paths.push(path);
        size = 0;
      }
      buffer.push(stage.count === 0 ? line : `\n${line}`);
      size += line.length;
      buffered += line.length;
      stage.count += 1;
      if (buffered > 2 ** 20) await flush();
    },
    async close() {
      await flush();
      await file?.close();
      return paths;
    },
  };
  return stage;
}

export interface Job {
  readonly content: ProjectContent;
  readonly exported: ExportContext;
  readonly reader: ContentReader;
  readonly findings: Findings;
  readonly entities: Stage;
  readonly links: Stage;
  /** Stored files that rows reference, with their metadata. */
  readonly files: { readonly name: string; readonly about: unknown }[];
}
