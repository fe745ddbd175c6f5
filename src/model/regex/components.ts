/** Strongly connected components of a graph with the nodes 0 to `size` - 1. */

interface Frame {
  readonly node: number;
  readonly targets: readonly number[];
  position: number;
}

/**
 * The component of each node, in reverse topological order: successors have lower numbers. (Tarjan's algorithm, without
 * recursion.)
 */
export function connectedComponents(size: number, targetsOf: (node: number) => readonly number[]): Int32Array {
  const component = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const lowest = new Int32Array(size);
  const open: number[] = [];
  let visited = 0;
  let components = 0;
  const enter = (node: number): Frame => {
    order[node] = lowest[node] = visited;
    visited += 1;
    open.push(node);
    return { node, targets: targetsOf(node), position: 0 };
  };
  const close = (node: number): void => {
    let member: number | undefined;
    do {
      member = open.pop();
      if (member !== undefined) component[member] = components;
    } while (member !== undefined && member !== node);
    components += 1;
  };
  for (let root = 0; root < size; root += 1) {
    if (order[root] !== -1) continue;
    const frames = [enter(root)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { node } = frame;
      const target = frame.targets[frame.position];
      frame.position += 1;
      if (target === undefined) {
        frames.pop();
        const parent = frames.at(-1)?.node;
        if (parent !== undefined) lowest[parent] = Math.min(lowest[parent] ?? 0, lowest[node] ?? 0);
        if (lowest[node] === order[node]) close(node);
      } else if (order[target] === -1) {
        frames.push(enter(target));
      } else if (component[target] === -1) {
        lowest[node] = Math.min(lowest[node] ?? 0, order[target] ?? 0);
      }
    }
  }
  return component;
}
