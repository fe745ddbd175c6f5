/** Keeps what is not saved while it is typed, brings it back after a reload, and says so. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { useSession } from '../app/session.ts';
import { type Attributes, labelOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { FormValues } from '../rest/form-values.ts';
import type { EntryTarget } from './entry-target.ts';
import { forgetChanges, keepChanges, placeOf, restoreChanges, type Restored } from './kept-changes.ts';

/** How long after a key is pressed, in milliseconds. */
const PAUSE = 300;

interface Props {
  readonly target: EntryTarget;
  readonly attributes: Attributes;
  /** What the form began with: the entry as it is stored. */
  readonly stored: FormValues;
}

export function UnsavedChanges({ target, attributes, stored }: Props) {
  const translate = useTranslate();
  const form = useFormContext<FieldValues>();
  const index = useModel();
  const place = placeOf(target, useSession().user.id);
  const [restored, setRestored] = useState<Restored>();
  const latest = useRef(stored);
  latest.current = stored;

  // The form around this sets all its values when it is there: after this has been drawn for the first time.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  useEffect(() => {
    if (!isReady) return undefined;
    const found = restoreChanges(place, attributes, latest.current);
    for (const [name, value] of Object.entries(found?.values ?? {})) form.setValue(name, value, { shouldDirty: true });
    setRestored(found);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = (): void => keepChanges(place, attributes, latest.current, form.getValues(), index);
    const { unsubscribe } = form.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE);
    });
    addEventListener('pagehide', keep);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
      // Whoever leaves the screen has saved, or said that it may go; a reload does not come here.
      forgetChanges(place);
    };
  }, [isReady, place]);

  if (!restored) return null;
  const lost = restored.lost.map(labelOf).join(', ');
  return (
    <Alert
      severity={lost === '' ? 'info' : 'warning'}
      sx={{ mb: 2 }}
      onClose={() => setRestored(undefined)}
      action={
        <Button
          color="inherit"
          size="small"
          onClick={() => {
            form.reset();
            setRestored(undefined);
          }}
        >
          {translate('entry.discard')}
        </Button>
      }
    >
      {translate('entry.restored')}
      {lost !== '' && ` ${translate('entry.notRestored', { names: lost })}`}
    </Alert>
  );
}
