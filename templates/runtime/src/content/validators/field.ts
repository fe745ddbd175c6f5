/** What all attribute validators have in common. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { addIssue, type ErrorPath, type Issue } from '../../contract/errors.ts';

/**
 * Whether an attribute must be sent: `required` must on create, and can't be null; `filled` needn't, and can't be null (the
 * server has a value for it); `optional` needn't, and null clears it; `notWritable` can't be.
 */
export type Presence = 'required' | 'filled' | 'optional' | 'notWritable';

/**
 * What becomes of attributes that no body may set: `refused` where they are named, as unknown ones are, and checked as not
 * sent; `awaited` from hooks, and refused like that until then; `taken` from hooks and the server's own code.
 */
export type NotWritable = 'refused' | 'awaited' | 'taken';

/** What a body is checked for, and where its failing values are collected. */
export interface Scope {
  /** Of the entry or, inside of a component, of that: a new one is checked whole, wherever it is. */
  readonly operation: 'create' | 'update';
  /** Whether the request changes an entry, whose components can be named by their ids. */
  readonly entryExists: boolean;
  /** A draft may lack what is required, and be shorter than is asked for. */
  readonly draft: boolean;
  readonly unknownKeys: 'reject' | 'ignore';
  readonly notWritable: NotWritable;
  /** The types of the server, where they are known: what clients read of related entries may be sent back. */
  readonly types: ContentTypes | undefined;
  /** Of the value that is checked. */
  readonly path: ErrorPath;
  readonly issues: Issue[];
}

/** The validator of one attribute. `Input` is what a request may hold; it exists in types only. */
export interface Field<Input = unknown, P extends Presence = Presence> {
  /**
   * Answers what is to be stored: the canonical value, or undefined for nothing. `value` is undefined where the attribute
   * was not sent. Whatever is wrong is reported to the scope, and then nothing is answered.
   */
  check(value: unknown, scope: Scope): unknown;
  readonly writable?: false;
  readonly '~types'?: { readonly input: Input; readonly presence: P };
}

/** The validator of an attribute with `writable: false`. */
export function notWritable<Input>(field: Field<Input>): Field<Input, 'notWritable'> {
  return { check: (value, scope) => field.check(value, scope), writable: false };
}

export type Fields = Readonly<Record<string, Field>>;

/** `links[1].label` */
function nameOf(path: ErrorPath): string {
  if (path.length === 0) return 'data';
  return path.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

/** Says that the value of a scope fails: `predicate` without its subject, such as `must be a string`. */
export function report(scope: Scope, predicate: string, path: ErrorPath = scope.path): void {
  addIssue(scope.issues, path, () => `${nameOf(path)} ${predicate}`);
}

/** Takes over issues that carry their whole message. */
export function reportAll(scope: Scope, issues: readonly Issue[]): void {
  for (const { path, message } of issues) addIssue(scope.issues, path, () => message);
}

/** The same scope for a value inside of its value. */
export function inside(scope: Scope, key: string): Scope {
  return { ...scope, path: [...scope.path, key] };
}
