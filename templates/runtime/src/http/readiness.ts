/** What a server needs in order to serve: each part of it brings a check, which `GET /_ready` asks. */

/** Answers what is wrong, in words that may be shown to anybody; undefined if nothing is. May throw: then it is not ready either. */
export type ReadinessCheck = () => Promise<string | undefined> | string | undefined;

/**
 * A check whose answer is kept for some milliseconds and shared by all who ask meanwhile: for one that costs something, as
 * everybody may ask, as often as they like.
 */
export function keptFor(milliseconds: number, check: ReadinessCheck): ReadinessCheck {
  let kept: { readonly answer: Promise<string | undefined>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now >= kept.until) kept = { answer: (async () => check())(), until: now + milliseconds };
    return kept.answer;
  };
}

/** What the first check that fails says; undefined if the server is ready. Never throws. */
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
