/** A slug, such as `a-first-story`: typed or generated from another attribute. */
import AutorenewIcon from '@mui/icons-material/Autorenew';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import { useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { slugify } from '../../../runtime/src/contract/values/slugify.ts';
import { labelOf, type ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { HelperLine } from './helper-line.tsx';
import { useOwnerAttributes } from './owner-attributes.ts';
import { useField } from './use-field.ts';

export function UidField(props: FieldProps<ScalarAttribute>) {
  const translate = useTranslate();
  const { getValues } = useFormContext();
  const { source, name, attribute } = props;
  const { id, field, problem, isReadOnly } = useField(props);
  const { targetField } = attribute;
  const siblings = useOwnerAttributes();
  const label =
    targetField === undefined ? '' : translate('field.makeFrom', { name: labelOf(targetField, siblings[targetField]) });
  const make = (): void => {
    const value: unknown = getValues(`${source.slice(0, source.length - name.length)}${targetField}`);
    // The server also transliterates other scripts, if the field is left empty.
    if (typeof value === 'string') field.onChange(slugify(value));
  };
  return (
    <TextField
      {...field}
      id={id}
      label={fieldLabel(props)}
      fullWidth
      error={problem !== undefined}
      helperText={<HelperLine attribute={attribute} problem={problem} value={field.value} />}
      slotProps={{
        input: {
          readOnly: isReadOnly,
          endAdornment: targetField !== undefined && !isReadOnly && (
            <InputAdornment position="end">
              <Tooltip title={label}>
                <IconButton aria-label={label} onClick={make} edge="end">
                  <AutorenewIcon />
                </IconButton>
              </Tooltip>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
