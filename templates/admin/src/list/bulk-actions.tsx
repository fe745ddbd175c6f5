/** Actions on selected entries that the role may perform. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import PublishIcon from '@mui/icons-material/Publish';
import UnpublishedIcon from '@mui/icons-material/Unpublished';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import {
  Confirm,
  type Identifier,
  type RaRecord,
  useDataProvider,
  useListContext,
  useNotify,
  useRefresh,
  useTranslate,
  useUnselect,
} from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { nameOfPath } from '../entry/error-paths.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { SomeFailedError } from '../rest/some-failed-error.ts';
import { titleOf } from '../rest/rest-entry.ts';

type Action = 'publish' | 'unpublish' | 'delete';

/** How many entries a message names. */
const MAX_NAMED = 5;

const ICONS: Readonly<Record<Action, ReactNode>> = {
  publish: <PublishIcon />,
  unpublish: <UnpublishedIcon />,
  delete: <DeleteIcon />,
};

/** Returns a function that performs an action on the selected entries, and says what became of them. */
function useBulkAction(type: ContentType) {
  const { selectedIds, data } = useListContext<RaRecord & { id: number }>();
  const provider = useDataProvider();
  const notify = useNotify();
  const translate = useTranslate();
  const problemText = useProblemText();
  const refresh = useRefresh();
  const index = useModel();
  const resource = resourceOf(type);
  const unselect = useUnselect(resource);

  async function send(action: Action): Promise<void> {
    const ids = selectedIds;
    if (action === 'delete') await provider.deleteMany(resource, { ids });
    else {
      const publishedAt = action === 'publish' ? new Date().toISOString() : null;
      await provider.updateMany(resource, { ids, data: { publishedAt } });
    }
  }
  /** The entry by its title, if it is on the page, and what is wrong with it. */
  function failureText([id, error]: readonly [Identifier, unknown]): string {
    const record = data?.find((one) => one.id === id);
    const nameOf = (path: readonly string[]): string => nameOfPath(path, type.attributes, record ?? {}, index);
    return `“${record ? titleOf(record, type.mainField) : `#${id}`}”: ${problemText(error, nameOf)}`;
  }
  return async (action: Action): Promise<void> => {
    let failures: SomeFailedError['failures'] = [];
    try {
      await send(action);
    } catch (error) {
      if (!(error instanceof SomeFailedError)) throw error;
      failures = error.failures;
    }
    const failed = new Set(failures.map(([id]) => id));
    const done = translate(`bulk.${action}Done`, { smart_count: selectedIds.length - failed.size });
    unselect(selectedIds.filter((id) => !failed.has(id)));
    refresh();
    if (failures.length === 0) return notify(done, { type: 'success' });
    const named = failures.slice(0, MAX_NAMED).map(failureText);
    const more = failures.length > named.length ? [`… (${failures.length})`] : [];
    const text = [done, translate('bulk.failed'), ...named, ...more].join('\n');
    notify(text, { type: 'warning', multiLine: true, autoHideDuration: null });
  };
}

function BulkButton({ type, action }: { readonly type: ContentType; readonly action: Action }) {
  const translate = useTranslate();
  const { selectedIds } = useListContext();
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, run } = useBusy();
  const perform = useBulkAction(type);
  const label = translate(action === 'delete' ? 'ra.action.delete' : `entry.${action}`);
  return (
    <>
      <Button
        size="small"
        color={action === 'delete' ? 'error' : 'primary'}
        startIcon={ICONS[action]}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        loading={isBusy}
        title={translate(`bulk.${action}`, { smart_count: selectedIds.length })}
        content={translate(`bulk.${action}Explained`)}
        confirm={label}
        confirmColor={action === 'delete' ? 'warning' : 'primary'}
        onConfirm={() => void run(() => perform(action)).then(() => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

export function BulkActions({ type }: { readonly type: ContentType }) {
  const may = useMay();
  const canPublish = type.draftAndPublish && may(type.uid, 'update');
  return (
    <>
      {canPublish && <BulkButton type={type} action="publish" />}
      {canPublish && <BulkButton type={type} action="unpublish" />}
      {may(type.uid, 'delete') && <BulkButton type={type} action="delete" />}
    </>
  );
}
