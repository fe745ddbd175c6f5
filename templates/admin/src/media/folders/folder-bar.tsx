/** The path of the open folder, the folders in it, and what can be done with it. Loaded only if the role sees folders. */
import CreateNewFolderIcon from '@mui/icons-material/CreateNewFolder';
import DeleteIcon from '@mui/icons-material/Delete';
import EditIcon from '@mui/icons-material/Edit';
import FolderIcon from '@mui/icons-material/Folder';
import Box from '@mui/material/Box';
import Breadcrumbs from '@mui/material/Breadcrumbs';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Confirm, HttpError, useNotify, useTranslate } from 'react-admin';
import { type Folder, TOP_FOLDER } from '../../../../runtime/src/contract/upload-folders.ts';
import { useProblemText } from '../../app/problem-text.ts';
import { ReadProblem } from '../../app/read-problem.tsx';
import { useMay } from '../../app/session.ts';
import { ask } from '../../rest/request.ts';
import { MEDIA_KEY } from '../media-search.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { useFolders, wayTo } from './folders.ts';

interface Props {
  readonly folder: number;
  readonly onOpen: (folder: number) => void;
}

const CONFLICT = 409;

/** Deletes the open folder, and opens the one that it was in. */
function useDeletion(onOpen: Props['onOpen']): (folder: Folder) => Promise<void> {
  const client = useQueryClient();
  const notify = useNotify();
  const problemText = useProblemText();
  return async ({ id, parent }) => {
    try {
      await ask({ method: 'DELETE', path: `upload/folders/${id}` });
      onOpen(parent ?? TOP_FOLDER);
    } catch (error) {
      const isFull = error instanceof HttpError && error.status === CONFLICT;
      notify(isFull ? 'media.notEmpty' : problemText(error), { type: 'error' });
    }
    await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
  };
}

function Path({ way, onOpen }: { readonly way: readonly Folder[]; readonly onOpen: Props['onOpen'] }) {
  const translate = useTranslate();
  const steps = [{ id: TOP_FOLDER, name: translate('media.top') }, ...way];
  return (
    <Breadcrumbs aria-label={translate('media.path')} sx={{ flex: 1, minWidth: 0 }}>
      {steps.map(({ id, name }, index) =>
        index === steps.length - 1 ? (
          <Typography key={id} aria-current="page" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
        ) : (
          <Link key={id} component="button" type="button" onClick={() => onOpen(id)} sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Link>
        ),
      )}
    </Breadcrumbs>
  );
}

function Actions({ folders, open, onOpen }: FoundProps) {
  const translate = useTranslate();
  const may = useMay();
  const remove = useDeletion(onOpen);
  const [dialog, setDialog] = useState<'new' | 'edit' | 'delete'>();
  const close = (): void => setDialog(undefined);
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5 }}>
      {may('upload', 'upload') && open && (
        <IconButton aria-label={translate('media.editFolder')} onClick={() => setDialog('edit')}>
          <EditIcon />
        </IconButton>
      )}
      {may('upload', 'destroy') && open && (
        <IconButton aria-label={translate('media.deleteFolder')} onClick={() => setDialog('delete')}>
          <DeleteIcon />
        </IconButton>
      )}
      {may('upload', 'upload') && (
        <Button startIcon={<CreateNewFolderIcon />} onClick={() => setDialog('new')}>
          {translate('media.newFolder')}
        </Button>
      )}
      {(dialog === 'new' || dialog === 'edit') && (
        <FolderDialog
          folders={folders}
          folder={dialog === 'edit' ? open : undefined}
          inside={open?.id ?? TOP_FOLDER}
          onClose={close}
        />
      )}
      {open && (
        <Confirm
          isOpen={dialog === 'delete'}
          title={translate('media.deleteFolder')}
          content={translate('media.deleteEmpty', { name: open.name })}
          onConfirm={() => {
            close();
            void remove(open);
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}

interface FoundProps {
  readonly folders: readonly Folder[];
  /** Undefined at the top. */
  readonly open: Folder | undefined;
  readonly onOpen: Props['onOpen'];
}

export default function FolderBar({ folder, onOpen }: Props) {
  const translate = useTranslate();
  const { folders, error, refetch } = useFolders();
  const isGone = folders !== undefined && folder !== TOP_FOLDER && folders.every(({ id }) => id !== folder);
  useEffect(() => {
    if (isGone) onOpen(TOP_FOLDER);
  }, [isGone, onOpen]);
  if (error) return <ReadProblem error={error} onRetry={() => void refetch()} />;
  if (!folders) return null;
  const open = folders.find(({ id }) => id === folder);
  const inside = folders.filter(({ parent }) => (parent ?? TOP_FOLDER) === (open?.id ?? TOP_FOLDER));
  return (
    <Stack sx={{ gap: 1 }}>
      <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
        <Path way={open ? wayTo(folders, open.id) : []} onOpen={onOpen} />
        <Actions folders={folders} open={open} onOpen={onOpen} />
      </Stack>
      {inside.length > 0 && (
        <Box
          component="ul"
          aria-label={translate('media.folderList')}
          sx={{
            display: 'grid',
            gap: 1,
            gridTemplateColumns: 'repeat(auto-fill, minmax(min(180px, 45%), 1fr))',
            listStyle: 'none',
            m: 0,
            p: 0,
          }}
        >
          {inside.map(({ id, name }) => (
            <Box component="li" key={id} sx={{ minWidth: 0 }}>
              <Button
                fullWidth
                variant="outlined"
                color="inherit"
                startIcon={<FolderIcon color="action" />}
                onClick={() => onOpen(id)}
                sx={{ justifyContent: 'flex-start', textTransform: 'none', borderColor: 'divider' }}
              >
                <Box
                  component="span"
                  dir="auto"
                  sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
                >
                  {name}
                </Box>
              </Button>
            </Box>
          ))}
        </Box>
      )}
    </Stack>
  );
}
