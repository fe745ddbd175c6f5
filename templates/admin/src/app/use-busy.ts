/** Runs one piece of work at a time: a second click while it is running does nothing. */
import { useCallback, useRef, useState } from 'react';

export interface Busy {
  /** Rerenders when it changes. */
  readonly isBusy: boolean;
  /** The current value, which may not be rendered yet. */
  readonly isBusyNow: () => boolean;
  /** Resolves to undefined, without running `work`, while other work is running. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

export function useBusy(): Busy {
  const [isBusy, setIsBusy] = useState(false);
  // State only changes with the next render, which is too late for a double click.
  const isRunning = useRef(false);
  const run = useCallback(async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setIsBusy(true);
    try {
      return await work();
    } finally {
      isRunning.current = false;
      setIsBusy(false);
    }
  }, []);
  const isBusyNow = useCallback(() => isRunning.current, []);
  return { isBusy, isBusyNow, run };
}
