import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { enumLabelOf, type ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { useField } from './use-field.ts';

export function EnumerationField(props: FieldProps<ScalarAttribute>) {
  const translate = useTranslate();
  const { attribute } = props;
  const { id, field, problem, isReadOnly } = useField(props);
  return (
    <TextField
      {...field}
      id={id}
      select
      label={fieldLabel(props)}
      fullWidth
      error={problem !== undefined}
      helperText={<HelperLine attribute={attribute} problem={problem} />}
      slotProps={{ input: { readOnly: isReadOnly } }}
    >
      {attribute.required !== true && (
        <MenuItem value="">
          <em>{translate('field.empty')}</em>
        </MenuItem>
      )}
      {(attribute.enum ?? []).map((value) => (
        <MenuItem key={value} value={value}>
          {enumLabelOf(attribute, value)}
        </MenuItem>
      ))}
    </TextField>
  );
}
