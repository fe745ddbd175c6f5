/** Opens the import of a CSV file. The rest of it is loaded then. */
import UploadIcon from '@mui/icons-material/UploadFileOutlined';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useWriteRights } from '../entry/write-rights.ts';
import type { ContentType } from '../model/model.ts';

const ImportDialog = lazy(() => import('./import-dialog.tsx'));

export function ImportButton({ type, locale }: { readonly type: ContentType; readonly locale: string | undefined }) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  const { canSave } = useWriteRights(type, undefined);
  // Batches don't write users.
  if (!canSave || type.uid === 'user' || type.kind === 'single') return null;
  return (
    <>
      <Button size="small" startIcon={<UploadIcon />} onClick={() => setIsOpen(true)}>
        {translate('csv.import')}
      </Button>
      {isOpen && (
        <Suspense>
          <ImportDialog type={type} locale={locale} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
