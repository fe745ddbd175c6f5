/** Beside the label of a list of components: how many there are, and a button that expands or collapses them. */
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useTranslate } from 'react-admin';
import type { Items } from './use-items.ts';

export function ItemsAside({ fields, isAnyOpen, toggleAll }: Items) {
  const translate = useTranslate();
  return (
    <>
      <Chip size="small" label={fields.length} />
      {fields.length > 1 && (
        <Button size="small" color="inherit" onClick={toggleAll}>
          {translate(isAnyOpen ? 'items.collapseAll' : 'items.expandAll')}
        </Button>
      )}
    </>
  );
}
