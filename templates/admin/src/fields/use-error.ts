/** What is wrong at a path of the form. */
import { useCallback, useSyncExternalStore } from 'react';
import { type FieldError, type FieldValues, useFormContext } from 'react-hook-form';

/** The error at a path; that of an object or an array may have those of what is inside of it instead. */
export type ErrorAt = (FieldError & { readonly root?: FieldError }) | undefined;

/**
 * What `read` makes of the error at `source`: a text or a boolean. Only a change of that draws again, while `useFormState` does
 * whenever an error anywhere below `source` might have changed, such as at the first key: fatal for what holds a hundred fields.
 */
export function useError<T extends string | boolean | undefined>(source: string, read: (error: ErrorAt) => T): T {
  const { subscribe, getFieldState } = useFormContext<FieldValues>();
  const onChange = useCallback(
    (callback: () => void) => subscribe({ name: source, formState: { errors: true }, callback }),
    [subscribe, source],
  );
  return useSyncExternalStore(onChange, () => read(getFieldState(source).error));
}
