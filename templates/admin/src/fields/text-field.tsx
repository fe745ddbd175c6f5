/** Single-line and multi-line inputs: texts, numbers, dates. */
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { type HTMLInputTypeAttribute, memo, type ReactNode } from 'react';
import type { InputKind } from '../../../runtime/src/contract/attribute-types/input-kind.ts';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import type { ScalarAttribute } from '../model/model.ts';
import { formatMoment, formatTime, parseMoment, parseNumber, parseText, parseTime } from './conversions.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { FullScreen, useFullScreen } from './full-screen.tsx';
import { HelperLine } from './helper-line.tsx';
import { type Field, useField } from './use-field.ts';
import { WordCount } from './word-count.tsx';

interface TextInput {
  readonly inputType?: HTMLInputTypeAttribute;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly isLong?: boolean;
  readonly step?: number;
  readonly format?: (value: unknown) => unknown;
  readonly parse?: (text: unknown) => unknown;
}

const TEXT_INPUTS: Readonly<Partial<Record<InputKind, TextInput>>> = {
  textarea: { isLong: true },
  email: { inputType: 'email' },
  integer: { inputMode: 'numeric', parse: parseNumber },
  biginteger: { inputMode: 'numeric', parse: parseText },
  decimal: { inputMode: 'decimal', parse: parseNumber },
  date: { inputType: 'date', parse: parseText },
  time: { inputType: 'time', step: 1, format: formatTime, parse: parseTime },
  datetime: { inputType: 'datetime-local', step: 1, format: formatMoment, parse: parseMoment },
};

function textInput({ type }: ScalarAttribute): TextInput {
  return TEXT_INPUTS[attributeType(type).input] ?? {};
}

type InputProps = FieldProps<ScalarAttribute> &
  Omit<Field['field'], 'name'> &
  Pick<Field, 'id' | 'problem' | 'isReadOnly'> & { readonly adornment?: ReactNode };

/** Memoized: the form rerenders its fields more often than their values change. */
const Input = memo(({ attribute, name, source, id, problem, isReadOnly, adornment, ...field }: InputProps) => {
  const { inputType, inputMode, isLong, step } = textInput(attribute);
  const isPicked = inputType === 'date' || inputType === 'time' || inputType === 'datetime-local';
  return (
    <TextField
      {...field}
      name={source}
      id={id}
      type={inputType ?? 'text'}
      label={fieldLabel({ name, attribute })}
      multiline={isLong === true}
      minRows={isLong === true ? 3 : undefined}
      maxRows={20}
      fullWidth
      error={problem !== undefined}
      helperText={
        <HelperLine
          attribute={attribute}
          problem={problem}
          value={field.value}
          {...(isLong === true && { words: <WordCount value={field.value} textOf={String} /> })}
        />
      }
      slotProps={{
        input: { readOnly: isReadOnly, endAdornment: adornment },
        inputLabel: isPicked ? { shrink: true } : {},
        htmlInput: {
          dir: isPicked || inputMode !== undefined ? undefined : 'auto',
          inputMode,
          step,
          'aria-required': attribute.required === true,
        },
      }}
    />
  );
});

function LongTextField(props: FieldProps<ScalarAttribute>) {
  const { id, field, problem, isReadOnly } = useField(props, textInput(props.attribute));
  const { button, ...full } = useFullScreen();
  return (
    <FullScreen label={fieldLabel(props)} {...full}>
      <Input
        {...field}
        {...props}
        id={id}
        problem={problem}
        isReadOnly={isReadOnly}
        adornment={
          <InputAdornment position="end" sx={{ alignSelf: 'flex-start', mt: 1.5 }}>
            {button}
          </InputAdornment>
        }
      />
    </FullScreen>
  );
}

function ShortTextField(props: FieldProps<ScalarAttribute>) {
  const { id, field, problem, isReadOnly } = useField(props, textInput(props.attribute));
  return <Input {...field} {...props} id={id} problem={problem} isReadOnly={isReadOnly} />;
}

export function ScalarTextField(props: FieldProps<ScalarAttribute>) {
  return textInput(props.attribute).isLong === true ? <LongTextField {...props} /> : <ShortTextField {...props} />;
}
