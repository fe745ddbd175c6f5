/** An end to waiting for a server that does not answer at all. */

/** How `work` ends, unless it takes longer than `limit` milliseconds: then `giveUp` is called, which must make it fail. */
export async function withDeadline<T>(work: Promise<T>, limit: number, giveUp: () => void): Promise<T> {
  if (limit === 0) return work;
  const timer = setTimeout(giveUp, limit);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
