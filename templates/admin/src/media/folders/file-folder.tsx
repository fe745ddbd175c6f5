/** The folder of a file, in its details. Saved at once, apart from its texts. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify, useTranslate } from 'react-admin';
import { type Folder, TOP_FOLDER } from '../../../../runtime/src/contract/upload-folders.ts';
import { useProblemText } from '../../app/problem-text.ts';
import { ReadProblem } from '../../app/read-problem.tsx';
import { useMay } from '../../app/session.ts';
import { useBusy } from '../../app/use-busy.ts';
import { ask } from '../../rest/request.ts';
import { MEDIA_KEY } from '../media-search.ts';
import { changeFiles } from '../several/change-files.ts';
import { FolderSelect } from './folder-select.tsx';
import { useFolders } from './folders.ts';

export default function FileFolder({ file }: { readonly file: number }) {
  const translate = useTranslate();
  const may = useMay();
  const client = useQueryClient();
  const notify = useNotify();
  const problemText = useProblemText();
  const { isBusy, run } = useBusy();
  const { folders } = useFolders();
  const { data, error, refetch } = useQuery({
    queryKey: [MEDIA_KEY, 'folder', file],
    queryFn: () => ask<{ readonly folder: Folder | null }>({ path: `upload/files/${file}/folder` }),
    enabled: may('upload', 'findOne'),
    retry: false,
  });
  async function move(folder: number): Promise<void> {
    try {
      await changeFiles([{ id: file, folder: folder === TOP_FOLDER ? null : folder }]);
      notify('entry.saved', { type: 'success' });
    } catch (problem) {
      notify(problemText(problem), { type: 'error' });
    }
    await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
  }
  if (error) return <ReadProblem error={error} onRetry={() => void refetch()} />;
  if (!data || !folders) return null;
  return (
    <FolderSelect
      label={translate('media.folder')}
      folders={folders}
      value={data.folder?.id ?? TOP_FOLDER}
      readOnly={isBusy || !may('upload', 'upload')}
      onChange={(folder) => void run(() => move(folder))}
    />
  );
}
