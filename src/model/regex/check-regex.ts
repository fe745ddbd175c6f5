/** Checks that a regular expression of the schema is valid, and safe to match against untrusted input. */
import { type AST, RegExpParser, RegExpSyntaxError, visitRegExpAST } from '@eslint-community/regexpp';
import { ambiguityOf, hasLoop } from './ambiguity.ts';
import { createAutomaton, UnsupportedPattern } from './automaton.ts';
import type { Matcher } from './character-classes.ts';

/** What is wrong with a pattern, and how to fix it. */
export interface RegexFault {
  readonly message: string;
  readonly hint: string;
}

const maxLength = 500;

const anchorHint = 'start it with ^, so that it is not tried at every character of the text';
const repeatHint = 'avoid adjacent or nested repetitions that match the same characters';

function matchersOf(pattern: AST.Pattern): readonly Matcher[] {
  const matchers: Matcher[] = [];
  const add = (matcher: Matcher): void => {
    if (matcher.parent.type !== 'CharacterClass' && matcher.parent.type !== 'CharacterClassRange') {
      matchers.push(matcher);
    }
  };
  visitRegExpAST(pattern, {
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onExpressionCharacterClassEnter: add,
  });
  return matchers;
}

function isAnchored({ elements: [first] }: AST.Alternative): boolean {
  if (first?.type === 'Assertion') return first.kind === 'start';
  if (first?.type === 'Group' || first?.type === 'CapturingGroup') return first.alternatives.every(isAnchored);
  return false;
}

function checkAlternatives(
  alternatives: readonly AST.Alternative[],
  matchers: readonly Matcher[],
  isSearched: (alternative: AST.Alternative) => boolean,
): RegexFault | undefined {
  const automaton = createAutomaton(alternatives, matchers, isSearched);
  switch (ambiguityOf(automaton)) {
    case 'exponential':
    case 'wide':
      return { message: 'it takes exponential time on some texts', hint: repeatHint };
    case 'polynomial': {
      const isSearch = ambiguityOf(createAutomaton(alternatives, matchers, () => false)) === 'none';
      const message = 'its time grows quadratically with the length of some texts';
      return { message, hint: isSearch ? anchorHint : repeatHint };
    }
    case 'none':
      break;
  }
  for (const lookaround of automaton.lookarounds) {
    const fault = checkAlternatives(lookaround.alternatives, matchers, () => false);
    if (fault !== undefined) return fault;
    if (lookaround.repeated && hasLoop(createAutomaton(lookaround.alternatives, matchers, () => false))) {
      return { message: 'it looks ahead or behind at every character of the text', hint: anchorHint };
    }
  }
  return undefined;
}

function analyze(pattern: AST.Pattern): RegexFault | undefined {
  try {
    const { alternatives } = pattern;
    return checkAlternatives(alternatives, matchersOf(pattern), (alternative) => !isAnchored(alternative));
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    return { message: error.message, hint: 'use a simpler one' };
  }
}

/** Whether this version of Node.js accepts it; the parser may support newer syntax. */
function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * What is wrong with `source` as a regular expression with the flag `u`; undefined if nothing is. Accepted patterns
 * match in linear time, even on malicious input.
 */
export function checkRegex(source: string): RegexFault | undefined {
  const hint =
    'it is compiled with the flag `u`, which requires a backslash before special characters and forbids it before others';
  if (source.length > maxLength) {
    return { message: `it has more than ${maxLength} characters`, hint: 'use a shorter one' };
  }
  try {
    const pattern = new RegExpParser({ ecmaVersion: 2023 }).parsePattern(source, 0, source.length, { unicode: true });
    return compiles(source) ? analyze(pattern) : { message: 'it is not valid', hint };
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    return { message: error.message.replace(/^Invalid regular expression: /, '').replace(/^\/.*\/u?: /s, ''), hint };
  }
}
