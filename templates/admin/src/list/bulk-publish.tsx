/** Publishes the selected entries, or takes them back. Nothing is done before those that can't be are named. */
import PublishIcon from '@mui/icons-material/Publish';
import UnpublishedIcon from '@mui/icons-material/Unpublished';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import {
  Confirm,
  type Identifier,
  useDataProvider,
  useListContext,
  useNotify,
  useRefresh,
  useTranslate,
  useUnselect,
} from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useBusy } from '../app/use-busy.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { SomeFailedError } from '../rest/some-failed-error.ts';
import { type Failure, useFailureText } from './failure-text.ts';
import { changeSeveral, EntryRefusedError, isOnlyByRequest } from './change-several.ts';

interface Props {
  readonly type: ContentType;
  readonly action: 'publish' | 'unpublish';
}

/** What became of entries: it is done for some, and others are refused. */
interface Result {
  readonly done: readonly Identifier[];
  readonly refused: readonly Failure[];
}

/** Returns a function that does it for all entries or, if one is refused, for none. */
function useAttempt({ type, action }: Props): (ids: readonly Identifier[]) => Promise<Result> {
  const provider = useDataProvider();
  const { format } = useModel().model;
  const resource = resourceOf(type);

  async function oneByOne(ids: readonly Identifier[]): Promise<Result> {
    const publishedAt = action === 'publish' ? new Date().toISOString() : null;
    try {
      await provider.updateMany(resource, { ids: [...ids], data: { publishedAt } });
      return { done: ids, refused: [] };
    } catch (error) {
      if (!(error instanceof SomeFailedError)) throw error;
      const failed = new Set(error.failures.map(([id]) => id));
      return { done: ids.filter((id) => !failed.has(id)), refused: error.failures };
    }
  }
  return async (ids) => {
    try {
      // Its operations name entries as in the v4 format, which other clients of a v5 server can't send.
      const operationOf = (id: Identifier) =>
        ({ method: 'POST', path: `/api/${resource}/${id}/actions/${action}` }) as const;
      await changeSeveral(ids, operationOf, format === 'v5');
      return { done: ids, refused: [] };
    } catch (error) {
      if (!(error instanceof EntryRefusedError)) throw error;
      if (isOnlyByRequest(error)) return await oneByOne(ids);
      return { done: error.done, refused: [[error.id, error.cause]] };
    }
  };
}

function Refusals({ type, action, refused }: Props & Pick<Result, 'refused'>) {
  const translate = useTranslate();
  const failureText = useFailureText(type);
  return (
    <Alert severity="warning" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      {[translate(`bulk.${action}Refused`), ...failureText(refused)].join('\n')}
    </Alert>
  );
}

export function BulkPublish({ type, action }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const refresh = useRefresh();
  const unselect = useUnselect(resourceOf(type));
  const { selectedIds } = useListContext();
  const [isAsking, setIsAsking] = useState(false);
  const [refused, setRefused] = useState<readonly Failure[]>([]);
  const { isBusy, run } = useBusy();
  const attempt = useAttempt({ type, action });
  const label = translate(`entry.${action}`);
  const remaining = selectedIds.filter((id) => refused.every(([other]) => other !== id));

  function close(): void {
    setIsAsking(false);
    setRefused([]);
  }
  async function perform(): Promise<void> {
    try {
      const result = await attempt(remaining);
      const all = [...refused, ...result.refused];
      if (result.done.length > 0) {
        notify(translate(`bulk.${action}Done`, { smart_count: result.done.length }), { type: 'success' });
        unselect([...result.done]);
        refresh();
      }
      if (result.refused.length === 0) close();
      else setRefused(all);
    } catch (error) {
      notify(problemText(error), { type: 'error' });
      refresh();
      close();
    }
  }
  const hasNone = remaining.length === 0;
  return (
    <>
      <Button
        size="small"
        startIcon={action === 'publish' ? <PublishIcon /> : <UnpublishedIcon />}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        loading={isBusy}
        title={translate(`bulk.${action}`, { smart_count: remaining.length })}
        content={
          refused.length === 0 ? (
            translate(`bulk.${action}Explained`)
          ) : (
            <Refusals type={type} action={action} refused={refused} />
          )
        }
        confirm={hasNone ? translate('ra.action.close') : label}
        onConfirm={() => (hasNone ? close() : void run(perform))}
        onClose={close}
      />
    </>
  );
}
