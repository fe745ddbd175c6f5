/** The forms that are open: that of the page, and those in the drawers above it. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import type { ContentType } from '../model/model.ts';
import type { EntryRef } from './entry-ref.ts';

interface EntryForm {
  /** Where its unsaved changes are kept. */
  readonly place: string;
  /** The entries of this form and of those below it. */
  readonly entries: readonly string[];
  /** The entries that were saved in drawers of this form, which has read them before. */
  readonly saved: ReadonlyMap<string, EntryRef>;
  readonly onSaved: (key: string, entry: EntryRef) => void;
}

const EntryFormContext = createContext<EntryForm>({
  place: '',
  entries: [],
  saved: new Map(),
  onSaved: () => undefined,
});

function keyOf({ uid }: ContentType, id: number | string): string {
  return `${uid}:${id}`;
}

interface Props {
  readonly type: ContentType;
  /** Undefined for a new entry. */
  readonly id: number | undefined;
  readonly place: string;
  readonly children: ReactNode;
}

export function EntryFormProvider({ type, id, place, children }: Props) {
  const { entries: below } = useContext(EntryFormContext);
  const [saved, setSaved] = useState<ReadonlyMap<string, EntryRef>>(new Map());
  const onSaved = useCallback(
    (key: string, entry: EntryRef) => setSaved((before) => new Map([...before, [key, entry]])),
    [],
  );
  const form = useMemo(
    () => ({ place, entries: id === undefined ? below : [...below, keyOf(type, id)], saved, onSaved }),
    [place, below, type, id, saved, onSaved],
  );
  return <EntryFormContext value={form}>{children}</EntryFormContext>;
}

/** The form that a field is in, as its related entries see it. */
export function useEntryForm() {
  const { place, entries, saved, onSaved } = useContext(EntryFormContext);
  return {
    place,
    /** Whether the form of an entry is open already: it would compete with itself. */
    isOpen: (type: ContentType, id: number | string): boolean => entries.includes(keyOf(type, id)),
    /** A related entry with the title that it has been given in a drawer. */
    latest: (type: ContentType | undefined, entry: EntryRef): EntryRef => {
      const known = type && saved.get(keyOf(type, entry.id));
      return known ? { ...entry, ...known } : entry;
    },
    remember: (type: ContentType, entry: EntryRef): void => onSaved(keyOf(type, entry.id), entry),
  };
}
