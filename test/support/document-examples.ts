/** The examples in README.md and docs/: their code blocks. `no-run` marks shell commands that tests don't run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.ts';

/** README.md and docs/, relative to the root. */
export const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];

export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

export interface Block {
  readonly document: string;
  /** The info string after the opening fence: `yaml attributes`. */
  readonly info: string;
  readonly text: string;
}

export const blocks: readonly Block[] = documents.flatMap((document) =>
  [...textOf(document).matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info = '', text = '']) => ({
    document,
    info,
    text,
  })),
);

export function blocksOf(...infos: readonly string[]): readonly Block[] {
  return blocks.filter(({ info }) => infos.includes(info));
}
