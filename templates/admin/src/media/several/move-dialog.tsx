/** Moves the selected files into a folder. Loaded on demand. */
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { ReadProblem } from '../../app/read-problem.tsx';
import { TOP_FOLDER } from '../../../../runtime/src/contract/upload-folders.ts';
import { FolderSelect } from '../folders/folder-select.tsx';
import { useFolders } from '../folders/folders.ts';
import { ChangeDialog, type ChangeProps } from './change-dialog.tsx';

export default function MoveDialog(props: ChangeProps) {
  const translate = useTranslate();
  const { folders, error, refetch } = useFolders();
  const [folder, setFolder] = useState(TOP_FOLDER);
  return (
    <ChangeDialog
      {...props}
      id="move-dialog"
      action={translate('media.move')}
      change={folders && { folder: folder === TOP_FOLDER ? null : folder }}
    >
      {error && <ReadProblem error={error} onRetry={() => void refetch()} />}
      {folders && (
        <FolderSelect label={translate('media.folder')} folders={folders} value={folder} onChange={setFolder} />
      )}
    </ChangeDialog>
  );
}
