import { useEffect } from 'react';
import { useIsDirty } from './use-is-dirty.ts';

/** Closing the page asks, where something is not saved. Links within the page ask by themselves. */
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
