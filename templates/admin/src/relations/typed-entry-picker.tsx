/** Selects an entry of one of several types: first the type, then the entry. */
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type ComponentProps, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { ContentType, RelationAttribute } from '../model/model.ts';
import { EntryPicker } from './entry-picker.tsx';
import { useTargetTypes } from './target-types.ts';
import type { RelatedDrawer } from './use-related-drawer.tsx';

interface Props extends Omit<ComponentProps<typeof EntryPicker>, 'type' | 'onCreate'> {
  readonly attribute: RelationAttribute;
  readonly createOf: RelatedDrawer['createOf'];
}

export function TypedEntryPicker({ attribute, createOf, value, onChange, ...field }: Props) {
  const translate = useTranslate();
  const types = useTargetTypes(attribute);
  const [chosen, setChosen] = useState<ContentType>();
  const type = chosen ?? types.find(({ uid }) => uid === value?.type) ?? types[0];
  if (!type) return null;
  const isMorph = attribute.targets !== undefined;
  const picker = (
    <EntryPicker
      {...field}
      key={type.uid}
      type={type}
      onCreate={createOf(type)}
      value={value?.type === undefined || value.type === type.uid ? value : null}
      onChange={(entry) => onChange(entry && isMorph ? { ...entry, type: type.uid } : entry)}
    />
  );
  if (types.length < 2) return picker;
  return (
    <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 1 }}>
      <TextField
        select
        size={field.size ?? 'medium'}
        label={translate('relation.type')}
        value={type.uid}
        disabled={field.disabled === true}
        onChange={({ target }) => setChosen(types.find(({ uid }) => uid === target.value))}
        sx={{ minWidth: 160 }}
      >
        {types.map(({ uid, displayName }) => (
          <MenuItem key={uid} value={uid}>
            {displayName}
          </MenuItem>
        ))}
      </TextField>
      <Stack sx={{ flex: 1 }}>{picker}</Stack>
    </Stack>
  );
}
