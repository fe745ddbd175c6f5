/** A field whose value is not text: relations, media, blocks. */
import { useController } from 'react-hook-form';
import type { FieldProps } from './field-props.ts';
import { useFormMode } from './form-mode.ts';

export interface RawField<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly isReadOnly: boolean;
  readonly problem: string | undefined;
}

/** `isEmpty` decides whether a required value is missing. */
export function useRawField<T>({ source, attribute }: FieldProps, isEmpty: (value: T) => boolean): RawField<T> {
  const { isReadOnly, isDraft } = useFormMode();
  const { field, fieldState } = useController({
    name: source,
    rules: {
      validate: (value: T) =>
        attribute.required === true && !isDraft && value !== undefined && isEmpty(value) ? 'rules.required' : true,
    },
  });
  return {
    value: field.value as T,
    onChange: field.onChange,
    isReadOnly: isReadOnly || attribute.writable === false,
    problem: fieldState.error && (fieldState.error.message ?? 'rules.invalid'),
  };
}
