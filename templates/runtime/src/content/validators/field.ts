/** What the validators of all attributes have in common. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { addIssue, type ErrorPath, type Issue } from '../../contract/errors.ts';
import type { Values } from '../../contract/item-attributes.ts';
import type { Visibility } from '../../contract/visibility.ts';

/**
 * How attributes that no body may set are treated. `refused`: like unknown attributes if sent, and otherwise validated as missing.
 * `awaited`: also refused, but not validated yet, since hooks may still set them. `taken`: accepted, from hooks and the server's
 * own code.
 */
export type NotWritable = 'refused' | 'awaited' | 'taken';

/** The context in which a value is checked, and the list that collects its issues. */
export interface Scope {
  /** The operation on the entry or, inside a component, on the component: a new component is checked as a whole. */
  readonly operation: 'create' | 'update';
  /** Whether the request updates an entry, so that its components can be referred to by id. */
  readonly entryExists: boolean;
  /** Drafts may lack required attributes, and fall short of minimum lengths. */
  readonly draft: boolean;
  readonly unknownKeys: 'reject' | 'ignore';
  readonly notWritable: NotWritable;
  /** The stored values of the entry or component, as far as conditions need them; undefined if there are none, or not known. */
  readonly stored: Values | undefined;
  /** Whether values of attributes that are not visible are accepted, since they are stored ones. */
  readonly keepsHidden: boolean;
  /** The types of the server, if known: clients may then send back what they have read of related entries. */
  readonly types: ContentTypes | undefined;
  /** The path of the value being checked. */
  readonly path: ErrorPath;
  readonly issues: Issue[];
}

/** The validator of one attribute. */
export interface Field {
  /**
   * Returns the canonical value to store, or undefined to store nothing. `value` is undefined if the attribute wasn't sent. If the
   * value is invalid, reports issues to the scope and returns undefined.
   */
  check(value: unknown, scope: Scope): unknown;
  readonly writable?: false;
  readonly visible?: Visibility;
}

/** The validator of an attribute with `writable: false`. */
export function notWritable(field: Field): Field {
  const { visible: visibility } = field;
  return {
    check: (value, scope) => field.check(value, scope),
    writable: false,
    ...(visibility && { visible: visibility }),
  };
}

/** The validator of an attribute with a condition, which also says whether a value is required. */
export function visible(visibility: Visibility, field: Field): Field {
  return {
    visible: visibility,
    check: (value, scope) => field.check(value, scope),
    ...(field.writable === false && { writable: false }),
  };
}

/** Validators by attribute name. */
export type Fields = Readonly<Record<string, Field>>;

/** The path in messages: `links[1].label`. */
function nameOf(path: ErrorPath): string {
  if (path.length === 0) return 'data';
  return path.map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

/** Reports that the value of a scope is invalid. `predicate` is a sentence without its subject: `must be a string`. */
export function report(scope: Scope, predicate: string, path: ErrorPath = scope.path): void {
  addIssue(scope.issues, path, () => `${nameOf(path)} ${predicate}`);
}

/** Reports issues with complete messages. */
export function reportAll(scope: Scope, issues: readonly Issue[]): void {
  for (const { path, message } of issues) addIssue(scope.issues, path, () => message);
}

/** The scope of a value nested in that of `scope`. */
export function inside(scope: Scope, key: string): Scope {
  return { ...scope, path: [...scope.path, key] };
}
