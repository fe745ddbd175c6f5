/** The team's own buttons above a list. */
import { useListContext, useRefresh } from 'react-admin';
import { useContentLocale } from '../list/content-locale.tsx';
import type { ContentType } from '../model/model.ts';
import { OwnButton } from './own-button.tsx';
import { useOwnButtons } from './own-pages.ts';
import { usePanelTools } from './use-tools.ts';

export default function ListButtons({ type }: { readonly type: ContentType }) {
  const [language] = useContentLocale();
  const locale = type.localized ? language : undefined;
  const { selectedIds } = useListContext();
  const refresh = useRefresh();
  const tools = usePanelTools();
  return useOwnButtons('list', type.uid).map(({ label, run }, at) => (
    <OwnButton
      key={at}
      label={label}
      run={() => run({ ...tools, type: type.uid, ids: selectedIds.map(Number), locale, reload: refresh })}
    />
  ));
}
