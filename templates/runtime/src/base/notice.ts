/** Tells listeners in this process that something has happened. */

export interface Notice {
  tell(): void;
  /** Returns what ends it. */
  listen(listener: () => void): () => void;
}

export function createNotice(): Notice {
  const listeners = new Set<() => void>();
  return {
    tell() {
      for (const listener of listeners) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
