import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { fieldLabel } from '../fields/field-label.ts';
import type { FieldProps } from '../fields/field-props.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { HelperLine } from '../fields/helper-line.tsx';
import { useRawField } from '../fields/use-raw-field.ts';
import type { RelationAttribute } from '../model/model.ts';
import { useEntryLink } from './entry-link.ts';
import type { EntryRef } from './entry-ref.ts';
import { TypedEntryPicker } from './typed-entry-picker.tsx';

export function RelationOneField(props: FieldProps<RelationAttribute>) {
  const translate = useTranslate();
  const { attribute } = props;
  const { locale } = useFormMode();
  const { value, onChange, isReadOnly, problem } = useRawField<EntryRef | null>(props, (entry) => entry === null);
  const link = useEntryLink(attribute)(value);
  const open = translate('relation.open', { title: value?.title ?? '' });
  return (
    <Stack direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <TypedEntryPicker
          attribute={attribute}
          label={fieldLabel(props)}
          value={value}
          onChange={onChange}
          locale={locale}
          disabled={isReadOnly || attribute.morphBy !== undefined}
          error={problem !== undefined}
          helperText={<HelperLine attribute={attribute} problem={problem} />}
        />
      </Box>
      {link !== undefined && (
        <Tooltip title={open}>
          <IconButton component={Link} to={link} aria-label={open} sx={{ mt: 1 }}>
            <OpenInNewIcon />
          </IconButton>
        </Tooltip>
      )}
    </Stack>
  );
}
