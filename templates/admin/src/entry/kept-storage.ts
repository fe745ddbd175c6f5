/**
 * sessionStorage for texts. If it is disabled or full, nothing is kept: the question before leaving the page still protects the
 * changes.
 */
function tried<T>(work: (storage: Storage) => T): T | undefined {
  try {
    // Where storage is disabled, even the access to this property throws.
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}

export function storeText(key: string, text: string): void {
  tried((storage) => storage.setItem(key, text));
}

export function storedText(key: string): string | undefined {
  return tried((storage) => storage.getItem(key)) ?? undefined;
}

export function removeText(key: string): void {
  tried((storage) => storage.removeItem(key));
}
