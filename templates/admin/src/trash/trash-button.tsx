import RestoreFromTrashIcon from '@mui/icons-material/RestoreFromTrash';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { ContentType } from '../model/model.ts';
import { type Trash, useFileTrash, useTypeTrash } from './trash.ts';

const TrashDialog = lazy(() => import('./trash-dialog.tsx'));

/** Opens the deleted entries of a type, if it keeps them and the role may restore them. */
export function TrashButton({ type }: { readonly type: ContentType }) {
  const trash = useTypeTrash(type);
  return trash ? <OpenTrash trash={trash} /> : null;
}

/** Opens the deleted files, likewise. */
export function FileTrashButton() {
  const trash = useFileTrash();
  return trash ? <OpenTrash trash={trash} /> : null;
}

function OpenTrash({ trash }: { readonly trash: Trash }) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" startIcon={<RestoreFromTrashIcon />} onClick={() => setIsOpen(true)}>
        {translate('trash.title')}
      </Button>
      {isOpen && (
        <Suspense>
          <TrashDialog trash={trash} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
