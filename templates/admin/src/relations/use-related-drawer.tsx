/** The drawer of a relation field, with the form of a new or an existing entry. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useNotify } from 'react-admin';
import { useMay } from '../app/session.ts';
import { removeText, storedText, storeText } from '../entry/kept-storage.ts';
import { useFormMode } from '../fields/form-mode.ts';
import { type ContentType, isPolymorphic, type RelationAttribute } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useEntryDrawerComponent } from './entry-drawers.ts';
import { useEntryForm } from './entry-forms.tsx';
import type { EntryRef } from './entry-ref.ts';

interface Opened {
  readonly type: string;
  readonly id?: number;
  readonly title?: string;
}

/** What is open, kept so that a reload opens it again: the drawer then restores what was typed. */
function useOpened(source: string) {
  const { place } = useEntryForm();
  const key = `${place}.drawer.${source}`;
  const [opened, setOpened] = useState<Opened | undefined>(() => {
    const text = storedText(key);
    return text === undefined ? undefined : (JSON.parse(text) as Opened);
  });
  useEffect(() => {
    if (opened) storeText(key, JSON.stringify(opened));
    // A reload does not run this cleanup.
    return () => removeText(key);
  }, [key, opened]);
  return [opened, setOpened] as const;
}

export interface RelatedDrawer {
  /** Opens the form of an entry; undefined if it has none. */
  readonly edit: ((entry: EntryRef) => void) | undefined;
  /** Opens the form of a new entry with a title; undefined if the role may create none. */
  readonly createOf: (type: ContentType) => ((title: string) => void) | undefined;
  readonly drawer: ReactNode;
}

/** `onCreated` connects the new entry. */
export function useRelatedDrawer(
  source: string,
  attribute: RelationAttribute,
  onCreated: (entry: EntryRef) => void,
): RelatedDrawer {
  const Drawer = useEntryDrawerComponent();
  const index = useModel();
  const may = useMay();
  const notify = useNotify();
  const client = useQueryClient();
  const { locale } = useFormMode();
  const { isOpen, remember } = useEntryForm();
  const [opened, setOpened] = useOpened(source);
  const type = index.type(opened?.type);
  const typeOf = (entry: EntryRef): ContentType | undefined => index.type(entry.type ?? attribute.target);

  function edit(entry: EntryRef): void {
    const target = typeOf(entry);
    if (!target) return;
    if (isOpen(target, entry.id)) notify('drawer.isOpen', { type: 'info' });
    else setOpened({ type: target.uid, id: Number(entry.id) });
  }
  function changed(target: ContentType, entry: EntryRef): void {
    remember(target, entry);
    void client.invalidateQueries({ queryKey: ['entry-search', target.uid] });
    void client.invalidateQueries({ queryKey: ['relation-rows'] });
  }
  return {
    edit: Drawer && edit,
    createOf: (target) =>
      Drawer && target.kind === 'collection' && (may(target.uid, 'create') || may(target.uid, 'draft'))
        ? (title) => setOpened({ type: target.uid, title })
        : undefined,
    drawer: Drawer && opened && type && (
      <Suspense>
        <Drawer
          type={type}
          id={opened.id}
          title={opened.title}
          locale={locale}
          onCreated={(entry) => {
            changed(type, entry);
            onCreated(isPolymorphic(attribute) ? { ...entry, type: type.uid } : entry);
          }}
          onChanged={(entry) => changed(type, entry)}
          onClose={() => setOpened(undefined)}
        />
      </Suspense>
    ),
  };
}
