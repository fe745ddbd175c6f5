/** Which uploads were begun on this machine, so that they continue when the same file is chosen again after a reload of the page. */

const KEY = 'content-gen.uploads';
/** The server keeps them as long, in milliseconds. */
const LIFETIME = 24 * 3_600_000;
const MOST = 20;

interface Remembered {
  readonly name: string;
  /** The path below `/api/`. */
  readonly path: string;
  /** In milliseconds since 1970. */
  readonly since: number;
}

/** What tells files apart, without reading them. */
export function nameOfUpload(
  { name, size, lastModified }: Pick<File, 'name' | 'size' | 'lastModified'>,
  folder: number | undefined,
): string {
  return JSON.stringify([name, size, lastModified, folder ?? null]);
}

function isRemembered(value: unknown): value is Remembered {
  const { name, path, since } = (value ?? {}) as Partial<Record<keyof Remembered, unknown>>;
  return typeof name === 'string' && typeof path === 'string' && typeof since === 'number';
}

function all(storage: Pick<Storage, 'getItem'>, now: number): readonly Remembered[] {
  try {
    const values: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(values) ? values.filter(isRemembered).filter(({ since }) => now - since < LIFETIME) : [];
  } catch {
    return [];
  }
}

/** Where the upload of a file was begun; undefined if it was not, or too long ago. */
export function rememberedUpload(
  name: string,
  storage: Pick<Storage, 'getItem'> = localStorage,
  now = Date.now(),
): string | undefined {
  return all(storage, now).find((one) => one.name === name)?.path;
}

/** Remembers an upload; undefined: forgets it. */
export function rememberUpload(
  name: string,
  path: string | undefined,
  storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
  now = Date.now(),
): void {
  const others = all(storage, now).filter((one) => one.name !== name);
  const kept = path === undefined ? others : [{ name, path, since: now }, ...others].slice(0, MOST);
  try {
    storage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage only means that the upload begins again after a reload.
  }
}
