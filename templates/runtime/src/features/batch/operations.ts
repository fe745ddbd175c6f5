/** The operations of a batch, as their request has them. */
import { addIssue, type Issue, ValidationError } from '../../contract/errors.ts';
import { isRecord } from '../../content/validators/attributes.ts';

const METHODS = ['POST', 'PUT', 'DELETE'] as const;
export type BatchMethod = (typeof METHODS)[number];

export interface Operation {
  /** The name by which later operations refer to its entry. */
  readonly id: string | undefined;
  readonly method: BatchMethod;
  /** Without the query string. */
  readonly path: string;
  readonly querystring: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly ifMatch: string | undefined;
}

const NAMES: ReadonlySet<string> = new Set(['id', 'method', 'path', 'body', 'ifMatch']);
const ID = /^\w{1,100}$/u;

type Report = (name: string, message: string) => void;

function isMethod(value: unknown): value is BatchMethod {
  return METHODS.some((method) => method === value);
}

function readOperation(value: unknown, taken: Set<string>, report: Report): Operation | undefined {
  if (!isRecord(value)) {
    report('', 'must be an object');
    return undefined;
  }
  for (const name of Object.keys(value)) if (!NAMES.has(name)) report(name, 'is not part of an operation');
  const { id, method, path, body = {}, ifMatch } = value;
  const isWord = typeof id === 'string' && ID.test(id);
  if (id !== undefined && !isWord) report('id', 'must be a word of letters and digits');
  if (isWord && taken.has(id)) report('id', 'is that of an earlier operation');
  if (!isMethod(method)) report('method', `must be one of ${METHODS.join(', ')}`);
  if (typeof path !== 'string' || !path.startsWith('/api/')) report('path', 'must be a path such as /api/articles');
  if (!isRecord(body)) report('body', 'must be an object');
  if (ifMatch !== undefined && typeof ifMatch !== 'string') report('ifMatch', 'must be an ETag');
  if (!isMethod(method) || typeof path !== 'string' || !isRecord(body)) return undefined;
  if (typeof id === 'string') taken.add(id);
  const end = path.indexOf('?');
  return {
    id: typeof id === 'string' ? id : undefined,
    method,
    path: end < 0 ? path : path.slice(0, end),
    querystring: end < 0 ? '' : path.slice(end + 1),
    body,
    ifMatch: typeof ifMatch === 'string' ? ifMatch : undefined,
  };
}

const MEMBERS: ReadonlySet<string> = new Set(['operations', 'dryRun']);

function refusal(name: string, message: string): ValidationError {
  return new ValidationError([{ path: [name], message: `${name} ${message}` }]);
}

/** Whether the batch only asks what would be refused. Throws ValidationError, also for unknown names: a misspelled one would write. */
export function isDryRun(body: object): boolean {
  for (const name of Object.keys(body)) if (!MEMBERS.has(name)) throw refusal(name, 'is not part of a batch');
  const { dryRun = false } = body as { readonly dryRun?: unknown };
  if (typeof dryRun !== 'boolean') throw refusal('dryRun', 'must be true or false');
  return dryRun;
}

/** Throws ValidationError that names each invalid value. */
export function readOperations(body: object, most: number): readonly Operation[] {
  const given = (body as { readonly operations?: unknown }).operations;
  const refuse = (message: string) => refusal('operations', message);
  if (!Array.isArray(given) || given.length === 0) throw refuse('must be a list of operations');
  if (given.length > most) throw refuse(`must be at most ${most} operations: send several batches`);
  const issues: Issue[] = [];
  const taken = new Set<string>();
  const operations = given.flatMap((value: unknown, index) => {
    const place = ['operations', String(index)];
    const report: Report = (name, message) => {
      const path = name === '' ? place : [...place, name];
      addIssue(issues, path, () => `${path.join('.')} ${message}`);
    };
    return readOperation(value, taken, report) ?? [];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return operations;
}
