/** The value of a field, with validation and its error message. */
import { useInput, type UseInputValue } from 'react-admin';
import { useFormMode } from './form-mode.ts';
import type { FieldProps } from './field-props.ts';
import type { ScalarAttribute } from '../model/model.ts';
import { brokenRule } from './rules.ts';

interface Conversion {
  /** From the form value to the value of the input. */
  readonly format?: (value: unknown) => unknown;
  readonly parse?: (text: unknown) => unknown;
}

export interface Field extends UseInputValue {
  readonly isReadOnly: boolean;
  /** The error message, if any. */
  readonly problem: string | undefined;
}

export function useField(
  { source, attribute }: FieldProps<ScalarAttribute>,
  { format, parse }: Conversion = {},
): Field {
  const { isReadOnly, isDraft } = useFormMode();
  const input = useInput({
    source,
    format: format ?? ((value: unknown) => value ?? ''),
    parse: parse ?? ((text: unknown) => (text === '' ? null : text)),
    validate: (value: unknown) => brokenRule(value, attribute, isDraft),
    isRequired: attribute.required === true,
  });
  const { error } = input.fieldState;
  return {
    ...input,
    isReadOnly: isReadOnly || attribute.writable === false,
    problem: error && (error.message ?? 'rules.invalid'),
  };
}
