/** Checks for the readiness probe `GET /_ready`. */

/**
 * Returns why the server is not ready, without anything confidential; undefined if it is. Throwing also means not
 * ready.
 */
export type ReadinessCheck = () => Promise<string | undefined> | string | undefined;

/**
 * Caches the result of a check for some milliseconds, and shares one that is running: for expensive checks, since the
 * probe is public and not rate-limited.
 */
export function cachedFor(milliseconds: number, check: ReadinessCheck): ReadinessCheck {
  let kept: { readonly answer: Promise<string | undefined>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now >= kept.until) kept = { answer: (async () => check())(), until: now + milliseconds };
    return kept.answer;
  };
}

/** The result of the first check that fails; undefined if the server is ready. Never throws. */
export async function notReady(checks: readonly ReadinessCheck[]): Promise<string | undefined> {
  for (const check of checks) {
    try {
      const problem = await check();
      if (problem !== undefined) return problem;
    } catch {
      return 'a check failed';
    }
  }
  return undefined;
}
