/** Reports unknown names in `populate` that `api.unknownAttributes: ignore` leaves out of answers. */

/** An unknown name in a query. */
export interface IgnoredName {
  /** The type or component that has no such attribute, or the attribute that has no such target. */
  readonly owner: string;
  readonly name: string;
  /** The full path of the parameter. */
  readonly path: string;
}

export type ReportIgnored = (ignored: IgnoredName) => void;

/** Queries choose the names, so only so many are remembered and reported, and so much of each. */
const MAX_REPORTED = 1000;
const MAX_LENGTH = 200;

/** Reports each name of an owner once. */
export function reportingOnce(report: ReportIgnored): ReportIgnored {
  const reported = new Set<string>();
  return ({ owner, ...given }) => {
    const [name, path] = [given.name.slice(0, MAX_LENGTH), given.path.slice(0, MAX_LENGTH)];
    const key = `${owner.slice(0, MAX_LENGTH)} ${name}`;
    if (reported.has(key) || reported.size >= MAX_REPORTED) return;
    reported.add(key);
    report({ owner: owner.slice(0, MAX_LENGTH), name, path });
  };
}
