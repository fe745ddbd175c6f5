/** The form of an entry, with locales, preview link, timestamps and deletion beside it. */
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import { type ReactNode, useState } from 'react';
import { DeleteWithConfirmButton, Form, Title, useNotify } from 'react-admin';
import { useMay } from '../app/session.ts';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { FormModeProvider } from '../fields/form-mode.ts';
import { type Attributes, resourceOf } from '../model/model.ts';
import { newValues } from '../rest/form-values.ts';
import { BesidePanel } from './beside-panel.tsx';
import { EntryActions } from './entry-actions.tsx';
import { EntryFacts } from './entry-facts.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';
import { LocalePanel } from './locale-panel.tsx';
import { useLocaleChoices } from './locales.ts';
import { PreviewLink } from './preview-link.tsx';
import { type Publication, useSaveEntry } from './save-entry.ts';
import { UnloadGuard } from './unload-guard.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

interface Props {
  readonly target: EntryTarget;
  /** Undefined for a new entry. */
  readonly entry: LoadedEntry | undefined;
  /** For a new locale: the entry that it belongs to. */
  readonly source?: LoadedEntry | null | undefined;
  readonly onSaved?: (id: number) => void;
  readonly onReload?: () => void;
}

/** In a new locale, attributes that are not localized are hidden: their values are shared with the other locales. */
function shownAttributes({ type, otherLocaleOf }: EntryTarget): Attributes {
  if (otherLocaleOf === undefined) return type.attributes;
  return Object.fromEntries(Object.entries(type.attributes).filter(([, { localized }]) => localized !== false));
}

function useIsReadOnly({ type }: EntryTarget, entry: LoadedEntry | undefined): boolean {
  const may = useMay();
  return !may(type.uid, entry !== undefined || type.kind === 'single' ? 'update' : 'create');
}

function titleOf({ type }: EntryTarget, entry: LoadedEntry | undefined): string {
  const title = entry?.values[type.mainField];
  return type.kind === 'collection' && typeof title === 'string' && title !== '' ? title : type.displayName;
}

interface LayoutProps {
  readonly fields: ReactNode;
  readonly beside: ReactNode;
  readonly aside: ReactNode;
}

function EntryLayout({ fields, beside, aside }: LayoutProps) {
  const columns = beside === undefined ? 'minmax(0, 1fr) 260px' : 'minmax(0, 1fr) minmax(0, 1fr) 220px';
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: columns } }}>
      <Paper variant="outlined" sx={{ p: { xs: 1.5, md: 3 }, minWidth: 0 }}>
        {fields}
      </Paper>
      {beside}
      <Stack component="aside" sx={{ gap: 2, minWidth: 0, alignItems: 'flex-start' }}>
        {aside}
      </Stack>
    </Box>
  );
}

export function EntryScreen({ target, entry, source, onSaved, onReload }: Props) {
  const notify = useNotify();
  const may = useMay();
  const { type } = target;
  const locale = entry?.locale ?? target.locale;
  const [shown, setShown] = useState('');
  const save = useSaveEntry(target, entry);
  const isReadOnly = useIsReadOnly(target, entry);
  const choices = useLocaleChoices({ ...target, locale }, entry, source);
  const beside = choices.find((choice) => choice.locale === shown && choice.locale !== locale);
  const attributes = shownAttributes(target);
  const isDraft = type.draftAndPublish && typeof entry?.publishedAt !== 'string';

  function saved(id: number, publication: Publication): void {
    notify(publication === 'as-it-is' ? 'entry.saved' : `entry.${publication}Done`, { type: 'success' });
    onSaved?.(id);
  }
  const stored = entry?.values ?? newValues(attributes);
  return (
    <Form record={{ id: entry?.id ?? 0, ...stored }} mode="onChange" warnWhenUnsavedChanges>
      <FormModeProvider value={{ isReadOnly, isDraft, locale }}>
        <Title title={titleOf(target, entry)} />
        <UnloadGuard />
        <EntryActions target={target} entry={entry} save={save} onSaved={saved} onReload={() => onReload?.()} />
        {!isReadOnly && <UnsavedChanges target={target} attributes={attributes} stored={stored} />}
        <EntryLayout
          fields={<AttributeFields attributes={attributes} />}
          beside={beside && <BesidePanel key={beside.locale} choice={beside} />}
          aside={
            <>
              {type.localized && (
                <LocalePanel type={type} choices={choices} current={locale} beside={shown} onBeside={setShown} />
              )}
              {entry && type.uid !== 'user' && <PreviewLink target={target} entry={entry} />}
              {entry && <EntryFacts entry={entry} />}
              {entry && may(type.uid, 'delete') && (
                <DeleteWithConfirmButton
                  record={{ id: entry.id }}
                  resource={resourceOf(type)}
                  mutationMode="pessimistic"
                  redirect={type.kind === 'single' ? '/' : 'list'}
                />
              )}
            </>
          }
        />
      </FormModeProvider>
    </Form>
  );
}
