/** The form of an entry, with its preview, or locales, timestamps and deletion next to it. */
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import { type ComponentProps, lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { Form, Title, useNotify, useTranslate } from 'react-admin';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { LeaveBlocker, useLeaveGuard } from '../app/leave-guard.ts';
import { useProblemText } from '../app/problem-text.ts';
import { useSession } from '../app/session.ts';
import { useOfferUndo } from '../app/undo-notice.tsx';
import { fieldNames } from '../fields/attribute-fields.tsx';
import { EntryFields, SidebarFields } from '../fields/entry-fields.tsx';
import { fieldPlaces } from '../fields/field-places.ts';
import { FormModeProvider } from '../fields/form-mode.ts';
import { EntryFormProvider } from '../relations/entry-forms.tsx';
import { useDrawerFrame } from '../relations/entry-drawers.ts';
import { RevealProvider, useNewReveal } from '../fields/reveal.ts';
import type { Attributes } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { type FormValues, newValues } from '../rest/form-values.ts';
import { isSame } from '../rest/same-value.ts';
import { ComparePanel } from './compare-panel.tsx';
import { DifferencesPanel } from './differences-panel.tsx';
import { EntryAside } from './entry-aside.tsx';
import { EntryActions } from './entry-actions.tsx';
import { EntryCommands } from './entry-commands.tsx';
import { useEntryState, useHasDraft } from './entry-draft.ts';
import { type EntryTarget, isNew } from './entry-target.ts';
import { type FormBase, recordOf, useFormBase } from './form-base.ts';
import { GoneNotice } from './gone-notice.tsx';
import { handOver } from './handed-changes.ts';
import { placeOf } from './kept-changes.ts';
import { type LoadedEntry, useRememberEntry } from './load-entry.ts';
import { LocalePanel } from './locale-panel.tsx';
import { useLocaleChoices } from './locales.ts';
import { LossNotice } from './loss-notice.tsx';
import { patchForm } from './patch-form.ts';
import { useEntryPreview } from './preview-link.tsx';
import type { Saved } from './save-entry.ts';
import { useShownAttributes } from './shown-attributes.ts';
import { UnsavedChanges } from './unsaved-changes.tsx';
import { useAttempts } from './use-attempts.ts';
import { useIsDirty } from './use-is-dirty.ts';
import { useSubmit } from './use-submit.ts';
import { useWriteRights } from './write-rights.ts';

interface Props {
  readonly target: EntryTarget;
  /** Undefined for a new entry. */
  readonly entry: LoadedEntry | undefined;
  /** For a new locale: the entry that it belongs to. */
  readonly source?: LoadedEntry | null | undefined;
  readonly onCreated?: (id: number) => void;
  /** Called after an existing entry was saved. `isAll`: nothing was changed since the save was sent. */
  readonly onSaved?: (entry: LoadedEntry, isAll: boolean) => void;
  /** What a new entry begins with. */
  readonly initial?: FormValues;
  /** Reads the entry again. */
  readonly onReload?: () => Promise<LoadedEntry | undefined>;
}

function titleOf({ type }: EntryTarget, entry: LoadedEntry | undefined): string {
  const title = entry?.values[type.mainField];
  return type.kind === 'collection' && typeof title === 'string' && title !== '' ? title : type.displayName;
}

interface LayoutProps {
  readonly fields: ReactNode;
  readonly comparison: ReactNode;
  readonly aside: ReactNode;
  /** Takes the place of what is else beside the form, which is then below it. */
  readonly preview: ReactNode;
}

/** Beside the form, which may be long, the preview stays in view; on smaller screens it is above the form. */
const PREVIEW_PLACE = {
  gridColumn: { lg: 2 },
  gridRow: { xs: 1, lg: '1 / span 3' },
  position: { sm: 'sticky' },
  // Below the bar of the page and the toolbar of the entry.
  top: { sm: 104 },
  zIndex: 1,
  height: { xs: '50vh', sm: '45vh', lg: 'calc(100vh - 120px)' },
  minWidth: 0,
};

/** The parts are always at the same place in the tree, so that the form is not built anew. */
function EntryLayout({ fields, comparison, aside, preview }: LayoutProps) {
  const one = 'minmax(0, 1fr)';
  const beside = comparison ? `${one} ${one} 220px` : `${one} 260px`;
  const wide = preview ? 'minmax(0, 2fr) minmax(0, 3fr)' : beside;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: aside ? { xs: one, lg: wide } : one }}>
      <Paper variant="outlined" sx={{ p: { xs: 1.5, md: 3 }, minWidth: 0 }}>
        {fields}
      </Paper>
      {comparison}
      {aside && (
        <Stack component="aside" sx={{ gap: 2, minWidth: 0, alignItems: 'flex-start' }}>
          {aside}
        </Stack>
      )}
      {preview && <Box sx={PREVIEW_PLACE}>{preview}</Box>}
    </Box>
  );
}

const PreviewFrame = lazy(() => import('../preview/preview-frame.tsx'));

function PreviewPart(props: ComponentProps<typeof PreviewFrame>) {
  return (
    <Suspense>
      <PreviewFrame {...props} />
    </Suspense>
  );
}

interface FormProps extends Props {
  readonly attributes: Attributes;
}

/** Returns the handler of a save. It keeps changes that were made since the save was sent. */
function useOnSaved({ target, onSaved }: Props, base: FormBase) {
  const form = useFormContext<FieldValues>();
  const { user } = useSession();
  const remember = useRememberEntry();
  return ({ id, entry }: Saved, sent: FormValues): void => {
    if (entry) {
      const isAll = isSame(sent, form.getValues());
      remember(target, entry);
      base.rebase(entry, { sent });
      onSaved?.(entry, isAll);
      return;
    }
    const now = form.getValues();
    if (!isSame(sent, now)) handOver(placeOf({ type: target.type, id }, user.id), { sent, now });
    // This screen has no unsaved changes any more: the screen of the new entry takes them over.
    form.reset(now, { keepValues: true });
  };
}

/** Returns a function that goes back to the stored version. It can be undone. */
function useDiscard(attributes: Attributes, base: FormBase, onDiscard: () => void): () => void {
  const { getValues, setValue } = useFormContext<FieldValues>();
  const index = useModel();
  const translate = useTranslate();
  const offerUndo = useOfferUndo();
  return () => {
    const values = { ...getValues() };
    base.replace(base.entry);
    onDiscard();
    const form = {
      getValues,
      setValue: ((path, value) => setValue(path, value, { shouldDirty: true })) as typeof setValue,
    };
    offerUndo(translate('entry.discarded'), () => patchForm(form, attributes, values, index));
  };
}

/** What is shown beside the form in place of a locale: how the draft differs from what is published. */
const PUBLISHED = '__published';

function EntryForm(props: FormProps) {
  const { target, source, attributes, onCreated, onReload } = props;
  const notify = useNotify();
  const problemText = useProblemText();
  const { isDirty, isDirtyNow } = useIsDirty();
  const base = useFormBase({ target, attributes, read: props.entry, isDirtyNow });
  const { entry } = base;
  const { type } = target;
  const locale = entry?.locale ?? target.locale;
  const [shown, setShown] = useState('');
  const submission = useSubmit({
    attributes,
    attempts: useAttempts(target, entry),
    onSaved: useOnSaved(props, base),
    onCreated: (id) => onCreated?.(id),
  });
  const { busy } = submission;
  useLeaveGuard({ isDirty, isDirtyNow, busy });
  const frame = useDrawerFrame();
  if (frame) frame.current = { isBusyNow: busy.isBusyNow, isDirtyNow };
  const { canSave } = useWriteRights(type, entry);
  const isReadOnly = !canSave;
  const choices = useLocaleChoices({ ...target, locale }, entry, source);
  const compared = choices.find((choice) => choice.locale === shown && choice.locale !== locale);
  const hasDraft = useHasDraft(type);
  const places = useMemo(() => fieldPlaces(fieldNames(attributes), type.layout), [attributes, type.layout]);
  const isDraft = hasDraft || (type.draftAndPublish && typeof entry?.publishedAt !== 'string');
  const state = useEntryState(target, entry);
  // A new object for each version of the entry: each resets the form, after which field arrays have to register again.
  const mode = useMemo(
    () => ({ isReadOnly, isDraft, locale, isNew: isNew(target) }),
    [isReadOnly, isDraft, locale, entry],
  );

  async function takeTheirs(): Promise<void> {
    try {
      base.replace(await onReload?.());
    } catch (error) {
      notify(problemText(error), { type: 'error' });
    }
  }
  const preview = useEntryPreview(target, entry);
  const discard = useDiscard(attributes, base, submission.forgetAttempts);
  const isDifferent = entry !== undefined && state === 'modified';
  const comparison =
    isDifferent && shown === PUBLISHED ? (
      <DifferencesPanel target={target} entry={entry} isDirty={isDirty} />
    ) : (
      compared && <ComparePanel key={compared.locale} choice={compared} />
    );
  return (
    <FormModeProvider value={mode}>
      {!frame && (
        <>
          <Title title={titleOf(target, entry)} />
          <LeaveBlocker busy={busy} />
        </>
      )}
      <EntryActions
        target={target}
        entry={entry}
        state={state}
        isCompared={shown === PUBLISHED}
        onCompare={() => setShown(shown === PUBLISHED ? '' : PUBLISHED)}
        preview={preview}
        isDirty={isDirty}
        submission={submission}
        onDiscard={discard}
        onDraftDiscarded={base.replace}
        onTakeTheirs={() => void takeTheirs()}
        onReload={async () => {
          const fresh = await onReload?.();
          if (fresh) base.rebase(fresh, { sent: base.values });
        }}
      />
      <EntryCommands
        target={target}
        entry={entry}
        state={state}
        isDirtyNow={isDirtyNow}
        submission={submission}
        onDiscard={discard}
      />
      <LossNotice type={type} submission={submission} />
      {submission.isGone && <GoneNotice target={target} locale={locale} />}
      {!isReadOnly && <UnsavedChanges target={target} attributes={attributes} base={base} />}
      <EntryLayout
        fields={<EntryFields attributes={attributes} places={places} withSidebar={frame !== undefined} />}
        comparison={comparison}
        preview={entry && preview?.isOpen && <PreviewPart {...{ type, entry, preview, locale }} />}
        aside={
          !frame && (
            <EntryAside
              target={target}
              entry={entry}
              isBusy={busy.isBusy}
              isDirty={isDirty}
              onRestored={base.replace}
              onReload={() => void takeTheirs()}
            >
              {places.sidebar.length > 0 && (
                <Paper variant="outlined" sx={{ p: 2, width: 1 }}>
                  <SidebarFields attributes={attributes} places={places} />
                </Paper>
              )}
              {type.localized && (
                <LocalePanel
                  type={type}
                  choices={choices}
                  current={locale}
                  compared={shown === PUBLISHED ? '' : shown}
                  onCompare={setShown}
                />
              )}
            </EntryAside>
          )
        }
      />
    </FormModeProvider>
  );
}

export function EntryScreen(props: Props) {
  const { target, entry, initial } = props;
  const attributes = useShownAttributes(target, entry === undefined);
  const place = placeOf(target, useSession().user.id);
  // Constant, because a different record would reset the form: form-base.ts replaces the values.
  const [record] = useState(() => recordOf(target, entry?.values ?? { ...newValues(attributes), ...initial }));
  return (
    <RevealProvider value={useNewReveal()}>
      <EntryFormProvider type={target.type} id={entry?.id} place={place}>
        <Form record={record} mode="onChange">
          <EntryForm {...props} attributes={attributes} />
        </Form>
      </EntryFormProvider>
    </RevealProvider>
  );
}
