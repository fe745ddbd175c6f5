import ViewColumnIcon from '@mui/icons-material/ViewColumn';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Divider from '@mui/material/Divider';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { type ContentType, labelOf } from '../model/model.ts';
import { possibleColumns, useColumns, useCompactRows } from './columns.ts';

export function ColumnsButton({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [columns, setColumns] = useColumns(type);
  const [isCompact, setIsCompact] = useCompactRows();
  const possible = possibleColumns(type);
  const toggle = (name: string): void => {
    setColumns(possible.filter((other) => columns.includes(other) !== (other === name)));
  };
  return (
    <>
      <Button size="small" startIcon={<ViewColumnIcon />} onClick={(event) => setAnchor(event.currentTarget)}>
        {translate('list.columns')}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {possible.map((name) => (
          <MenuItem
            key={name}
            dense
            role="menuitemcheckbox"
            aria-checked={columns.includes(name)}
            onClick={() => toggle(name)}
          >
            <Checkbox
              checked={columns.includes(name)}
              size="small"
              disableRipple
              tabIndex={-1}
              slotProps={{ input: { 'aria-hidden': true, tabIndex: -1 } }}
              sx={{ py: 0 }}
            />
            <ListItemText primary={labelOf(name, type.attributes[name])} />
          </MenuItem>
        ))}
        <Divider />
        <MenuItem
          dense
          role="menuitemcheckbox"
          aria-checked={isCompact}
          selected={isCompact}
          onClick={() => setIsCompact(!isCompact)}
        >
          {translate('views.compact')}
        </MenuItem>
        <MenuItem dense onClick={() => setColumns(undefined)}>
          {translate('list.columnsOfSchema')}
        </MenuItem>
      </Menu>
    </>
  );
}
