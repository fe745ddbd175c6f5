/** A write-only value: a password or a private attribute. It stays unchanged until a new one is entered. */
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import type { ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { useField } from './use-field.ts';

export function SecretField(props: FieldProps<ScalarAttribute>) {
  const translate = useTranslate();
  const { attribute } = props;
  const { id, field, problem, isReadOnly } = useField(props, { parse: (text) => (text === '' ? undefined : text) });
  return (
    <TextField
      {...field}
      id={id}
      type={attributeType(attribute.type).input === 'password' ? 'password' : 'text'}
      label={fieldLabel(props)}
      placeholder={translate('hint.unchanged')}
      autoComplete="new-password"
      fullWidth
      error={problem !== undefined}
      helperText={<HelperLine attribute={attribute} problem={problem} value={field.value} />}
      slotProps={{ input: { readOnly: isReadOnly }, inputLabel: { shrink: true } }}
    />
  );
}
