/** Which files a stored name may belong to. */

/** Resized copies have the name of their size before the hash of their file, and may have a random end. */
export function hashesOf(name: string): readonly string[] {
  const hash = name.replace(/\.[^.]*$/u, '');
  const whole = hash.replace(/^[a-z][a-z0-9]{0,19}_/u, '');
  return [...new Set([hash, whole, whole.replace(/_[0-9a-f]{10}$/u, '')])];
}
