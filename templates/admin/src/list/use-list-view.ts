import { useStore } from 'react-admin';
import { useSearchParams } from 'react-router';
import type { ListView } from '../../../runtime/src/contract/panel-view.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { viewIn } from '../rest/list-views.ts';

/** The parameters by which an address says what a list shows; without any of them, it shows what it did before. */
const OF_LISTS = ['filter', 'displayedFilters', 'sort', 'order', 'page', 'perPage'];

/** What react-admin remembers of a list, by the parameters above. */
type KeptList = Readonly<Record<string, unknown>>;

function saysList(parameters: URLSearchParams): boolean {
  return OF_LISTS.some((name) => parameters.has(name));
}

function useKeptList(type: ContentType): KeptList | undefined {
  const [kept] = useStore<KeptList | undefined>(`${resourceOf(type)}.listParams`);
  return kept;
}

/**
 * Returns what gives an address that says nothing of its list the parameters of what it showed before. To react-admin, an address
 * with any other parameter says that the list is as it is at first.
 */
export function useWholeAddress(type: ContentType): (parameters: URLSearchParams) => URLSearchParams {
  const kept = useKeptList(type);
  return (parameters) => {
    const whole = new URLSearchParams(parameters);
    if (saysList(parameters)) return whole;
    for (const name of OF_LISTS) {
      const value = kept?.[name];
      if (value === undefined || value === null) continue;
      whole.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    return whole;
  };
}

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
  const kept = useKeptList(type);
  return viewIn(type, saysList(parameters) ? parsedFilter(parameters.get('filter')) : kept?.['filter']);
}
