/**
 * Reads what the plugin config-sync has written to files of a project: roles with their permissions, locales, and
 * settings of the core store.
 */
import { DEFAULT_LOCALE_KEY } from '../strapi/own-names.ts';
import { parseObject } from './json-file.ts';
import type { Store } from './read-view.ts';
import { type Finding, member, type Members, SourceError, type StrapiRole, textOf } from './strapi-project.ts';

/** The content of a folder of config-sync. */
export interface Synced {
  /** Undefined if it has none. */
  readonly roles: readonly StrapiRole[] | undefined;
  /** The default locale first. */
  readonly locales: readonly string[];
  readonly store: Store;
  readonly findings: readonly Finding[];
}

const USUAL_FOLDER = 'config/sync';

/** The folder of the files, from the settings of plugins. */
export function syncFolder(settings: string): string {
  const written = /syncDir['"]?\s*:\s*['"](?<folder>[\w./-]+)['"]/u.exec(settings)?.groups?.['folder'];
  return (written ?? USUAL_FOLDER).replaceAll(/^(?:\.?\/)+|\/+$/gu, '');
}

function roleOf(value: Members, file: string): StrapiRole {
  const permissions = value['permissions'];
  const actions = (Array.isArray(permissions) ? permissions : []).flatMap((one) => textOf(member(one, 'action')) ?? []);
  const type = textOf(value['type']) ?? /user-role\.(?<type>.+)\.json$/u.exec(file)?.groups?.['type'] ?? '';
  return {
    type,
    name: textOf(value['name']) ?? type,
    description: textOf(value['description']) ?? '',
    actions: [...new Set(actions)].sort(),
  };
}

/** Some versions of the plugin write the value as it is in the database, which is text. */
function parsedValue(record: Members): unknown {
  const value = record['value'];
  if (typeof value !== 'string' || textOf(record['type']) === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Reads the files of the folder. Those that can't be read are reported. `read` returns the text of a file. */
export async function readSync(
  files: readonly string[],
  folder: string,
  read: (file: string) => Promise<string>,
): Promise<Synced> {
  const roles: StrapiRole[] = [];
  const codes: string[] = [];
  const records = new Map<string, unknown>();
  const findings: Finding[] = [];
  for (const file of files.filter((name) => name.startsWith(`${folder}/`) && name.endsWith('.json'))) {
    const name = file.slice(folder.length + 1);
    const kind = ['user-role.', 'i18n-locale.', 'core-store.'].find((start) => name.startsWith(start));
    if (kind === undefined) continue;
    try {
      const value = parseObject(file, await read(file));
      if (kind === 'user-role.') roles.push(roleOf(value, file));
      else if (kind === 'i18n-locale.') codes.push(...[value['code']].flatMap((code) => textOf(code) ?? []));
      else records.set(String(value['key']), parsedValue(value));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      findings.push({ kind: 'unsupported', what: file, message: error.message, place: file });
    }
  }
  const first = textOf(records.get(DEFAULT_LOCALE_KEY));
  const locales = [...new Set([...(first === undefined || codes.length === 0 ? [] : [first]), ...codes.sort()])];
  if (roles.length > 0 || codes.length > 0) {
    const message =
      'roles, permissions and locales were taken from these files of config-sync: check that they are those of the server';
    findings.push({ kind: 'decide', what: folder, message });
  }
  return {
    roles: roles.length > 0 ? roles : undefined,
    locales,
    store: (key) => records.get(key),
    findings,
  };
}
