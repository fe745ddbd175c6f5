/** Compares the responses to right and wrong guesses. */
import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { Who } from './seed.ts';
import type { AttackedServer } from './server.ts';

/** Every kind of caller. */
export const EVERYBODY: readonly Who[] = [
  'public',
  'plain',
  'reader',
  'writer',
  'admin',
  'fullToken',
  'readOnlyToken',
  'customToken',
];

/** Callers without permission to find entries of the type `vault`. */
export const WITHOUT_VAULTS: readonly Who[] = ['public', 'plain', 'reader', 'writer', 'customToken'];

/** The part of an error message that names the invalid parameter: no leak, since the caller has sent it. */
function whereIn(text: string): string {
  return /Invalid parameter [^:"]+:/u.exec(text)?.[0] ?? '';
}

function textOf({ text }: Pick<Answer, 'text'>): string {
  return text.replace(whereIn(text), '');
}

/** What a caller can learn from a response, except by its duration. */
function visible({ status, headers, text }: Answer): unknown {
  const length = Number(headers['content-length']) - whereIn(text).length;
  return { status, text: textOf({ text }), type: headers['content-type'], length };
}

/** Sends requests that differ only in a guess, and expects equal responses. Returns the first. */
export async function expectSameAnswers(
  { quick }: Pick<AttackedServer, 'quick'>,
  who: Who,
  paths: readonly string[],
): Promise<Answer> {
  const answers = [];
  for (const path of paths) answers.push(await quick(who, 'GET', path));
  const [first, ...others] = answers;
  if (!first) throw new Error('no paths');
  for (const [index, other] of others.entries()) {
    expect(visible(other), `${who}: ${paths[0]} and ${paths[index + 1]}`).toEqual(visible(first));
  }
  return first;
}

/** Expects 400 for all paths, with the same text as for an attribute that doesn't exist: `nothing` in place of `name`. */
export async function expectUnknown(
  server: Pick<AttackedServer, 'quick'>,
  who: Who,
  name: string,
  paths: readonly string[],
): Promise<void> {
  const refused = await expectSameAnswers(server, who, paths);
  expect(refused.status, `${who} ${paths[0]}`).toBe(400);
  for (const path of paths) {
    const unknown = await server.quick(who, 'GET', path.replaceAll(name, 'nothing'));
    expect(unknown.status).toBe(400);
    const alike = { ...unknown, text: unknown.text.replaceAll('nothing', name) };
    expect(textOf(alike), `${who} ${path}`).toBe(textOf(refused));
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

type Times = readonly [one: number[], other: number[]];

/** Adds `runs` durations of each request. The requests alternate, so that other load slows both down. */
async function sample(times: Times, requests: readonly (() => Promise<unknown>)[], runs: number): Promise<void> {
  for (let run = 0; run < runs; run++) {
    for (const [index, request] of requests.entries()) {
      const started = performance.now();
      await request();
      times[index]?.push(performance.now() - started);
    }
  }
}

/**
 * Whether the durations indicate equal work: either the minimums are close, since other load only makes requests slower, or the
 * medians differ by at most three times as much as those of two halves of one sample.
 */
function areClose(times: Times, tolerance: number): boolean {
  const [one, other] = times;
  const least = [Math.min(...one), Math.min(...other)] as const;
  const allowed = Math.max(Math.min(...least) * tolerance, 0.3);
  if (Math.abs(least[0] - least[1]) <= allowed) return true;
  const halves = times.map((all) =>
    Math.abs(median(all.filter((_, at) => at % 2 === 0)) - median(all.filter((_, at) => at % 2 === 1))),
  );
  return Math.abs(median(one) - median(other)) <= Math.max(3 * Math.max(...halves), allowed);
}

const ROUNDS = 5;

/**
 * Whether two kinds of requests take equally long. A real difference remains however many samples are taken, so further rounds of
 * `runs` samples are taken until the durations are close. `tolerance` is the maximum relative difference.
 */
export async function takeEquallyLong(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  { runs = 40, tolerance = 0.15 } = {},
): Promise<boolean> {
  await sample([[], []], [one, other], 2);
  const times: Times = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await sample(times, [one, other], runs);
    if (areClose(times, tolerance)) return true;
  }
  return false;
}
