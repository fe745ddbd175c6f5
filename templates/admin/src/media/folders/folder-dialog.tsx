/** Creates a folder, or renames and moves one. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type Folder, FOLDER_LIMITS, TOP_FOLDER } from '../../../../runtime/src/contract/upload-folders.ts';
import { useProblemText } from '../../app/problem-text.ts';
import { useBusy } from '../../app/use-busy.ts';
import { textOf } from '../../model/text-of.ts';
import { ask } from '../../rest/request.ts';
import { MEDIA_KEY } from '../media-search.ts';
import { FolderSelect } from './folder-select.tsx';

interface Props {
  readonly folders: readonly Folder[];
  /** The folder to change; undefined for a new one. */
  readonly folder: Folder | undefined;
  /** Where a new one is created. */
  readonly inside: number;
  readonly onClose: () => void;
}

export function FolderDialog({ folders, folder, inside, onClose }: Props) {
  const translate = useTranslate();
  const client = useQueryClient();
  const problemText = useProblemText();
  const { isBusy, run } = useBusy();
  const [parent, setParent] = useState(folder ? (folder.parent ?? TOP_FOLDER) : inside);
  const [problem, setProblem] = useState<string>();
  const title = translate(folder ? 'media.editFolder' : 'media.newFolder');

  async function save(name: string): Promise<void> {
    const body = { name, parent: parent === TOP_FOLDER ? null : parent };
    const [method, path] = folder
      ? (['PUT', `upload/folders/${folder.id}`] as const)
      : (['POST', 'upload/folders'] as const);
    try {
      await ask({ method, path, body });
      await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
      onClose();
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const name = textOf(new FormData(event.currentTarget).get('name'));
    void run(() => save(name));
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="folder-dialog">
      <form onSubmit={submit}>
        <DialogTitle id="folder-dialog">{title}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2, '&&': { pt: 1 } }}>
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
          <TextField
            autoFocus
            required
            fullWidth
            name="name"
            label={translate('media.folderName')}
            defaultValue={folder?.name ?? ''}
            slotProps={{ htmlInput: { maxLength: FOLDER_LIMITS.name, dir: 'auto' } }}
          />
          <FolderSelect
            label={translate('media.parent')}
            folders={folders}
            value={parent}
            onChange={setParent}
            except={folder?.id}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy}>
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
