/**
 * Determines from the automaton how many paths a backtracking matcher may have to try on a single string. After
 * Weideman et al., "Analyzing matching time behavior of backtracking regular expression matchers" (2016): two loops
 * through one state that read the same string make matching exponential; a path between two loops, all of which read
 * the same string, makes it polynomial.
 */
import { type Automaton, type State, UnsupportedPattern } from './automaton.ts';
import { overlap } from './character-classes.ts';
import { connectedComponents } from './components.ts';

export type Ambiguity = 'exponential' | 'polynomial' | 'wide' | 'none';

/** The maximum number of analysis steps per pattern. */
const maxSteps = 3_000_000;
/** A constant number of paths up to this is harmless. */
const maxWays = 5000;

interface Graph {
  readonly states: readonly State[];
  readonly next: readonly (readonly number[])[];
  readonly component: Int32Array;
  /** The members of each component that contains a loop. */
  readonly loops: ReadonlyMap<number, readonly number[]>;
  readonly spend: (steps: number) => void;
}

function createGraph({ states }: Automaton): Graph {
  const next = states.map((state) => [...state.next.keys()]);
  const component = connectedComponents(states.length, (state) => next[state] ?? []);
  const members = new Map<number, number[]>();
  for (const [state, number] of component.entries()) members.set(number, [...(members.get(number) ?? []), state]);
  const isLoop = (loop: readonly number[]): boolean =>
    loop.length > 1 || loop.some((state) => next[state]?.includes(state) ?? false);
  let steps = 0;
  return {
    states,
    next,
    component,
    loops: new Map([...members].filter(([, loop]) => isLoop(loop))),
    spend: (more) => {
      steps += more;
      if (steps > maxSteps) throw new UnsupportedPattern('it is too complex to check');
    },
  };
}

function charactersOf({ states }: Graph, state: number): readonly number[] {
  return states[state]?.characters ?? [];
}

/** Whether two different loops through one state read the same string. */
function isExponential(graph: Graph, loop: readonly number[]): boolean {
  const { next, states } = graph;
  const indexOf = new Map(loop.map((state, index) => [state, index]));
  const inside = loop.map((state) => (next[state] ?? []).filter((target) => indexOf.has(target)));
  const twice = loop.some((state, index) => inside[index]?.some((target) => states[state]?.next.get(target) === 2));
  if (twice) return true;
  const size = loop.length;
  graph.spend(size * size);
  const component = connectedComponents(size * size, (pair) => {
    const targets: number[] = [];
    for (const a of inside[Math.floor(pair / size)] ?? []) {
      for (const b of inside[pair % size] ?? []) {
        graph.spend(1);
        if (overlap(charactersOf(graph, a), charactersOf(graph, b))) {
          targets.push((indexOf.get(a) ?? 0) * size + (indexOf.get(b) ?? 0));
        }
      }
    }
    return targets;
  });
  const diagonal = new Set(loop.map((_state, index) => component[index * size + index]));
  return component.some((number, pair) => diagonal.has(number) && Math.floor(pair / size) !== pair % size);
}

/** Whether some string leads from `p` to `p`, from `p` to `q`, and from `q` to `q`. */
function haveCommonText(graph: Graph, p: number, q: number): boolean {
  const { next, component, states } = graph;
  const size = states.length;
  // An unanchored search, which starts at every character, stops at the first match.
  const isSearch = p === size - 1 && states[p]?.next.has(p) === true;
  const goal = (p * size + q) * size + q;
  const open = [(p * size + p) * size + q];
  const seen = new Set(open);
  for (let triple = open.pop(); triple !== undefined; triple = open.pop()) {
    const [x, y, z] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size];
    for (const a of next[x] ?? []) {
      if (component[a] !== component[p]) continue;
      for (const c of next[z] ?? []) {
        if (component[c] !== component[q] || (isSearch && states[c]?.accepting)) continue;
        for (const b of next[y] ?? []) {
          graph.spend(1);
          const target = (a * size + b) * size + c;
          if (seen.has(target) || (isSearch && states[b]?.accepting)) continue;
          if (!overlap(charactersOf(graph, a), charactersOf(graph, b), charactersOf(graph, c))) continue;
          if (target === goal) return true;
          seen.add(target);
          open.push(target);
        }
      }
    }
  }
  return false;
}

function isPolynomial(graph: Graph): boolean {
  const loops = [...graph.loops];
  return loops.some(([from, first]) =>
    // Components are numbered in reverse topological order: successors have lower numbers.
    loops.some(([to, second]) => to < from && first.some((p) => second.some((q) => haveCommonText(graph, p, q)))),
  );
}

/** An upper bound on the number of paths for any string, whatever its length. */
function waysOf(graph: Graph, { start }: Automaton): number {
  const { states, component, next } = graph;
  const numbers = [...new Set(component)].toSorted((a, b) => a - b);
  const ways = new Map<number, number>();
  const most = (edges: readonly (readonly [number, number])[]): number => {
    const byLetter = new Map<number, number>();
    for (const [target, count] of edges) {
      const more = count * (ways.get(component[target] ?? -1) ?? 1);
      for (const letter of charactersOf(graph, target)) byLetter.set(letter, (byLetter.get(letter) ?? 0) + more);
    }
    return Math.max(1, ...byLetter.values());
  };
  for (const number of numbers) {
    const edges = next.flatMap((targets, state) =>
      component[state] === number
        ? targets
            .filter((target) => component[target] !== number)
            .map((target) => [target, states[state]?.next.get(target) ?? 1] as const)
        : [],
    );
    graph.spend(edges.length);
    ways.set(number, most(edges));
  }
  return most([...start]);
}

/** The worst case for a backtracking matcher. Throws `UnsupportedPattern` if the analysis would take too long. */
export function ambiguityOf(automaton: Automaton): Ambiguity {
  const graph = createGraph(automaton);
  if ([...graph.loops.values()].some((loop) => isExponential(graph, loop))) return 'exponential';
  if (isPolynomial(graph)) return 'polynomial';
  return waysOf(graph, automaton) > maxWays ? 'wide' : 'none';
}

/** Whether the pattern contains an unbounded repetition. */
export function hasLoop(automaton: Automaton): boolean {
  return createGraph(automaton).loops.size > 0;
}
