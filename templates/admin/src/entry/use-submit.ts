/** Submits the surrounding form and shows the server's messages at their fields. */
import { useState } from 'react';
import { HttpError, setSubmissionErrors, useNotify } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import type { Publication, Save } from './save-entry.ts';

interface Submit {
  readonly save: (save: Save) => Promise<number>;
  readonly onSaved: (id: number, publication: Publication) => void;
}

export interface Submission {
  readonly submit: (publication: Publication, over?: string) => Promise<void>;
  /** Whether someone else has saved since the entry was read. */
  readonly isConflict: boolean;
  readonly forgetConflict: () => void;
}

export function useSubmit({ save, onSaved }: Submit): Submission {
  const notify = useNotify();
  const form = useFormContext<FieldValues>();
  const [isConflict, setIsConflict] = useState(false);

  async function send(values: FieldValues, publication: Publication, over: string | undefined): Promise<void> {
    try {
      onSaved(await save({ values, publication, over }), publication);
    } catch (error) {
      if (!(error instanceof HttpError)) {
        notify('ra.notification.http_error', { type: 'error' });
        return;
      }
      if (error.status === 412) {
        setIsConflict(true);
        return;
      }
      const { errors } = error.body as { readonly errors: Record<string, unknown> };
      setSubmissionErrors(errors, form.setError);
      notify(error.message, { type: 'error' });
    }
  }

  async function submit(publication: Publication, over?: string): Promise<void> {
    // Server messages at paths without a registered field, such as lists, are never cleared by validation.
    form.clearErrors();
    setIsConflict(false);
    await form.handleSubmit(
      (values) => send(values, publication, over),
      () => notify('ra.message.invalid_form', { type: 'error' }),
    )();
  }
  return { submit, isConflict, forgetConflict: () => setIsConflict(false) };
}
