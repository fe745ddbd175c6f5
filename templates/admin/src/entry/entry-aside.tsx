/** What is beside the form of an entry: its schedule, history, uses, facts and deletion. */
import type { ReactNode } from 'react';
import { HistoryPanel } from '../history/history-panel.tsx';
import { AddToRelease } from '../releases/add-to-release.tsx';
import { SchedulePanel } from '../schedule/schedule-panel.tsx';
import { TrashButton } from '../trash/trash-button.tsx';
import { DeleteEntry } from './delete-entry.tsx';
import { useDocumentId } from './document-id.ts';
import { EntryFacts } from './entry-facts.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';
import { UsedBy } from './used-by.tsx';
import { useWriteRights } from './write-rights.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry | undefined;
  readonly isBusy: boolean;
  readonly isDirty: boolean;
  readonly onRestored: (entry: LoadedEntry | undefined) => void;
  readonly onReload: () => void;
  /** At the top. */
  readonly children: ReactNode;
}

export function EntryAside({ target, entry, isBusy, isDirty, onRestored, onReload, children }: Props) {
  const { type } = target;
  const documentId = useDocumentId(type, entry);
  const { canDelete } = useWriteRights(type, entry);
  return (
    <>
      {children}
      {entry && type.schedules === true && <SchedulePanel target={target} entry={entry} />}
      {entry && (
        <HistoryPanel target={target} entry={entry} isDirty={isDirty} onRestored={onRestored} onReload={onReload} />
      )}
      {type.kind === 'single' && <TrashButton type={type} />}
      {entry && <AddToRelease target={target} entry={entry} />}
      {entry && type.kind === 'collection' && <UsedBy key={entry.id} type={type} id={entry.id} />}
      {entry && <EntryFacts entry={entry} documentId={documentId} />}
      {entry && canDelete && <DeleteEntry type={type} id={entry.id} disabled={isBusy} />}
    </>
  );
}
