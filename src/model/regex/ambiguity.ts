/**
 * How many ways a backtracking matcher may have to try on one text, told from the automaton. After Weideman et al.,
 * "Analyzing matching time behavior of backtracking regular expression matchers" (2016): two ways around one state that
 * read the same text make it exponential, a way between two loops that all read the same text makes it polynomial.
 */
import { type Automaton, type State, UnsupportedPattern } from './automaton.ts';
import { overlap } from './character-classes.ts';
import { connectedComponents } from './components.ts';

export type Ambiguity = 'exponential' | 'polynomial' | 'wide' | 'none';

/** So many steps of analysis are spent on one pattern. */
const maxSteps = 3_000_000;
/** So many ways on one text are no harm, if they do not become more with its length. */
const maxWays = 5000;

interface Graph {
  readonly states: readonly State[];
  readonly next: readonly (readonly number[])[];
  readonly component: Int32Array;
  /** The members of each component that is a loop. */
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
      if (steps > maxSteps) throw new UnsupportedPattern('it is too complex to be checked');
    },
  };
}

function charactersOf({ states }: Graph, state: number): readonly number[] {
  return states[state]?.characters ?? [];
}

/** Whether two ways around one state of the loop read the same text. */
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

/** Whether some text leads from `p` to `p`, from `p` to `q`, and from `q` to `q`. */
function haveCommonText(graph: Graph, p: number, q: number): boolean {
  const { next, component, states } = graph;
  const size = states.length;
  // A search from every character of the text ends at once where it finds something.
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
    // A component has a lower number than those that lead to it.
    loops.some(([to, second]) => to < from && first.some((p) => second.some((q) => haveCommonText(graph, p, q)))),
  );
}

/** At most so many ways are open at once on any text, whatever its length. */
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

/** The worst that can happen to a backtracking matcher. Throws `UnsupportedPattern` where the answer would take too long. */
export function ambiguityOf(automaton: Automaton): Ambiguity {
  const graph = createGraph(automaton);
  if ([...graph.loops.values()].some((loop) => isExponential(graph, loop))) return 'exponential';
  if (isPolynomial(graph)) return 'polynomial';
  return waysOf(graph, automaton) > maxWays ? 'wide' : 'none';
}

/** Whether the pattern has a part that it may repeat as often as the text is long. */
export function hasLoop(automaton: Automaton): boolean {
  return createGraph(automaton).loops.size > 0;
}
