/** Saves the form that a button is in: messages of the server come to their fields. */
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
  /** Whether somebody else has saved since the entry was read. */
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
      if (!(error instanceof HttpError)) throw error;
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
    // A message of the server at something that is no field, such as a list, would stay for ever.
    form.clearErrors();
    setIsConflict(false);
    await form.handleSubmit(
      (values) => send(values, publication, over),
      () => notify('ra.message.invalid_form', { type: 'error' }),
    )();
  }
  return { submit, isConflict, forgetConflict: () => setIsConflict(false) };
}
