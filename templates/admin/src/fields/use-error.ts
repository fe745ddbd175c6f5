/** The error at a path of the form. */
import { useCallback, useSyncExternalStore } from 'react';
import { type FieldError, type FieldValues, useFormContext } from 'react-hook-form';

/** The error at a path. For an object or array, it may hold the errors of its members instead. */
export type ErrorAt = (FieldError & { readonly root?: FieldError }) | undefined;

/**
 * Selects a string or boolean from the error at `source` with `read`, and rerenders only when it changes. `useFormState` would
 * rerender whenever an error below `source` might have changed, which is too slow for an item with a hundred fields.
 */
export function useError<T extends string | boolean | undefined>(source: string, read: (error: ErrorAt) => T): T {
  const { subscribe, getFieldState } = useFormContext<FieldValues>();
  const onChange = useCallback(
    (callback: () => void) => subscribe({ name: source, formState: { errors: true }, callback }),
    [subscribe, source],
  );
  return useSyncExternalStore(onChange, () => read(getFieldState(source).error));
}
