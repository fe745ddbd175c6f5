/** Compares what a right guess is answered with what a wrong one is. */
import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { Who } from './seed.ts';
import type { AttackedServer } from './server.ts';

/** Everybody that a server tells apart. */
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

/** Those who may not find entries of the type `vault`. */
export const WITHOUT_VAULTS: readonly Who[] = ['public', 'plain', 'reader', 'writer', 'customToken'];

/** A refusal says where in the query it was, which is no news to who wrote it. */
function whereIn(text: string): string {
  return /Invalid parameter [^:"]+:/u.exec(text)?.[0] ?? '';
}

function textOf({ text }: Pick<Answer, 'text'>): string {
  return text.replace(whereIn(text), '');
}

/** What a caller can learn from an answer, apart from the time that it took. */
function visible({ status, headers, text }: Answer): unknown {
  const length = Number(headers['content-length']) - whereIn(text).length;
  return { status, text: textOf({ text }), type: headers['content-type'], length };
}

/** Sends requests that differ in a guess alone; their answers must be equal. Answers the first. */
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

/** All paths are refused with 400 as if `name` did not exist: word for word as `nothing`, which does not. */
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

/** Adds so many times of each, taken in turns, so that whatever else the machine does slows both down. */
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
 * Whether the times are those of equal work. Other load makes requests slower and never faster, so that the fastest of each are
 * the nearest to what the work takes; or the medians differ by no more than two halves of the same kind do.
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
 * Whether two kinds of requests take equally long. A real difference shows however many samples there are, so that on a busy
 * machine more are taken until they are close, `runs` of each in a round. `tolerance` is the part by which they may differ.
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
