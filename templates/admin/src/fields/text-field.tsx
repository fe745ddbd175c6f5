/** Single-line and multi-line inputs: texts, numbers, dates. */
import TextField from '@mui/material/TextField';
import { type HTMLInputTypeAttribute, memo } from 'react';
import type { ScalarAttribute } from '../model/model.ts';
import { formatMoment, formatTime, parseMoment, parseNumber, parseText, parseTime } from './conversions.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { type Field, useField } from './use-field.ts';

interface Kind {
  readonly inputType?: HTMLInputTypeAttribute;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly isLong?: boolean;
  readonly step?: number;
  readonly format?: (value: unknown) => unknown;
  readonly parse?: (text: unknown) => unknown;
}

const MOMENT: Kind = { inputType: 'datetime-local', step: 1, format: formatMoment, parse: parseMoment };

const KINDS: Partial<Record<ScalarAttribute['type'], Kind>> = {
  text: { isLong: true },
  email: { inputType: 'email' },
  integer: { inputMode: 'numeric', parse: parseNumber },
  biginteger: { inputMode: 'numeric', parse: parseText },
  float: { inputMode: 'decimal', parse: parseNumber },
  decimal: { inputMode: 'decimal', parse: parseNumber },
  date: { inputType: 'date', parse: parseText },
  time: { inputType: 'time', step: 1, format: formatTime, parse: parseTime },
  datetime: MOMENT,
  timestamp: MOMENT,
};

type InputProps = FieldProps<ScalarAttribute> &
  Omit<Field['field'], 'name'> &
  Pick<Field, 'id' | 'problem' | 'isReadOnly'>;

/** Memoized: the form rerenders its fields more often than their values change. */
const Input = memo(({ attribute, name, source, id, problem, isReadOnly, ...field }: InputProps) => {
  const kind = KINDS[attribute.type] ?? {};
  const isPicked = kind.inputType === 'date' || kind.inputType === 'time' || kind.inputType === 'datetime-local';
  return (
    <TextField
      {...field}
      name={source}
      id={id}
      type={kind.inputType ?? 'text'}
      label={fieldLabel({ name, attribute })}
      multiline={kind.isLong === true}
      minRows={kind.isLong === true ? 3 : undefined}
      maxRows={20}
      fullWidth
      error={problem !== undefined}
      helperText={<HelperLine attribute={attribute} problem={problem} value={field.value} />}
      slotProps={{
        input: { readOnly: isReadOnly },
        inputLabel: isPicked ? { shrink: true } : {},
        htmlInput: {
          dir: isPicked || kind.inputMode !== undefined ? undefined : 'auto',
          inputMode: kind.inputMode,
          step: kind.step,
          'aria-required': attribute.required === true,
        },
      }}
    />
  );
});

export function ScalarTextField(props: FieldProps<ScalarAttribute>) {
  const { id, field, problem, isReadOnly } = useField(props, KINDS[props.attribute.type]);
  return <Input {...field} {...props} id={id} problem={problem} isReadOnly={isReadOnly} />;
}
