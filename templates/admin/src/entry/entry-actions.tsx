/** The toolbar of an entry: its status and the buttons to save and publish it. */
import DifferenceIcon from '@mui/icons-material/Difference';
import AppBar from '@mui/material/AppBar';
import Button from '@mui/material/Button';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';
import { useOwnButtons } from '../own/own-pages.ts';
import { changingAction } from '../rest/permitted-entries.ts';
import type { EntryState } from '../rest/entry-state.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DiscardDraft } from './discard-draft.tsx';
import { useHasDraft } from './entry-draft.ts';
import type { EntryTarget } from './entry-target.ts';
import { useWriteRights } from './write-rights.ts';
import type { LoadedEntry } from './load-entry.ts';
import { type EntryPreview, PreviewButtons } from './preview-link.tsx';
import { ruleText } from './rule-text.ts';
import { StateChip } from './state-chip.tsx';
import type { Submission } from './use-submit.ts';

const EntryButtons = lazy(() => import('../own/entry-buttons.tsx'));

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry | undefined;
  readonly state: EntryState;
  /** Whether the draft is shown beside the published version. */
  readonly isCompared: boolean;
  readonly onCompare: () => void;
  /** Undefined if there is none. */
  readonly preview: EntryPreview | undefined;
  readonly isDirty: boolean;
  readonly submission: Submission;
  readonly onDiscard: () => void;
  readonly onDraftDiscarded: (entry: LoadedEntry) => void;
  /** Discards the user's changes and loads the version that someone else has saved. */
  readonly onTakeTheirs: () => void;
  /** Reads the entry again, and keeps the user's changes on top of it. */
  readonly onReload: () => Promise<void>;
}

/** Why the entry can't be edited: for want of a permission, or by the rule of one. */
function useReadOnlyReason(type: ContentType): string {
  const translate = useTranslate();
  const may = useMay();
  const where = type.rules?.where[changingAction(may, type)];
  if (!where) return translate('entry.readOnly');
  const rule = ruleText(where, type, translate('entry.you'));
  return rule === undefined ? translate('entry.readOnlyByRule') : translate('entry.readOnlyBut', { rule });
}

function useStatus(type: ContentType, canSave: boolean, isSaving: boolean, isDirty: boolean): string {
  const translate = useTranslate();
  const reason = useReadOnlyReason(type);
  if (!canSave) return reason;
  if (isSaving) return translate('entry.saving');
  return isDirty ? translate('entry.unsaved') : '';
}

/** The buttons of a type with drafts beside “Save”. */
function DraftButtons({ target, entry, state, isDirty, submission, onDraftDiscarded, onTakeTheirs }: Props) {
  const translate = useTranslate();
  const { submit, busy } = submission;
  const { canPublish } = useWriteRights(target.type, entry);
  const canDiscard = entry !== undefined && state === 'modified' && !isDirty;
  return (
    <>
      {canDiscard && (
        <DiscardDraft
          target={target}
          entry={entry}
          busy={busy}
          onDiscarded={onDraftDiscarded}
          onReload={onTakeTheirs}
        />
      )}
      {canPublish && state !== 'draft' && (
        <Button color="inherit" disabled={busy.isBusy} onClick={() => void submit('unpublish')}>
          {translate('entry.unpublish')}
        </Button>
      )}
    </>
  );
}

function SaveButtons({ target: { type }, entry, state, isDirty, submission }: Props) {
  const translate = useTranslate();
  const { submit, busy, isCreated } = submission;
  const hasDraft = useHasDraft(type) || (type.draftAndPublish && state === 'draft');
  const isUnchanged = !isDirty && entry !== undefined;
  const { canPublish } = useWriteRights(type, entry);
  return (
    <>
      <Button
        variant={hasDraft ? 'outlined' : 'contained'}
        loading={busy.isBusy}
        disabled={isUnchanged || isCreated}
        onClick={() => void submit('as-it-is')}
      >
        {translate(hasDraft ? 'entry.saveDraft' : 'ra.action.save')}
      </Button>
      {hasDraft && canPublish && (
        <Button
          variant="contained"
          disabled={busy.isBusy || isCreated || (isUnchanged && state === 'published')}
          onClick={() => void submit('publish')}
        >
          {translate('entry.publish')}
        </Button>
      )}
    </>
  );
}

export function EntryActions(props: Props) {
  const { target, entry, state, preview, isDirty, isCompared, onCompare, submission, onDiscard, onTakeTheirs } = props;
  const translate = useTranslate();
  const { submit, busy, conflict, forgetConflict } = submission;
  const { type } = target;
  const { canSave } = useWriteRights(type, entry);
  const hasOwnButtons = useOwnButtons('entry', type.uid).length > 0;
  const status = useStatus(type, canSave, busy.isBusy, isDirty);
  return (
    <AppBar
      component="div"
      position="sticky"
      color="inherit"
      elevation={0}
      sx={{ top: 48, borderBottom: 1, borderColor: 'divider', mb: 2, zIndex: 2 }}
    >
      <Toolbar variant="dense" sx={{ gap: 1, flexWrap: 'wrap', py: 0.5 }}>
        {type.draftAndPublish && <StateChip state={state} />}
        {state === 'modified' && (
          <Button size="small" aria-pressed={isCompared} startIcon={<DifferenceIcon />} onClick={onCompare}>
            {translate('draft.differences')}
          </Button>
        )}
        {preview && <PreviewButtons preview={preview} />}
        {entry && hasOwnButtons && (
          <Suspense>
            <EntryButtons type={type} entry={entry} canSave={canSave} onReload={props.onReload} />
          </Suspense>
        )}
        <Typography role="status" variant="body2" color="text.secondary" sx={{ flex: 1 }}>
          {status}
        </Typography>
        {canSave && (
          <>
            {isDirty && (
              <Button color="inherit" disabled={busy.isBusy} onClick={onDiscard}>
                {translate('entry.discard')}
              </Button>
            )}
            {type.draftAndPublish && <DraftButtons {...props} />}
            <SaveButtons {...props} />
          </>
        )}
      </Toolbar>
      {conflict !== undefined && (
        <ConflictDialog
          target={target}
          onClose={forgetConflict}
          onTakeMine={(over) => void submit(conflict, over)}
          onTakeTheirs={() => {
            forgetConflict();
            onTakeTheirs();
          }}
        />
      )}
    </AppBar>
  );
}
