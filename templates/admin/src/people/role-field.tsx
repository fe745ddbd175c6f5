import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { fieldLabel } from '../fields/field-label.ts';
import type { FieldProps } from '../fields/field-props.ts';
import { HelperLine } from '../fields/helper-line.tsx';
import { useRawField } from '../fields/use-raw-field.ts';
import type { RelationAttribute } from '../model/model.ts';
import type { EntryRef } from '../relations/entry-ref.ts';
import { useRoles } from './roles.ts';

/** The role of a user, as a select: servers have few roles. */
export function RoleField(props: FieldProps<RelationAttribute>) {
  const { value, onChange, isReadOnly, problem } = useRawField<EntryRef | null>(props, (role) => role === null);
  const { data = [] } = useRoles();
  const roles = value && !data.some(({ id }) => id === value.id) ? [{ id: value.id, name: value.title }] : data;
  return (
    <TextField
      select
      fullWidth
      label={fieldLabel(props)}
      value={value?.id ?? ''}
      onChange={({ target }) => {
        const role = data.find(({ id }) => id === Number(target.value));
        if (role) onChange({ id: role.id, title: role.name });
      }}
      error={problem !== undefined}
      helperText={<HelperLine attribute={props.attribute} problem={problem} />}
      slotProps={{ input: { readOnly: isReadOnly } }}
    >
      {roles.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
