/** The views of a list that the schema defines: filters, an order and columns under a name. */
import type { ListView } from '../../../runtime/src/contract/panel-view.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { sortKeyOf } from './list-query.ts';
import type { QueryObject, QueryValue } from './query-string.ts';

/** In the filters of a list: the name of its view. Can't clash with attribute names, which begin with a letter. */
export const VIEW_FILTER = '__view';

/** What `$user` and `$now` stand for. */
export interface ViewVariables {
  readonly user: number;
  readonly now: Date;
}

/** The view that the filters of a list name; undefined if the type has none of that name for the role. */
export function viewIn({ views = [] }: ContentType, filter: unknown): ListView | undefined {
  const name = (filter as Readonly<Record<string, unknown>> | null | undefined)?.[VIEW_FILTER];
  return views.find((view) => view.name === name);
}

/** The minute, so that the pages of a list belong together. */
function momentOf(now: Date): string {
  return `${now.toISOString().slice(0, 16)}:00.000Z`;
}

function filterValue(value: unknown, variables: ViewVariables): QueryValue {
  if (value === '$user') return variables.user;
  if (value === '$now') return momentOf(variables.now);
  if (Array.isArray(value)) return value.map((one) => filterValue(one, variables));
  return typeof value === 'object' && value !== null ? filtersOf(value, variables) : (value as QueryValue);
}

function filtersOf(filters: object, variables: ViewVariables): QueryObject {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      // A list of values means any of them.
      const isAny = Array.isArray(value) && !name.startsWith('$');
      return [name, filterValue(isAny ? { $in: value } : value, variables)];
    }),
  );
}

/** The filters of a view in a request. */
export function viewFilters({ filters = {} }: ListView, variables: ViewVariables): QueryObject {
  return filtersOf(filters, variables);
}

/** The order of a list that nobody has chosen one for. */
export const FIRST_ORDER = { field: 'id', order: 'DESC' } as const;

/** The address of a list in a view, or of the list without one. */
export function viewPath(type: ContentType, view: ListView | undefined, index: ModelIndex): string {
  const { sort } = view ?? {};
  const parameters = new URLSearchParams({
    filter: JSON.stringify(view ? { [VIEW_FILTER]: view.name } : {}),
    sort: (sort && sortKeyOf(type, sort.column, index)) ?? FIRST_ORDER.field,
    order: sort && !sort.descending ? 'ASC' : 'DESC',
    page: '1',
  });
  return `/${resourceOf(type)}?${parameters.toString()}`;
}
