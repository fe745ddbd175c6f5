/** The commands of an entry's form: Ctrl+S, and what the palette lists. */
import { useNotify, useTranslate } from 'react-admin';
import { type FormCommand, useFormCommands } from '../app/form-commands.ts';
import type { EntryState } from '../rest/entry-state.ts';
import { useHasDraft } from './entry-draft.ts';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Submission } from './use-submit.ts';
import { useWriteRights } from './write-rights.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry | undefined;
  readonly state: EntryState;
  readonly isDirtyNow: () => boolean;
  readonly submission: Submission;
  readonly onDiscard: () => void;
}

export function EntryCommands({ target, entry, state, isDirtyNow, submission, onDiscard }: Props) {
  const { type } = target;
  const translate = useTranslate();
  const notify = useNotify();
  const { submit, busy } = submission;
  const { canSave, canPublish } = useWriteRights(type, entry);
  const hasDraft = useHasDraft(type) || (type.draftAndPublish && state === 'draft');

  function save(): void {
    if (!canSave || busy.isBusyNow()) return;
    if (entry && !isDirtyNow()) notify('commands.nothing');
    else void submit('as-it-is');
  }
  const command = (label: string, run: () => void): FormCommand => ({ label: translate(label), run });
  const publishing = [
    ...(hasDraft ? [command('entry.publish', () => void submit('publish'))] : []),
    ...(type.draftAndPublish && state !== 'draft' ? [command('entry.unpublish', () => void submit('unpublish'))] : []),
  ];
  const node = useFormCommands({
    save,
    commands: canSave
      ? [
          command(hasDraft ? 'entry.saveDraft' : 'ra.action.save', save),
          ...(canPublish ? publishing : []),
          ...(isDirtyNow() ? [command('entry.discard', onDiscard)] : []),
        ]
      : [],
  });
  return <span ref={node} hidden />;
}
