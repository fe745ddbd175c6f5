/** Runs the project's file hooks. */
import { sentValues } from '../../entries/entry-input.ts';
import { callHook, copyCallContext, hasHook, runBefore } from '../../entries/hooks.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { UploadContext } from './context.ts';
import { checkInfo, cleanName, type FileInfo, infoOf } from './file-info.ts';
import type { FlatFile } from './flat-file.ts';
import type { FileCreate } from './hook-types.ts';
import { kilobytes, type KnownFile } from './inspect-files.ts';

const SETTABLE = ['name', 'alternativeText', 'caption'] as const;

/** The `data` of a received file, for hooks. */
function arrived({ file, mime, ext, dimensions }: KnownFile, { name, ...info }: FileInfo): FileCreate {
  return {
    alternativeText: info.alternativeText ?? null,
    caption: info.caption ?? null,
    name: name ?? (cleanName(file.filename) || `file${ext}`),
    mime,
    ext,
    size: kilobytes(file.temp.size),
    width: dimensions?.width ?? null,
    height: dimensions?.height ?? null,
  };
}

/** The info of a file after the hook `name`, which may change it. Throws ValidationError for invalid values. */
async function afterHook(
  { hooked: { hooks } }: UploadContext,
  name: 'beforeCreate' | 'beforeUpdate',
  event: CallContext & { readonly id?: number; readonly data: object },
  given: FileInfo,
): Promise<FileInfo> {
  const { id, data } = event;
  const before = sentValues({ ...data });
  const changed = await runBefore(hooks, name, { ...copyCallContext(event), ...(id !== undefined && { id }), data });
  const after = { ...sentValues(data), ...sentValues(changed) };
  const own = SETTABLE.filter((key) => after[key] !== before[key]);
  const checked = checkInfo(Object.fromEntries(own.map((key) => [key, after[key]])));
  return { ...given, ...Object.fromEntries(own.map((key) => [key, checked[key]])) };
}

/** Files as they appear in responses, after the hook `transform`. */
export async function shownFiles(
  { hooked: { hooks } }: UploadContext,
  call: CallContext,
  files: readonly FlatFile[],
): Promise<readonly object[]> {
  if (!hasHook(hooks, 'transform')) return files;
  const shown: object[] = [];
  for (const { id, ...attributes } of files) {
    const entry = { id, attributes, meta: { availableLocales: [] } };
    const { attributes: changed } = (await callHook(hooks, 'transform', {
      ...copyCallContext(call),
      entry,
    })) as typeof entry;
    shown.push({ id, ...changed });
  }
  return shown;
}

/** The infos of new files after the hook `beforeCreate`. */
export async function beforeFiles(
  context: UploadContext,
  call: CallContext,
  known: readonly KnownFile[],
  infos: readonly FileInfo[],
): Promise<readonly FileInfo[]> {
  if (!hasHook(context.hooked.hooks, 'beforeCreate')) return infos;
  const made: FileInfo[] = [];
  for (const [index, file] of known.entries()) {
    const info = infoOf(infos, index);
    made.push(await afterHook(context, 'beforeCreate', { ...call, data: arrived(file, info) }, info));
  }
  return made;
}

/** The info of an existing file after the hook `beforeUpdate`; `known` is the file that replaces its bytes, if any. */
export async function beforeChange(
  context: UploadContext,
  call: CallContext,
  { id, info, known }: { readonly id: number; readonly info: FileInfo; readonly known?: KnownFile | undefined },
): Promise<FileInfo> {
  if (!hasHook(context.hooked.hooks, 'beforeUpdate')) return info;
  const given = Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
  const data = known ? { ...arrived(known, info), ...given } : given;
  return afterHook(context, 'beforeUpdate', { ...call, id, data }, info);
}
