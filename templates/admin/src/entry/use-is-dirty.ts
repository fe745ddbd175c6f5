/** Whether a form has unsaved changes. */
import { useEffect, useState } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';

/** Delay in milliseconds, after which the typed character has been painted. */
const AFTER_KEY = 100;

/** Becomes true shortly after the first change, so that the rerender does not delay the typed character. */
export function useIsDirty(): boolean {
  const { subscribe } = useFormContext<FieldValues>();
  const [isDirty, setDirty] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (now: boolean): void => {
      clearTimeout(timer);
      timer = undefined;
      setDirty(now);
    };
    const unsubscribe = subscribe({
      formState: { isDirty: true },
      callback: ({ isDirty: now = false }) => {
        if (!now) say(false);
        else timer ??= setTimeout(say, AFTER_KEY, true);
      },
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [subscribe]);
  return isDirty;
}
