/** Reference model: the rules of `disconnect` and `connect` on a plain list. Simple, slow, and for whole lists only. */

export interface ModelStep {
  readonly key: string;
  readonly position:
    { readonly kind: 'start' | 'end' } | { readonly kind: 'before' | 'after'; readonly anchor: string };
}

interface Item {
  readonly key: string;
  gone: boolean;
}

/** The resulting list, or undefined if an anchor is missing. */
export function changedList(
  list: readonly string[],
  connect: readonly ModelStep[],
  disconnect: readonly string[],
): string[] | undefined {
  const connected = new Set(connect.map(({ key }) => key));
  // Removed members are only marked, since they may still be anchors.
  const items: Item[] = list.map((key) => ({ key, gone: disconnect.includes(key) && !connected.has(key) }));
  const waiting = new Set<ModelStep>();

  const has = (key: string): boolean => items.some((item) => item.key === key);
  const indexFor = ({ position }: ModelStep): number => {
    if (!('anchor' in position)) return position.kind === 'start' ? 0 : items.length;
    const index = items.findIndex(({ key }) => key === position.anchor);
    return position.kind === 'before' ? index : index + 1;
  };
  const placeNow = (step: ModelStep): void => {
    const old = items.findIndex(({ key }) => key === step.key);
    if (old >= 0) items.splice(old, 1);
    items.splice(indexFor(step), 0, { key: step.key, gone: false });
    for (const other of connect) {
      if (waiting.has(other) && 'anchor' in other.position && other.position.anchor === step.key) {
        waiting.delete(other);
        placeNow(other);
      }
    }
  };

  for (const step of connect) {
    const anchor = 'anchor' in step.position ? step.position.anchor : undefined;
    if (anchor === step.key) return undefined;
    if (anchor === undefined || has(anchor)) placeNow(step);
    else if (connected.has(anchor)) waiting.add(step);
    else return undefined;
  }
  return waiting.size > 0 ? undefined : items.filter(({ gone }) => !gone).map(({ key }) => key);
}
