import { useStore } from 'react-admin';
import { useSearchParams } from 'react-router';
import type { ListView } from '../../../runtime/src/contract/panel-view.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { viewIn } from '../rest/list-views.ts';

/** The parameters by which an address says what a list shows; without any of them, it shows what it did before. */
const OF_LISTS = ['filter', 'displayedFilters', 'sort', 'order', 'page', 'perPage'];

/** The filters in an address, which may say anything. */
export function parsedFilter(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}

/** The view of a list, also outside of react-admin's list context. */
export function useListView(type: ContentType): ListView | undefined {
  const [parameters] = useSearchParams();
  const [kept] = useStore<{ readonly filter?: unknown } | undefined>(`${resourceOf(type)}.listParams`);
  const isInAddress = OF_LISTS.some((name) => parameters.has(name));
  return viewIn(type, isInAddress ? parsedFilter(parameters.get('filter')) : kept?.filter);
}
