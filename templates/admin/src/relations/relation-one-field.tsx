import EditIcon from '@mui/icons-material/EditOutlined';
import OpenInNewIcon from '@mui/icons-material/OpenInNew';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import { useTranslate } from 'react-admin';
import { useHref } from 'react-router';
import { fieldLabel } from '../fields/field-label.ts';
import type { FieldProps } from '../fields/field-props.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { HelperLine } from '../fields/helper-line.tsx';
import { useRawField } from '../fields/use-raw-field.ts';
import type { RelationAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useEntryForm } from './entry-forms.tsx';
import { useEntryLink } from './entry-link.ts';
import type { EntryRef } from './entry-ref.ts';
import { TypedEntryPicker } from './typed-entry-picker.tsx';
import { useRelatedDrawer } from './use-related-drawer.tsx';

export function RelationOneField(props: FieldProps<RelationAttribute>) {
  const translate = useTranslate();
  const { attribute } = props;
  const { locale } = useFormMode();
  const { value, onChange, isReadOnly, problem } = useRawField<EntryRef | null>(props, (entry) => entry === null);
  const { latest } = useEntryForm();
  const type = useModel().type(value?.type ?? attribute.target);
  const shown = value && latest(type, value);
  const link = useEntryLink(attribute)(value);
  const href = useHref(link ?? '/');
  const { edit, createOf, drawer } = useRelatedDrawer(props.source, attribute, onChange);
  const title = shown?.title ?? '';
  const editLabel = translate('drawer.edit', { title });
  const openLabel = translate('relation.open', { title });
  return (
    <Stack direction="row" sx={{ gap: 0.5, alignItems: 'flex-start' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <TypedEntryPicker
          attribute={attribute}
          label={fieldLabel(props)}
          value={shown}
          createOf={createOf}
          onChange={onChange}
          locale={locale}
          disabled={isReadOnly || attribute.morphBy !== undefined}
          error={problem !== undefined}
          helperText={<HelperLine attribute={attribute} problem={problem} />}
        />
      </Box>
      {shown && link !== undefined && (
        <>
          {edit && type?.kind === 'collection' && (
            <Tooltip title={editLabel}>
              <IconButton aria-label={editLabel} onClick={() => edit(shown)}>
                <EditIcon />
              </IconButton>
            </Tooltip>
          )}
          <Tooltip title={openLabel}>
            <IconButton component="a" href={href} target="_blank" rel="noopener" aria-label={openLabel}>
              <OpenInNewIcon />
            </IconButton>
          </Tooltip>
        </>
      )}
      {drawer}
    </Stack>
  );
}
