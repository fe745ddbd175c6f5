import RestoreFromTrashIcon from '@mui/icons-material/RestoreFromTrash';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { ContentType } from '../model/model.ts';
import { useHasTrash } from './trash.ts';

const TrashDialog = lazy(() => import('./trash-dialog.tsx'));

/** Opens the deleted entries of a type, if it keeps them and the role may restore them. */
export function TrashButton({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const hasTrash = useHasTrash(type);
  const [isOpen, setIsOpen] = useState(false);
  if (!hasTrash) return null;
  return (
    <>
      <Button size="small" startIcon={<RestoreFromTrashIcon />} onClick={() => setIsOpen(true)}>
        {translate('trash.title')}
      </Button>
      {isOpen && (
        <Suspense>
          <TrashDialog type={type} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
