import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { type PermissionRow, type PermissionTree, rowsOf, withPermission } from './permission-tree.ts';

interface RowProps {
  readonly row: PermissionRow;
  readonly isReadOnly: boolean;
  readonly onChange: (action: string, isOn: boolean) => void;
}

function MatrixRow({ row, isReadOnly, onChange }: RowProps) {
  const id = useId();
  return (
    <Stack
      role="group"
      aria-labelledby={id}
      direction={{ xs: 'column', md: 'row' }}
      sx={{ px: 2, py: 0.5, borderBottom: 1, borderColor: 'divider', alignItems: { md: 'center' } }}
    >
      <Typography id={id} component="span" variant="subtitle2" sx={{ width: 200, flexShrink: 0 }}>
        {row.name}
      </Typography>
      <FormGroup row>
        {Object.entries(row.actions).map(([action, isOn]) => (
          <FormControlLabel
            key={action}
            label={action}
            disabled={isReadOnly}
            control={<Checkbox size="small" checked={isOn} onChange={(_event, checked) => onChange(action, checked)} />}
            slotProps={{ typography: { variant: 'body2' } }}
          />
        ))}
      </FormGroup>
    </Stack>
  );
}

interface Props {
  readonly tree: PermissionTree;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (tree: PermissionTree) => void;
}

/** Checkboxes for the actions of all types and endpoints. */
export function PermissionMatrix({ tree, label, isReadOnly, onChange }: Props) {
  return (
    <Paper variant="outlined">
      <Stack role="group" aria-label={label}>
        {rowsOf(tree).map((row) => (
          <MatrixRow
            key={`${row.plugin}.${row.controller}`}
            row={row}
            isReadOnly={isReadOnly}
            onChange={(action, isOn) => onChange(withPermission(tree, row, action, isOn))}
          />
        ))}
      </Stack>
    </Paper>
  );
}
