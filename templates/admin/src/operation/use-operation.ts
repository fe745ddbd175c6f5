/** Changes on the pages of webhooks and jobs. */
import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useBusy } from '../app/use-busy.ts';
import { useProblemText } from '../app/problem-text.ts';

/**
 * Returns a function that runs one change at a time, tells what it answers, and reads the page again. `key`: that of the queries of the
 * page.
 */
export function useOperation(key: string) {
  const client = useQueryClient();
  const notify = useNotify();
  const problemText = useProblemText();
  const { isBusy, run: runAlone } = useBusy();
  const run = (work: () => Promise<string | undefined>): void =>
    void runAlone(async () => {
      try {
        const told = await work();
        if (told !== undefined) notify(told, { type: 'info' });
      } catch (error) {
        notify(problemText(error), { type: 'error' });
      }
      await client.invalidateQueries({ queryKey: [key] });
    });
  return { isBusy, run };
}
