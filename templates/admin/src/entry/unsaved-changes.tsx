/** Stores unsaved changes while the user types, restores them after a reload, and shows a notice. */
import Alert from '@mui/material/Alert';
import { useEffect, useRef, useState } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { useSession } from '../app/session.ts';
import { type Attributes, labelOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { FormBase } from './form-base.ts';
import { takeOver } from './handed-changes.ts';
import { forgetAttempts } from './kept-attempts.ts';
import { forgetChanges, keepChanges, placeOf, restoreChanges, type Restored } from './kept-changes.ts';

/** Debounce interval, in milliseconds. */
const PAUSE = 300;

interface Props {
  readonly target: EntryTarget;
  readonly attributes: Attributes;
  readonly base: FormBase;
}

export function UnsavedChanges({ target, attributes, base }: Props) {
  const translate = useTranslate();
  const language = useLocale();
  const form = useFormContext<FieldValues>();
  const index = useModel();
  const place = placeOf(target, useSession().user.id);
  const [restored, setRestored] = useState<Restored>();
  const latest = useRef(base);
  latest.current = base;
  const keep = (): void => keepChanges(place, attributes, latest.current.values, form.getValues(), index);

  // The surrounding form resets its values after the first render of its children; restore only after that.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  useEffect(() => {
    if (!isReady) return undefined;
    const { entry, values, rebase } = latest.current;
    const handed = takeOver(place);
    if (entry && handed) rebase(entry, handed);
    const found = restoreChanges(place, attributes, values, index);
    for (const [name, value] of Object.entries(found?.values ?? {})) form.setValue(name, value, { shouldDirty: true });
    setRestored(found);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { unsubscribe } = form.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE);
    });
    addEventListener('pagehide', keep);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
      // In another language, all screens are built anew: the next one restores the changes.
      if (document.documentElement.lang !== language) return keep();
      // The user has saved or confirmed leaving. A reload does not run this cleanup.
      forgetChanges(place);
      forgetAttempts(place);
    };
  }, [isReady, place]);

  // After a save, what was kept is either stored or based on an older version.
  const { entry } = base;
  useEffect(() => {
    if (!isReady) return;
    keep();
    setRestored(undefined);
  }, [entry]);

  if (!restored) return null;
  const lost = restored.lost.map((name) => labelOf(name, attributes[name])).join(', ');
  return (
    <Alert severity={lost === '' ? 'info' : 'warning'} sx={{ mb: 2 }} onClose={() => setRestored(undefined)}>
      {translate('entry.restored')}
      {lost !== '' && ` ${translate('entry.notRestored', { names: lost })}`}
    </Alert>
  );
}
