/** Values of one line or several: texts, numbers, dates. */
import TextField from '@mui/material/TextField';
import type { HTMLInputTypeAttribute } from 'react';
import type { ScalarAttribute } from '../model/model.ts';
import { formatMoment, formatTime, parseMoment, parseNumber, parseText, parseTime } from './conversions.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { useField } from './use-field.ts';

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

export function ScalarTextField(props: FieldProps<ScalarAttribute>) {
  const { attribute } = props;
  const kind = KINDS[attribute.type] ?? {};
  const { id, field, problem, isReadOnly } = useField(props, kind);
  const isPicked = kind.inputType === 'date' || kind.inputType === 'time' || kind.inputType === 'datetime-local';
  return (
    <TextField
      {...field}
      id={id}
      type={kind.inputType ?? 'text'}
      label={fieldLabel(props)}
      multiline={kind.isLong === true}
      minRows={kind.isLong === true ? 3 : undefined}
      maxRows={20}
      fullWidth
      error={problem !== undefined}
      helperText={<HelperLine attribute={attribute} problem={problem} value={field.value} />}
      slotProps={{
        input: { readOnly: isReadOnly },
        inputLabel: isPicked ? { shrink: true } : {},
        htmlInput: { inputMode: kind.inputMode, step: kind.step, 'aria-required': attribute.required === true },
      }}
    />
  );
}
