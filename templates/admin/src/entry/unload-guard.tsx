import { useEffect } from 'react';
import { useIsDirty } from './use-is-dirty.ts';

/** Asks for confirmation before the page is closed with unsaved changes. The form handles links within the page. */
export function UnloadGuard() {
  const isDirty = useIsDirty();
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
  return null;
}
