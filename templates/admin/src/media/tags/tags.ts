/** The tags of the media library. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useModel } from '../../model/model-context.tsx';
import { ask } from '../../rest/request.ts';
import { MEDIA_KEY } from '../media-search.ts';

export function useHasTags(): boolean {
  return useModel().model.upload?.tags === true;
}

/** Known tags that contain a word, at most a hundred; none for those who may not see them. */
export function useKnownTags(word: string): readonly string[] {
  const { data } = useQuery({
    queryKey: [MEDIA_KEY, 'tags', word],
    queryFn: () => ask<readonly string[]>({ path: 'upload/tags', query: { _q: word }, isUnlisted: true }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data ?? [];
}
