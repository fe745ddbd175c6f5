/** Submits the surrounding form and shows the server's messages at their fields. */
import { useState } from 'react';
import { HttpError, setSubmissionErrors, useNotify } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { type Busy, useBusy } from '../app/use-busy.ts';
import type { FormValues } from '../rest/form-values.ts';
import type { Publication, Save, Saved } from './save-entry.ts';

interface Submit {
  readonly save: (save: Save) => Promise<Saved>;
  /** Called while the form still counts as being saved, with the values that were sent. */
  readonly onSaved: (saved: Saved, sent: FormValues) => void;
  /** Called afterwards, for a new entry. */
  readonly onCreated: (id: number) => void;
}

export interface Submission {
  /** Does nothing while a save is running. */
  readonly submit: (publication: Publication, over?: string) => Promise<void>;
  readonly busy: Busy;
  /** The requested publication state, if the save was refused because someone else has saved since the entry was read. */
  readonly conflict: Publication | undefined;
  readonly forgetConflict: () => void;
}

export function useSubmit({ save, onSaved, onCreated }: Submit): Submission {
  const notify = useNotify();
  const form = useFormContext<FieldValues>();
  const busy = useBusy();
  const [conflict, setConflict] = useState<Publication>();

  function report(error: unknown, publication: Publication): void {
    if (!(error instanceof HttpError)) {
      notify('ra.notification.http_error', { type: 'error' });
      return;
    }
    if (error.status === 412) {
      setConflict(publication);
      return;
    }
    const { errors } = error.body as { readonly errors: Record<string, unknown> };
    setSubmissionErrors(errors, form.setError);
    notify(error.message, { type: 'error' });
  }

  async function send(values: FieldValues, publication: Publication, over?: string): Promise<Saved | undefined> {
    try {
      const saved = await save({ values, publication, over });
      onSaved(saved, values);
      notify(publication === 'as-it-is' ? 'entry.saved' : `entry.${publication}Done`, { type: 'success' });
      return saved;
    } catch (error) {
      report(error, publication);
      return undefined;
    }
  }

  async function submit(publication: Publication, over?: string): Promise<void> {
    const saved = await busy.run(async () => {
      let result: Saved | undefined;
      // Server messages at paths without a registered field, such as lists, are never cleared by validation.
      form.clearErrors();
      setConflict(undefined);
      await form.handleSubmit(
        async (values) => {
          result = await send(values, publication, over);
        },
        () => notify('ra.message.invalid_form', { type: 'error' }),
      )();
      return result;
    });
    if (saved && !saved.entry) onCreated(saved.id);
  }
  return { submit, busy, conflict, forgetConflict: () => setConflict(undefined) };
}
