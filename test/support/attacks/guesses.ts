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

/** What a caller can learn from an answer, apart from the time that it took. */
function visible({ status, headers, text }: Answer): unknown {
  return { status, text, type: headers['content-type'], length: headers['content-length'] };
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
    expect(unknown.text.replaceAll('nothing', name), `${who} ${path}`).toBe(refused.text);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Times of two kinds of requests, taken in turns; `noise` is how far two halves of the same kind are apart. */
async function compareTimes(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  runs: number,
): Promise<{ difference: number; noise: number; typical: number }> {
  const times: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const [index, request] of [one, other].entries()) {
      const started = performance.now();
      await request();
      times[index]?.push(performance.now() - started);
    }
  }
  const halves = times.map((all) =>
    Math.abs(median(all.filter((_, at) => at % 2 === 0)) - median(all.filter((_, at) => at % 2 === 1))),
  );
  const [a, b] = [median(times[0]), median(times[1])];
  return { difference: Math.abs(a - b), noise: Math.max(...halves), typical: Math.min(a, b) };
}

const TRIES = 4;
/** How long a comparison may go on, in milliseconds. */
const PATIENCE = 30_000;

/**
 * Whether two kinds of requests take equally long: `undefined` where the machine is too busy to tell. A real difference is
 * seen in every try, so that one good try is enough. `tolerance` is the part by which they may differ.
 */
export async function takeEquallyLong(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  { runs = 40, tolerance = 0.15 } = {},
): Promise<boolean | undefined> {
  const end = performance.now() + PATIENCE;
  await compareTimes(one, other, 2);
  let tries = 0;
  for (; tries < TRIES && performance.now() < end; tries++) {
    const { difference, noise, typical } = await compareTimes(one, other, runs);
    if (difference <= Math.max(3 * noise, typical * tolerance, 0.3)) return true;
  }
  return tries >= 2 ? false : undefined;
}
