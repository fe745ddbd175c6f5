/** JSON as text. Invalid JSON stays in the field, but can't be saved. */
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useInput } from 'react-admin';
import type { ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { useFormMode } from './form-mode.ts';
import { HelperLine } from './helper-line.tsx';
import { brokenRule } from './rules.ts';

/** Text that is not valid JSON, as a form value that fails validation. */
class NoJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return new NoJson(text);
  }
}

function print(value: unknown): string {
  if (value instanceof NoJson) return value.text;
  return value === null || value === undefined ? '' : JSON.stringify(value, undefined, 2);
}

export function JsonField(props: FieldProps<ScalarAttribute>) {
  const { source, attribute } = props;
  const { isDraft, isReadOnly } = useFormMode();
  const { id, field, fieldState } = useInput({
    source,
    format: (value: unknown) => value,
    parse: (value: unknown) => value,
    validate: (value: unknown) =>
      value instanceof NoJson ? { message: 'rules.json', args: {} } : brokenRule(value, attribute, isDraft),
  });
  const [draft, setDraft] = useState<string>();
  const isSame = draft !== undefined && JSON.stringify(parse(draft)) === JSON.stringify(field.value);
  const problem = fieldState.error?.message;
  return (
    <TextField
      id={id}
      label={fieldLabel(props)}
      multiline
      minRows={3}
      maxRows={20}
      fullWidth
      value={isSame ? draft : print(field.value)}
      onChange={({ target }) => {
        setDraft(target.value);
        field.onChange(parse(target.value));
      }}
      onBlur={() => {
        field.onBlur();
        setDraft(undefined);
      }}
      error={problem !== undefined}
      helperText={<HelperLine attribute={attribute} problem={problem} />}
      slotProps={{
        input: { readOnly: isReadOnly || attribute.writable === false },
        htmlInput: { dir: 'ltr', spellCheck: false, sx: { fontFamily: 'monospace', fontSize: 13 } },
      }}
    />
  );
}
