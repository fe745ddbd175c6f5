/** A slug, such as `a-first-story`: typed, or generated from another attribute, which it follows in a new entry. */
import AutorenewIcon from '@mui/icons-material/Autorenew';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import { useEffect, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { useFormContext, useWatch } from 'react-hook-form';
import { slugify } from '../../../runtime/src/contract/values/slugify.ts';
import { labelOf, type ScalarAttribute } from '../model/model.ts';
import { fieldLabel } from './field-label.ts';
import type { FieldProps } from './field-props.ts';
import { useFormMode } from './form-mode.ts';
import { HelperLine } from './helper-line.tsx';
import { useOwnerAttributes } from './owner-attributes.ts';
import { useField } from './use-field.ts';

/** The slug of a text; the server also transliterates other scripts, if the field is left empty. */
function slugOf(text: unknown, { maxLength }: ScalarAttribute): string {
  return typeof text === 'string' ? slugify(text).slice(0, maxLength) : '';
}

/** In a new entry, the slug changes with its text, until it is something else: whoever types or empties it decides. */
function useFollowing(
  { source, name, attribute }: FieldProps<ScalarAttribute>,
  onChange: (slug: string) => void,
  isReadOnly: boolean,
): void {
  const { isNew = false } = useFormMode();
  const { getValues } = useFormContext();
  const { targetField } = attribute;
  const isWanted = isNew && targetField !== undefined && !isReadOnly;
  const path = `${source.slice(0, source.length - name.length)}${targetField}`;
  const text: unknown = useWatch({ name: path, disabled: !isWanted });
  const before = useRef<unknown>(undefined);
  useEffect(() => {
    if (!isWanted) return;
    const current: unknown = getValues(source);
    const [was, now] = [slugOf(before.current, attribute), slugOf(text, attribute)];
    before.current = text;
    if (was !== now && (current ?? '') === was) onChange(now);
  }, [isWanted, text]);
}

export function UidField(props: FieldProps<ScalarAttribute>) {
  const translate = useTranslate();
  const { getValues } = useFormContext();
  const { source, name, attribute } = props;
  const { id, field, problem, isReadOnly } = useField(props);
  useFollowing(props, field.onChange, isReadOnly);
  const { targetField } = attribute;
  const siblings = useOwnerAttributes();
  const label =
    targetField === undefined ? '' : translate('field.makeFrom', { name: labelOf(targetField, siblings[targetField]) });
  const make = (): void => {
    const value: unknown = getValues(`${source.slice(0, source.length - name.length)}${targetField}`);
    if (typeof value === 'string') field.onChange(slugOf(value, attribute));
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
        htmlInput: { dir: 'ltr' },
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
