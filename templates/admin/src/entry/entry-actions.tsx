/** The toolbar of an entry: its status and the buttons to save and publish it. */
import AppBar from '@mui/material/AppBar';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Submission } from './use-submit.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry | undefined;
  readonly isDirty: boolean;
  readonly submission: Submission;
  readonly onDiscard: () => void;
  /** Discards the user's changes and loads the version that someone else has saved. */
  readonly onTakeTheirs: () => void;
}

function StateChip({ entry }: { readonly entry: LoadedEntry | undefined }) {
  const translate = useTranslate();
  const isPublished = typeof entry?.publishedAt === 'string';
  return (
    <Chip
      size="small"
      variant="outlined"
      color={isPublished ? 'success' : 'default'}
      label={translate(isPublished ? 'entry.published' : 'entry.draft')}
    />
  );
}

function useStatus(canSave: boolean, isSaving: boolean, isDirty: boolean): string {
  const translate = useTranslate();
  if (!canSave) return translate('entry.readOnly');
  if (isSaving) return translate('entry.saving');
  return isDirty ? translate('entry.unsaved') : '';
}

export function EntryActions({ target, entry, isDirty, submission, onDiscard, onTakeTheirs }: Props) {
  const translate = useTranslate();
  const may = useMay();
  const { submit, busy, conflict, forgetConflict } = submission;
  const { type } = target;
  const canSave = may(type.uid, entry ? 'update' : type.kind === 'single' ? 'update' : 'create');
  const isPublished = typeof entry?.publishedAt === 'string';
  const status = useStatus(canSave, busy.isBusy, isDirty);
  return (
    <AppBar
      component="div"
      position="sticky"
      color="inherit"
      elevation={0}
      sx={{ top: 48, borderBottom: 1, borderColor: 'divider', mb: 2, zIndex: 2 }}
    >
      <Toolbar variant="dense" sx={{ gap: 1, flexWrap: 'wrap', py: 0.5 }}>
        {type.draftAndPublish && <StateChip entry={entry} />}
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
            {type.draftAndPublish && (
              <Button
                disabled={busy.isBusy}
                onClick={() => void submit(isPublished ? 'unpublish' : 'publish')}
                color={isPublished ? 'inherit' : 'success'}
              >
                {translate(isPublished ? 'entry.unpublish' : 'entry.publish')}
              </Button>
            )}
            <Button
              variant="contained"
              loading={busy.isBusy}
              disabled={!isDirty && entry !== undefined}
              onClick={() => void submit('as-it-is')}
            >
              {translate(type.draftAndPublish && !isPublished ? 'entry.saveDraft' : 'ra.action.save')}
            </Button>
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
