/** Submits the surrounding form and shows the server's messages at their fields. */
import { useRef, useState } from 'react';
import { HttpError, setSubmissionErrors, useNotify, useTranslate } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { useProblemText } from '../app/problem-text.ts';
import { type Busy, useBusy } from '../app/use-busy.ts';
import { useReveal } from '../fields/reveal.ts';
import type { Attributes } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { FormValues } from '../rest/form-values.ts';
import { isSame } from '../rest/same-value.ts';
import { errorPaths, nameOfPath } from './error-paths.ts';
import type { Publication, Saved } from './save-entry.ts';
import type { Attempts, Loss, Result } from './use-attempts.ts';

interface Submit {
  /** Those that the form shows. */
  readonly attributes: Attributes;
  readonly attempts: Attempts;
  /** Called while the form still counts as being saved, with the values that were sent. */
  readonly onSaved: (saved: Saved, sent: FormValues) => void;
  /** Called afterwards, for a new entry. */
  readonly onCreated: (id: number) => void;
}

export interface Submission {
  /** Does nothing while a save is running, nor once it has created the entry. */
  readonly submit: (publication: Publication, over?: string) => Promise<void>;
  readonly busy: Busy;
  /** Whether it has created the entry, whose own screen is about to follow. */
  readonly isCreated: boolean;
  /** The requested publication state, if the save was refused because someone else has saved since the entry was read. */
  readonly conflict: Publication | undefined;
  readonly forgetConflict: () => void;
  /** What is known of the latest save, if its response was lost. */
  readonly loss: Loss | undefined;
  /** Finds out what became of it. */
  readonly check: () => Promise<void>;
  readonly forgetAttempts: () => void;
  /** Whether the latest save was refused because the entry has been deleted. */
  readonly isGone: boolean;
}

interface Wanted {
  readonly values: FormValues;
  readonly publication?: Publication;
}

/** How many fields a message names. */
const MAX_NAMED = 5;

/** Returns functions that lead to the fields in error, and name them. */
function useErrorFields(attributes: Attributes) {
  const form = useFormContext<FieldValues>();
  const index = useModel();
  const reveal = useReveal();
  const nameOf = (path: readonly string[]): string => nameOfPath(path, attributes, form.getValues(), index);
  return {
    nameOf,
    /** Shows the first field, and returns the names of all. */
    show(errors: Readonly<Record<string, unknown>>): readonly string[] {
      const paths = errorPaths(errors, attributes, form.getValues(), index);
      if (paths[0] !== undefined) reveal.show(paths[0]);
      return [...new Set(paths.map((path) => nameOf(path.split('.'))))];
    },
  };
}

export function useSubmit({ attributes, attempts, onSaved, onCreated }: Submit): Submission {
  const notify = useNotify();
  const translate = useTranslate();
  const problemText = useProblemText();
  const form = useFormContext<FieldValues>();
  const errorFields = useErrorFields(attributes);
  const busy = useBusy();
  const [conflict, setConflict] = useState<Publication>();
  const [loss, setLoss] = useState<Loss>();
  const [isGone, setIsGone] = useState(false);
  // The screen of a new entry stays until the one of its id is ready: a click meanwhile would create a second entry.
  const created = useRef(false);
  const [isCreated, setIsCreated] = useState(false);

  function report(error: unknown): void {
    if (!(error instanceof HttpError)) {
      notify(problemText(error), { type: 'error' });
      return;
    }
    if (error.status === 404) {
      setIsGone(true);
      return;
    }
    const { errors } = error.body as { readonly errors: Record<string, unknown> };
    setSubmissionErrors(errors, form.setError);
    errorFields.show(errors);
    notify(problemText(error, errorFields.nameOf), { type: 'error', multiLine: true });
  }

  function reportInvalid(errors: Readonly<Record<string, unknown>>): void {
    const names = errorFields.show(errors);
    const more = names.length > MAX_NAMED ? ' …' : '';
    const named = `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
    notify(translate('entry.invalid', { names: named }), { type: 'error', multiLine: true });
  }

  /** `wanted`: what the user wants to be saved. */
  function finish(result: Result, wanted: Wanted): Saved | undefined {
    setLoss(undefined);
    if (result.kind === 'conflict') setConflict(result.publication);
    else if (result.kind !== 'saved') setLoss(result.kind);
    else {
      const { saved, attempt } = result;
      const { publication, values } = attempt;
      onSaved(saved, values);
      const isAll = isSame(values, wanted.values) && publication === (wanted.publication ?? publication);
      if (!isAll) notify('loss.earlier', { type: 'warning' });
      else notify(publication === 'as-it-is' ? 'entry.saved' : `entry.${publication}Done`, { type: 'success' });
      return saved;
    }
    return undefined;
  }

  /** Runs work that results in a saved entry, or in a message. */
  async function run(wanted: Wanted, work: () => Promise<Result>): Promise<Saved | undefined> {
    try {
      return finish(await work(), wanted);
    } catch (error) {
      report(error);
      return undefined;
    }
  }

  function open(saved: Saved | undefined): void {
    if (!saved || saved.entry) return;
    created.current = true;
    setIsCreated(true);
    onCreated(saved.id);
  }

  async function submit(publication: Publication, over?: string): Promise<void> {
    if (created.current) return;
    const saved = await busy.run(async () => {
      let result: Saved | undefined;
      // Server messages at paths without a registered field, such as lists, are never cleared by validation.
      form.clearErrors();
      setConflict(undefined);
      await form.handleSubmit(async (values) => {
        result = await run({ values, publication }, () => attempts.save({ values, publication, over }, loss));
      }, reportInvalid)();
      return result;
    });
    open(saved);
  }
  return {
    submit,
    busy,
    isCreated,
    conflict,
    forgetConflict: () => setConflict(undefined),
    loss,
    check: async () => open(await busy.run(() => run({ values: form.getValues() }, attempts.check))),
    forgetAttempts: attempts.forget,
    isGone,
  };
}
