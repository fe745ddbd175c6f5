/** The version of an entry that a form is based on: the one that was read, and after a save the one that was stored. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RaRecord } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import type { Attributes } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { type FormValues, newValues } from '../rest/form-values.ts';
import { rebasedValues } from '../rest/rebase-values.ts';
import type { EntryTarget } from './entry-target.ts';
import type { HandedChanges } from './handed-changes.ts';
import type { LoadedEntry } from './load-entry.ts';
import { patchForm } from './patch-form.ts';

export interface FormBase {
  readonly entry: LoadedEntry | undefined;
  /** The values of the entry, or those of a new one. */
  readonly values: FormValues;
  /** Continues with `entry`, and on top of it with the changes since `sent`. */
  readonly rebase: (entry: LoadedEntry, changes: Pick<HandedChanges, 'sent'> & Partial<HandedChanges>) => void;
  /** Continues with `entry`, without any changes. */
  readonly replace: (entry: LoadedEntry | undefined) => void;
}

/** The record of the form. It has the same id before and after the first save of a single type. */
export function recordOf({ id = 0 }: EntryTarget, values: FormValues): RaRecord {
  return { ...values, id };
}

interface Based {
  readonly target: EntryTarget;
  readonly attributes: Attributes;
  /** The entry as it was last read. */
  readonly read: LoadedEntry | undefined;
  readonly isDirtyNow: () => boolean;
}

export function useFormBase({ target, attributes, read, isDirtyNow }: Based): FormBase {
  const form = useFormContext<FieldValues>();
  const index = useModel();
  const [entry, setEntry] = useState(read);
  const values = useMemo(() => entry?.values ?? newValues(attributes), [entry, attributes]);
  const seen = useRef(read);

  function replace(other: LoadedEntry | undefined): void {
    form.reset(recordOf(target, other?.values ?? newValues(attributes)));
    setEntry(other);
  }
  useEffect(() => {
    const isOther = seen.current !== read && read !== entry;
    seen.current = read;
    // Changes stay on the version that they were made on, so that the next save detects a conflict.
    if (isOther && !isDirtyNow()) replace(read);
  }, [read]);

  return {
    entry,
    values,
    rebase(saved, { sent, now = form.getValues() }) {
      patchForm(form, attributes, rebasedValues(attributes, { sent, now, saved: saved.values }, index), index);
      // The values stay: the reset only changes what counts as changed.
      form.reset(recordOf(target, saved.values), { keepValues: true, keepFieldsRef: true, keepErrors: true });
      setEntry(saved);
    },
    replace,
  };
}
