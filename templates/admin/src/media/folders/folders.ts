/** The folders of the media library: read all at once, since their number is bounded. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { type Folder, TOP_FOLDER } from '../../../../runtime/src/contract/upload-folders.ts';
import { useModel } from '../../model/model-context.tsx';
import { ask } from '../../rest/request.ts';
import { MEDIA_KEY } from '../media-search.ts';

export function useHasFolders(): boolean {
  return useModel().model.upload?.folders === true;
}

/** A folder as it is chosen: by its path from the top. */
export interface FolderChoice {
  readonly id: number;
  readonly path: string;
  /** The folder, and those that it is in. */
  readonly way: readonly Folder[];
}

/** The way from the top to a folder, without the top. */
export function wayTo(folders: readonly Folder[], id: number): readonly Folder[] {
  const way: Folder[] = [];
  let at = folders.find((folder) => folder.id === id);
  while (at && !way.includes(at)) {
    way.unshift(at);
    const { parent } = at;
    at = folders.find((folder) => folder.id === parent);
  }
  return way;
}

export function useFolders() {
  const { data, error, refetch } = useQuery({
    queryKey: [MEDIA_KEY, 'folders'],
    queryFn: () => ask<readonly Folder[]>({ path: 'upload/folders' }),
    retry: false,
  });
  return { folders: data, error, refetch };
}

/** All folders by path, the top first. */
export function useFolderChoices(folders: readonly Folder[]): readonly FolderChoice[] {
  const translate = useTranslate();
  return useMemo(() => {
    const choices = folders.map(({ id }): FolderChoice => {
      const way = wayTo(folders, id);
      return { id, way, path: way.map(({ name }) => name).join(' / ') };
    });
    const top = { id: TOP_FOLDER, way: [], path: translate('media.top') };
    return [top, ...choices.toSorted((a, b) => a.path.localeCompare(b.path))];
  }, [folders, translate]);
}
