/** The input of a job: checked when it is added, stored as JSON, and parsed when it runs. */
import type { AnyJob } from './job-declaration.ts';

/** The longest input, as JSON, in characters. */
const MAX_INPUT = 64 * 1024;

async function parsed(name: string, { input: schema }: AnyJob, value: unknown): Promise<unknown> {
  if (!schema) {
    if (value === undefined) return undefined;
    throw new Error(`The job ${name} takes no input: declare its \`input\``);
  }
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new Error(`The input of the job ${name} is invalid: ${issues.slice(0, 5).join('; ')}`);
}

/** The input as it is stored; undefined if there is none. Throws an error that says what is wrong. */
export async function storedInput(name: string, job: AnyJob, value: unknown): Promise<string | undefined> {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined && text.length > MAX_INPUT) {
    throw new Error(
      `The input of the job ${name} has ${text.length} characters of JSON, more than ${MAX_INPUT}: store the content in an entry, and give the job its id`,
    );
  }
  // As it will be when the job runs: dates, for instance, are texts by then.
  await parsed(name, job, inputOf(text));
  return text;
}

function inputOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

/** The input that a run gets. */
export function runInput(name: string, job: AnyJob, text: string | undefined): Promise<unknown> {
  return parsed(name, job, inputOf(text));
}
