/**
 * sessionStorage for text. If it is disabled or full, nothing is stored: the confirmation before leaving the page still protects
 * unsaved changes.
 */
function tried<T>(work: (storage: Storage) => T): T | undefined {
  try {
    // If storage is disabled, even reading this property throws.
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
