/** Whether something in a form is not saved. */
import { useEffect, useState } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';

/** In milliseconds: by then, the key that has changed something is on the screen. */
const AFTER_KEY = 100;

/** True a moment after the first change, as what it alters on the screen would be drawn before the key that was pressed. */
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
