/** Recent API requests of the page, for "Show requests". */
import { useSyncExternalStore } from 'react';
import type { ApiRequest } from '../rest/api-request.ts';

const KEPT = 30;

let requests: readonly ApiRequest[] = [];
const listeners = new Set<() => void>();

/** Whether a request may contain a password. */
function isSecret({ path }: ApiRequest): boolean {
  return path.startsWith('admin/session') || path === 'admin/first-user';
}

export function logRequest(request: ApiRequest): void {
  if (request.isUnlisted || isSecret(request)) return;
  requests = [request, ...requests].slice(0, KEPT);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The recent requests, latest first. */
export function useRequestLog(): readonly ApiRequest[] {
  return useSyncExternalStore(subscribe, () => requests);
}
