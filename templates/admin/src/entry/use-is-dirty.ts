/** Whether a form has unsaved changes. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';

/** Delay in milliseconds, by which the browser has painted the typed character. */
const AFTER_KEY = 100;

export interface Dirty {
  /** Becomes true shortly after the first change, so that the rerender does not delay the typed character. */
  readonly isDirty: boolean;
  /** The current value, without that delay. */
  readonly isDirtyNow: () => boolean;
}

export function useIsDirty(): Dirty {
  const { subscribe } = useFormContext<FieldValues>();
  const [isDirty, setDirty] = useState(false);
  const latest = useRef(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = (now: boolean): void => {
      clearTimeout(timer);
      timer = undefined;
      setDirty(now);
    };
    const unsubscribe = subscribe({
      formState: { isDirty: true },
      callback: ({ isDirty: now = false }) => {
        latest.current = now;
        if (!now) update(false);
        else timer ??= setTimeout(update, AFTER_KEY, true);
      },
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [subscribe]);
  return { isDirty, isDirtyNow: useCallback(() => latest.current, []) };
}
