/**
 * A person's decisions about values that the database can't hold, in a JSON file. The import writes it, with an empty `decision` for
 * each value, and reads it in the next run.
 *
 *     { "decisions": [{ "type": "issue", "attribute": "number", "id": 12, "problem": "…", "choices": ["clear", …], "decision": "" }] }
 *
 * Without `id`, a decision applies to all entries of the type; without `attribute`, to all of its attributes.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { CommandRefused } from '../command-refused.ts';

/**
 * `clear` stores no value; `skip` leaves the entry out; `suffix` makes a text unique by appending a number; `value` stores the `value`
 * beside it; `default` stores that, or the default of the attribute.
 */
export const DECISIONS = ['clear', 'skip', 'suffix', 'default', 'value'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface Decided {
  readonly decision: Decision;
  /** The value for the decisions `value` and `default`. */
  readonly value?: unknown;
}

/** A value that needs a decision. */
export interface Problem {
  readonly type: string;
  readonly attribute: string;
  /** The id in the archive. */
  readonly id: number;
  readonly problem: string;
  readonly choices: readonly Decision[];
}

export interface Decisions {
  of(problem: Problem): Decided | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/** Maximum number of problems that are written to the file. For more, decide by type or attribute. */
const MAX_WRITTEN = 1000;

function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string, file: string): readonly Given[] {
  const wrong = (why: string): CommandRefused =>
    new CommandRefused(`${file} can't be read: ${why}. It must be {"decisions": [...]}, as the import writes it.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
  const list = isRecord(value) ? value['decisions'] : undefined;
  if (!Array.isArray(list) || !list.every(isRecord)) throw wrong('it has no list of decisions');
  for (const [index, given] of list.entries()) {
    const { type, decision = '' } = given;
    if (typeof type !== 'string') throw wrong(`decision ${index + 1} has no type`);
    if (decision !== '' && !DECISIONS.includes(decision as Decision)) {
      throw wrong(`decision ${index + 1} is ${JSON.stringify(decision)}, but must be one of ${DECISIONS.join(', ')}`);
    }
  }
  return list;
}

const ANY = '*';

function keyOf(type: unknown, attribute: unknown = ANY, id: unknown = ANY): string {
  return JSON.stringify([type, attribute, id]);
}

function decidedOf(given: readonly Given[]): Decisions {
  const made = given.filter(({ decision }) => decision !== undefined && decision !== '');
  const byKey = new Map(made.map((one) => [keyOf(one['type'], one['attribute'], one['id']), one]));
  return {
    of({ type, attribute, id }) {
      const one =
        byKey.get(keyOf(type, attribute, id)) ??
        byKey.get(keyOf(type, ANY, id)) ??
        byKey.get(keyOf(type, attribute)) ??
        byKey.get(keyOf(type));
      if (!one) return undefined;
      const decision = one['decision'] as Decision;
      return Object.hasOwn(one, 'value') ? { decision, value: one['value'] } : { decision };
    },
  };
}

/** Reads the file, if it exists. Throws CommandRefused if it is not a valid file of decisions. */
export async function readDecisions(file: string): Promise<Decisions> {
  return decidedOf(existsSync(file) ? parse(await readFile(file, 'utf8'), file) : []);
}

/** Adds undecided problems to the file, keeping its content. */
export async function writeProblems(file: string, problems: readonly Problem[]): Promise<void> {
  const before = existsSync(file) ? parse(await readFile(file, 'utf8'), file) : [];
  const known = new Set(before.map(({ type, attribute, id }) => keyOf(type, attribute, id)));
  const added = problems
    .filter(({ type, attribute, id }) => !known.has(keyOf(type, attribute, id)))
    .slice(0, MAX_WRITTEN);
  const decisions = [...before, ...added.map((problem) => ({ ...problem, decision: '' }))];
  const temporary = `${file}.part`;
  await writeFile(temporary, `${JSON.stringify({ decisions }, undefined, 2)}\n`, { mode: 0o600 });
  await rename(temporary, file);
}
