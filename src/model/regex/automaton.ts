/**
 * A regular expression as the automaton that a backtracking matcher walks: one state per position in the pattern that
 * reads a character. An edge has the number of ways in which the matcher gets from one position to the next.
 */
import type { AST } from '@eslint-community/regexpp';
import { type CharacterSet, characterSets, type Matcher } from './character-classes.ts';

export interface State {
  readonly characters: CharacterSet;
  /** Index of the next state → number of paths to it, capped at 2. */
  readonly next: Map<number, number>;
  /** Whether a match may end after this state, whatever follows in the text. */
  accepting: boolean;
}

export interface Automaton {
  readonly states: readonly State[];
  /** Initial states, with the number of paths to them. */
  readonly start: ReadonlyMap<number, number>;
  readonly lookarounds: readonly Lookaround[];
}

/** A lookahead or lookbehind: matched separately, each time the matcher reaches it. */
interface Lookaround {
  readonly alternatives: readonly AST.Alternative[];
  /** Whether the matcher may reach it once per character of the text. */
  readonly repeated: boolean;
}

/** The pattern can't be analyzed; the message says why. */
export class UnsupportedPattern extends Error {}

const maxStates = 400;
/** Repetitions up to this count are unrolled; larger ones are treated as unbounded. */
const maxCopies = 50;

/** A part of the pattern: the states in which it can begin and end, and the number of ways in which it can be empty. */
interface Fragment {
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
  readonly empty: number;
}

const nothing: Fragment = { first: new Map(), last: new Map(), empty: 1 };

function plus(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>, factor = 1): Map<number, number> {
  const sum = new Map(a);
  if (factor === 0) return sum;
  for (const [state, count] of b) sum.set(state, Math.min(2, (sum.get(state) ?? 0) + count * factor));
  return sum;
}

interface Builder {
  readonly states: State[];
  readonly lookarounds: Lookaround[];
  readonly sets: ReadonlyMap<Matcher, CharacterSet>;
}

function connect(builder: Builder, from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): void {
  for (const [state, ways] of from) {
    const next = builder.states[state]?.next;
    for (const [target, count] of to) next?.set(target, Math.min(2, (next.get(target) ?? 0) + ways * count));
  }
}

function sequence(builder: Builder, a: Fragment, b: Fragment): Fragment {
  connect(builder, a.last, b.first);
  return {
    first: plus(a.first, b.first, a.empty),
    last: plus(b.last, a.last, b.empty),
    empty: Math.min(2, a.empty * b.empty),
  };
}

function choice(fragments: readonly Fragment[]): Fragment {
  return fragments.reduce((sum, fragment) => ({
    first: plus(sum.first, fragment.first),
    last: plus(sum.last, fragment.last),
    empty: Math.min(2, sum.empty + fragment.empty),
  }));
}

function optional(fragment: Fragment): Fragment {
  return { ...fragment, empty: Math.min(2, fragment.empty + 1) };
}

/** Unbounded repetition, at least once if `atLeastOnce` is set. An iteration that reads nothing ends the repetition. */
function loop(builder: Builder, body: Fragment, atLeastOnce: boolean): Fragment {
  connect(builder, body.last, body.first);
  return {
    first: atLeastOnce ? plus(body.first, body.first, body.empty) : body.first,
    last: body.last,
    empty: atLeastOnce ? body.empty : 1,
  };
}

function matcherState(builder: Builder, matcher: Matcher): Fragment {
  const state = builder.states.length;
  if (state >= maxStates) throw new UnsupportedPattern('it is too large');
  builder.states.push({ characters: builder.sets.get(matcher) ?? [], next: new Map(), accepting: false });
  const itself = new Map([[state, 1]]);
  return { first: itself, last: itself, empty: 0 };
}

function repeat(builder: Builder, { element, min, max }: AST.Quantifier, repeated: boolean): Fragment {
  const isLoop = max > maxCopies;
  const body = (): Fragment => build(builder, element, repeated || isLoop);
  let result = nothing;
  if (isLoop) {
    // The last required iteration is the start of the loop.
    for (let copy = 1; copy < Math.min(min, maxCopies); copy += 1) result = sequence(builder, result, body());
    return sequence(builder, result, loop(builder, body(), min > 0));
  }
  for (let copy = 0; copy < min; copy += 1) result = sequence(builder, result, body());
  let rest = nothing;
  for (let copy = min; copy < max; copy += 1) rest = optional(sequence(builder, body(), rest));
  return sequence(builder, result, rest);
}

function buildAll(builder: Builder, alternatives: readonly AST.Alternative[], repeated: boolean): Fragment {
  return choice(
    alternatives.map(({ elements }) =>
      elements.reduce((sum, element) => sequence(builder, sum, build(builder, element, repeated)), nothing),
    ),
  );
}

function build(builder: Builder, element: AST.Element, repeated: boolean): Fragment {
  switch (element.type) {
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return matcherState(builder, element);
    case 'Group':
    case 'CapturingGroup':
      return buildAll(builder, element.alternatives, repeated);
    case 'Quantifier':
      return repeat(builder, element, repeated);
    case 'Assertion':
      if (element.kind === 'lookahead' || element.kind === 'lookbehind') {
        builder.lookarounds.push({ alternatives: element.alternatives, repeated });
      }
      return nothing;
    case 'Backreference':
      throw new UnsupportedPattern('back references can take exponential time');
  }
}

/**
 * The automaton of `alternatives`, which read the characters of `matchers`. Alternatives for which `isSearched` returns
 * true may begin anywhere in the text: a state that reads any character precedes them.
 */
export function createAutomaton(
  alternatives: readonly AST.Alternative[],
  matchers: readonly Matcher[],
  isSearched: (alternative: AST.Alternative) => boolean,
): Automaton {
  const builder: Builder = { states: [], lookarounds: [], sets: characterSets(matchers) };
  const hasAssertions = alternatives.some(({ raw }) => /^.+[$]|\\b|\(\?<?[=!]/isu.test(raw));
  let start: ReadonlyMap<number, number> = new Map();
  let searched: ReadonlyMap<number, number> = new Map();
  for (const alternative of alternatives) {
    const mayBeginAnywhere = isSearched(alternative);
    const fragment = buildAll(builder, [alternative], mayBeginAnywhere);
    start = plus(start, fragment.first);
    if (mayBeginAnywhere) searched = plus(searched, fragment.first);
    for (const state of hasAssertions ? [] : fragment.last.keys()) {
      const last = builder.states[state];
      if (last !== undefined) last.accepting = true;
    }
  }
  if (searched.size > 0) {
    const anything = [...new Set(builder.states.flatMap(({ characters }) => characters))];
    const search = builder.states.length;
    builder.states.push({ characters: anything, next: new Map([[search, 1], ...searched]), accepting: false });
    start = plus(start, new Map([[search, 1]]));
  }
  return { states: builder.states, start, lookarounds: builder.lookarounds };
}
