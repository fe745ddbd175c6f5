/** Actions on selected entries that the role may perform. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import { lazy, Suspense, useState } from 'react';
import {
  Confirm,
  useDataProvider,
  useListContext,
  useNotify,
  useRefresh,
  useTranslate,
  useUnselect,
} from 'react-admin';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { OwnListButtons } from '../own/own-list-buttons.tsx';
import { changingAction } from '../rest/permitted-entries.ts';
import { SomeFailedError } from '../rest/some-failed-error.ts';
import { bulkAttributes } from './bulk-attributes.ts';
import { BulkPublish } from './bulk-publish.tsx';
import { useFailureText } from './failure-text.ts';

const BulkEditDialog = lazy(() => import('./bulk-edit-dialog.tsx'));

/** Returns a function that deletes the selected entries, and says what became of them. */
function useBulkDelete(type: ContentType) {
  const { selectedIds } = useListContext();
  const provider = useDataProvider();
  const notify = useNotify();
  const translate = useTranslate();
  const refresh = useRefresh();
  const failureText = useFailureText(type);
  const resource = resourceOf(type);
  const unselect = useUnselect(resource);
  return async (): Promise<void> => {
    let failures: SomeFailedError['failures'] = [];
    try {
      await provider.deleteMany(resource, { ids: selectedIds });
    } catch (error) {
      if (!(error instanceof SomeFailedError)) throw error;
      failures = error.failures;
    }
    const failed = new Set(failures.map(([id]) => id));
    const done = translate('bulk.deleteDone', { smart_count: selectedIds.length - failed.size });
    unselect(selectedIds.filter((id) => !failed.has(id)));
    refresh();
    if (failures.length === 0) return notify(done, { type: 'success' });
    const text = [done, translate('bulk.failed'), ...failureText(failures)].join('\n');
    notify(text, { type: 'warning', multiLine: true, autoHideDuration: null });
  };
}

function BulkDelete({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const { selectedIds } = useListContext();
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, run } = useBusy();
  const perform = useBulkDelete(type);
  const label = translate('ra.action.delete');
  return (
    <>
      <Button size="small" color="error" startIcon={<DeleteIcon />} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        loading={isBusy}
        title={translate('bulk.delete', { smart_count: selectedIds.length })}
        content={translate('bulk.deleteExplained')}
        confirm={label}
        confirmColor="warning"
        onConfirm={() => void run(perform).then(() => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

function BulkEdit({ type }: { readonly type: ContentType }) {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" startIcon={<EditIcon />} onClick={() => setIsOpen(true)}>
        {translate('bulkEdit.action')}
      </Button>
      {isOpen && (
        <Suspense>
          <BulkEditDialog type={type} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Whether the role may do anything with several entries of a type at once. */
export function useCanChangeMany(type: ContentType): boolean {
  const may = useMay();
  return may(type.uid, 'delete') || useCanEditMany(type);
}

function useCanEditMany(type: ContentType): boolean {
  const may = useMay();
  const action = changingAction(may, type);
  const isPermitted = may(type.uid, action) && (action === 'update' || type.draftAndPublish);
  // Batches don't write users.
  return isPermitted && type.uid !== 'user' && Object.keys(bulkAttributes(type, action)).length > 0;
}

export function BulkActions({ type }: { readonly type: ContentType }) {
  const may = useMay();
  const canPublish = type.draftAndPublish && may(type.uid, 'update');
  const canEdit = useCanEditMany(type);
  return (
    <>
      <OwnListButtons type={type} />
      {canPublish && <BulkPublish type={type} action="publish" />}
      {canPublish && <BulkPublish type={type} action="unpublish" />}
      {canEdit && <BulkEdit type={type} />}
      {may(type.uid, 'delete') && <BulkDelete type={type} />}
    </>
  );
}
