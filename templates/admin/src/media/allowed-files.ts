/** The files that a media attribute accepts, before they are uploaded. */
import { useNotify, useTranslate } from 'react-admin';

/** Kinds of `allowedTypes` → type for the browser's file dialog. `files` are all others. */
const TYPES: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' };

/** The `accept` of an input; undefined for any file. */
export function acceptOf(kinds: readonly string[]): string | undefined {
  if (kinds.length === 0 || kinds.some((kind) => TYPES[kind] === undefined)) return undefined;
  return kinds.map((kind) => `${TYPES[kind]}*`).join(',');
}

/** Whether a file may be one of these kinds; the server knows better where the browser doesn't know the type. */
export function isAllowed({ type }: Pick<File, 'type'>, kinds: readonly string[]): boolean {
  if (kinds.length === 0 || type === '') return true;
  const kind = Object.keys(TYPES).find((name) => type.startsWith(TYPES[name] ?? '')) ?? 'files';
  return kinds.includes(kind);
}

/** Returns a function that leaves out files of other kinds, and tells so. */
export function useAllowedFiles(kinds: readonly string[]): (files: readonly File[]) => readonly File[] {
  const notify = useNotify();
  const translate = useTranslate();
  return (files) => {
    const refused = files.filter((file) => !isAllowed(file, kinds));
    if (refused.length > 0) {
      const allowed = kinds.map((kind) => translate(`media.kinds.${kind}`)).join(', ');
      const names = refused.map(({ name }) => name).join(', ');
      notify('media.refused', { type: 'error', messageArgs: { names, kinds: allowed } });
    }
    return files.filter((file) => isAllowed(file, kinds));
  };
}
