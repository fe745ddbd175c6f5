/** The audit of the server: `/api/_audit`. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditRow } from '../../../runtime/src/contract/audit/audit-log.ts';
import { ask } from '../rest/request.ts';

export type { AuditRow };

/** What the rows must be about; empty texts don't filter. */
export interface AuditFilter {
  readonly type: string;
  readonly event: string;
  /** `user:2` */
  readonly actor: string;
}

interface AuditPage {
  readonly data: readonly AuditRow[];
  readonly meta: { readonly after: string | null };
}

function pathOf(filter: AuditFilter, after: string | undefined): string {
  const given = Object.entries({ ...filter, after: after ?? '' }).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  return `_audit?pageSize=50${query === '' ? '' : `&${query}`}`;
}

/** The rows, the last first, page by page. */
export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => ask<AuditPage>({ path: pathOf(filter, pageParam) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.after ?? undefined,
    retry: false,
  });
}
