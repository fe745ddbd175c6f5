/** Shown when someone else has deleted the entry since it was read: its changes can become a new entry. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useNotify, useRedirect, useTranslate } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { useProblemText } from '../app/problem-text.ts';
import { useMay, useSession } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { useCopyValues } from '../components/copy-item.ts';
import { resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { newValues } from '../rest/form-values.ts';
import type { EntryTarget } from './entry-target.ts';
import { keepChanges, placeOf } from './kept-changes.ts';

interface Props {
  readonly target: EntryTarget;
  /** The locale of the entry. */
  readonly locale: string | undefined;
}

/** Returns a function that opens the form for a new entry, with what is in the current one. */
function useStartAnew({ target, locale }: Props): () => Promise<void> {
  const { type } = target;
  const { getValues, reset } = useFormContext<FieldValues>();
  const { user } = useSession();
  const index = useModel();
  const redirect = useRedirect();
  const copyValues = useCopyValues();
  return async () => {
    const values = await copyValues(getValues(), type.attributes);
    keepChanges(placeOf({ type, locale }, user.id), type.attributes, newValues(type.attributes), values, index);
    // What is kept for the new entry needs no confirmation.
    reset();
    redirect(`/${resourceOf(type)}/create${locale === undefined ? '' : `?locale=${locale}`}`);
  };
}

export function GoneNotice(props: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const may = useMay();
  const { isBusy, run } = useBusy();
  const startAnew = useStartAnew(props);
  const { uid, kind } = props.target.type;
  const canCreate = kind === 'collection' && may(uid, 'create');
  const button = (
    <Button
      color="inherit"
      size="small"
      loading={isBusy}
      onClick={() => void run(startAnew).catch((error: unknown) => notify(problemText(error), { type: 'error' }))}
    >
      {translate('gone.startAnew')}
    </Button>
  );
  return (
    <Alert severity="warning" sx={{ mb: 2 }} action={canCreate && button}>
      {translate('gone.explained')}
    </Alert>
  );
}
