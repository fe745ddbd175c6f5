/** The toolbar of an entry: its status and the buttons to save and publish it. */
import AppBar from '@mui/material/AppBar';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { useFormState } from 'react-hook-form';
import { useMay } from '../app/session.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Publication, Save } from './save-entry.ts';
import { useIsDirty } from './use-is-dirty.ts';
import { useSubmit } from './use-submit.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry | undefined;
  readonly save: (save: Save) => Promise<number>;
  readonly onSaved: (id: number, publication: Publication) => void;
  readonly onReload: () => void;
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

export function EntryActions({ target, entry, save, onSaved, onReload }: Props) {
  const translate = useTranslate();
  const may = useMay();
  const isDirty = useIsDirty();
  const { isSubmitting } = useFormState();
  const { submit, isConflict, forgetConflict } = useSubmit({ save, onSaved });
  const { type } = target;
  const canSave = may(type.uid, entry ? 'update' : type.kind === 'single' ? 'update' : 'create');
  const isPublished = typeof entry?.publishedAt === 'string';
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
          {canSave ? (isDirty ? translate('entry.unsaved') : '') : translate('entry.readOnly')}
        </Typography>
        {canSave && (
          <>
            {type.draftAndPublish && (
              <Button
                disabled={isSubmitting}
                onClick={() => void submit(isPublished ? 'unpublish' : 'publish')}
                color={isPublished ? 'inherit' : 'success'}
              >
                {translate(isPublished ? 'entry.unpublish' : 'entry.publish')}
              </Button>
            )}
            <Button
              variant="contained"
              loading={isSubmitting}
              disabled={!isDirty && entry !== undefined}
              onClick={() => void submit('as-it-is')}
            >
              {translate(type.draftAndPublish && !isPublished ? 'entry.saveDraft' : 'ra.action.save')}
            </Button>
          </>
        )}
      </Toolbar>
      {isConflict && (
        <ConflictDialog
          target={target}
          onClose={forgetConflict}
          onTakeMine={(over) => void submit('as-it-is', over)}
          onTakeTheirs={() => {
            forgetConflict();
            onReload();
          }}
        />
      )}
    </AppBar>
  );
}
