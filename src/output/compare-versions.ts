/** Ordering of versions according to semantic versioning. */

/** Negative if `a` is older than `b`, 0 if they are equal. Ignores build metadata (`+…`). */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [parse(a), parse(b)];
  const byRelease = compareLists(one.release, other.release);
  if (byRelease !== 0) return byRelease;
  // 1.0.0-beta comes before 1.0.0.
  if (one.prerelease.length === 0 || other.prerelease.length === 0) {
    return other.prerelease.length - one.prerelease.length;
  }
  return compareLists(one.prerelease, other.prerelease);
}

interface Version {
  readonly release: readonly string[];
  /** Empty for a release. */
  readonly prerelease: readonly string[];
}

function parse(version: string): Version {
  const [core = ''] = version.split('+');
  const dash = core.indexOf('-');
  if (dash < 0) return { release: core.split('.'), prerelease: [] };
  return { release: core.slice(0, dash).split('.'), prerelease: core.slice(dash + 1).split('.') };
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [one, other] = [a[index], b[index]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers are compared by value and precede words; words are compared by code points. */
function compareIdentifiers(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => /^\d+$/.test(text));
  if (one && other) return Number(a) - Number(b);
  if (one !== other) return one ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
