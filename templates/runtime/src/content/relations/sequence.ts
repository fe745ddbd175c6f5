/** A list of which only some members are known, as a doubly linked list: known member, gap, known member, … */

/** A member of a stored list, with its position and those of its neighbors. */
export interface StoredMember {
  readonly key: string;
  readonly position: number;
  /** Positions of the adjacent members; undefined at the ends of the list. */
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/** Positions of the first and last member; undefined if the list is empty, or if the change puts nothing at its ends. */
export interface ListEdges {
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** Keys that need positions, in order, between two members that stay; an undefined bound is an end of the list. */
export interface Run {
  readonly keys: readonly string[];
  readonly after: number | undefined;
  readonly before: number | undefined;
}

type SequencePosition =
  { readonly kind: 'start' | 'end' } | { readonly kind: 'before' | 'after'; readonly anchor: string };

/**
 * `end`: of the list. `gap`: unknown members, which stay; `left` and `right` are the positions of the outermost. `stays`: a known
 * member. `tombstone`: a member that leaves, but can still be an anchor. `placed`: a key that gets a new position.
 */
interface Node {
  kind: 'end' | 'gap' | 'stays' | 'tombstone' | 'placed';
  readonly key: string | undefined;
  readonly left: number | undefined;
  readonly right: number | undefined;
  previous: Node | undefined;
  next: Node | undefined;
}

/** The linked list. `start` is the node before the first. */
export interface Sequence {
  readonly start: Node;
  /** Whether the key is in the sequence, possibly as a tombstone. */
  has(key: string): boolean;
  /** Marks a member as leaving; it can still be an anchor. */
  tombstone(key: string): void;
  /** Moves or inserts the key. The anchor must be another key that is in the sequence. */
  put(key: string, position: SequencePosition): void;
}

function createNode(kind: Node['kind'], left?: number, right?: number, key?: string): Node {
  return { kind, key, left, right, previous: undefined, next: undefined };
}

function insertAfter(neighbor: Node, node: Node): void {
  node.previous = neighbor;
  node.next = neighbor.next;
  if (neighbor.next) neighbor.next.previous = node;
  neighbor.next = node;
}

function insertBefore(neighbor: Node, node: Node): void {
  if (neighbor.previous) insertAfter(neighbor.previous, node);
}

function takeOut(node: Node): void {
  if (node.previous) node.previous.next = node.next;
  if (node.next) node.next.previous = node.previous;
}

/** The nodes of a stored list in order, without empty gaps. */
function storedNodes(members: readonly StoredMember[], { first, last }: ListEdges): Node[] {
  const nodes: Node[] = [];
  let left = first;
  let previous: StoredMember | undefined;
  for (const member of members) {
    if (member.previous !== previous?.position) nodes.push(createNode('gap', left, member.previous));
    nodes.push(createNode('stays', member.position, member.position, member.key));
    left = member.next;
    previous = member;
  }
  if (left !== undefined) nodes.push(createNode('gap', left, last));
  return nodes;
}

/** Creates the sequence of a stored list. `members` are in the order of the list. */
export function createSequence(members: readonly StoredMember[], edges: ListEdges): Sequence {
  const start = createNode('end');
  const end = createNode('end');
  insertAfter(start, end);
  const known = new Map<string, Node>();
  for (const node of storedNodes(members, edges)) {
    insertBefore(end, node);
    if (node.key !== undefined) known.set(node.key, node);
  }

  function insert(node: Node, position: SequencePosition): void {
    if (!('anchor' in position)) {
      if (position.kind === 'start') insertAfter(start, node);
      else insertBefore(end, node);
      return;
    }
    const anchor = known.get(position.anchor);
    if (!anchor) throw new Error('An anchor is not in the list');
    if (position.kind === 'before') insertBefore(anchor, node);
    else insertAfter(anchor, node);
  }

  return {
    start,
    has: (key) => known.has(key),
    tombstone(key) {
      const node = known.get(key);
      if (node) node.kind = 'tombstone';
    },
    put(key, position) {
      const old = known.get(key);
      if (old) takeOut(old);
      const node = createNode('placed', undefined, undefined, key);
      insert(node, position);
      known.set(key, node);
    },
  };
}

/** The placed keys in order. Keys with no member that stays between them form one run. */
export function runsOf(sequence: Sequence): Run[] {
  const runs: Run[] = [];
  let keys: string[] = [];
  let after: number | undefined;
  for (let node = sequence.start.next; node; node = node.next) {
    if (node.kind === 'placed' && node.key !== undefined) keys.push(node.key);
    if (node.kind === 'placed' || node.kind === 'tombstone') continue;
    if (keys.length > 0) runs.push({ keys, after, before: node.left });
    keys = [];
    after = node.right;
  }
  return runs;
}
