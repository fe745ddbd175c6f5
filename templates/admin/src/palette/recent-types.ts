/** The types whose pages were opened last, latest first. */
import { useEffect } from 'react';
import { useStore } from 'react-admin';
import { useLocation } from 'react-router';
import { useModel } from '../model/model-context.tsx';

const KEY = 'recent-types';

/** How many are remembered. */
const MAX = 12;

export function useRecentTypes(): readonly string[] {
  return useStore<readonly string[]>(KEY, [])[0];
}

/** Remembers the type of the current page. */
export function useRememberedTypes(): void {
  const { pathname } = useLocation();
  const index = useModel();
  const [recent, setRecent] = useStore<readonly string[]>(KEY, []);
  const uid = index.of(pathname.split('/')[1] ?? '')?.uid;
  useEffect(() => {
    if (uid !== undefined && recent[0] !== uid) {
      setRecent([uid, ...recent.filter((other) => other !== uid)].slice(0, MAX));
    }
  }, [uid]);
}
