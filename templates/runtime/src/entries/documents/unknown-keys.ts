/** The keys of a body that are not allowed: the first one is the error, whose details list all of them. */
import { addIssue, type HttpError, type Issue } from '../../contract/errors.ts';
import { invalidKey, invalidKeyMessage, type KeyLocation } from '../../contract/invalid-key.ts';
import { nearestName } from '../../query/nearest-name.ts';

/** Maximum length of a key in a message. */
const MAX_LENGTH = 100;
/** Only the first keys are compared with those that are allowed, which bounds the cost of a request. */
const MAX_HINTS = 10;

/** A key, the path of the object that has it, and the keys that are allowed there. */
export interface UnknownKey {
  readonly key: string;
  readonly path: readonly string[];
  /** The path in the error, if it is not `path`. */
  readonly reported?: KeyLocation['path'];
  known(): Iterable<string>;
}

export interface UnknownKeys {
  add(unknown: UnknownKey): void;
  /** Throws HttpError 400 if there are any. */
  check(): void;
}

function hintFor({ key, path, known }: UnknownKey): string {
  if (key === 'status' && path.length === 0) return '; use the parameter ?status=';
  const near = nearestName(key, known());
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

export function unknownKeys(): UnknownKeys {
  const errors: Issue[] = [];
  let error: ((errors: readonly Issue[]) => HttpError) | undefined;
  return {
    add(unknown) {
      const { path } = unknown;
      const key = unknown.key.slice(0, MAX_LENGTH);
      const parent = path.length > 0 ? path.join('.') : null;
      const reported = 'reported' in unknown ? unknown.reported : parent;
      const hint = errors.length < MAX_HINTS ? hintFor(unknown) : '';
      addIssue(errors, [...path, key], () => invalidKeyMessage(key, reported, hint));
      error ??= (all) =>
        invalidKey(key, { source: 'body', path: reported }, { hint, ...(all.length > 1 && { errors: all }) });
    },
    check() {
      if (error) throw error(errors);
    },
  };
}
