/** Chooses a folder by its path. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { Folder } from '../../../../runtime/src/contract/upload-folders.ts';
import { useFolderChoices } from './folders.ts';

interface Props {
  readonly label: string;
  readonly folders: readonly Folder[];
  readonly value: number;
  readonly onChange: (folder: number) => void;
  /** A folder into which, and into whose folders, it can't be put. */
  readonly except?: number | undefined;
  readonly readOnly?: boolean;
}

export function FolderSelect({ label, folders, value, onChange, except, readOnly = false }: Props) {
  const choices = useFolderChoices(folders);
  return (
    <TextField
      select
      fullWidth
      label={label}
      value={choices.some(({ id }) => id === value) ? value : ''}
      onChange={({ target }) => onChange(Number(target.value))}
      slotProps={{ input: { readOnly } }}
    >
      {choices
        .filter(({ way }) => way.every(({ id }) => id !== except))
        .map(({ id, path }) => (
          <MenuItem key={id} value={id} sx={{ whiteSpace: 'normal' }}>
            {path}
          </MenuItem>
        ))}
    </TextField>
  );
}
