/** Generates JWT_SECRET, outside production, if it is not set, and saves it in the project's `.env`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { createSecret } from './secrets.ts';

const NAME = 'JWT_SECRET';
const EMPTY_LINE = /^JWT_SECRET=[ \t]*$/m;

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function withSecret(text: string): string {
  const line = `${NAME}=${createSecret()}`;
  if (EMPTY_LINE.test(text)) return text.replace(EMPTY_LINE, line);
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}# Signs sessions. Generated at the first start; production needs its own.\n${line}\n`;
}

/**
 * The secret in the file `path`; generated and appended if missing. A new file is readable by its owner only. Throws if
 * the file can't be written.
 */
export function loadOrCreateSecret(path: string): string {
  const text = textOf(path);
  const known = parseEnv(text)[NAME];
  if (known) return known;
  const changed = withSecret(text);
  writeFileSync(path, changed, { mode: 0o600 });
  return parseEnv(changed)[NAME] ?? '';
}
