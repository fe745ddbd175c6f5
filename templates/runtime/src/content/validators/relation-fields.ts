/** Validators of relation and media attributes. */
import type { RelationChange } from '../relations/relation-change.ts';
import { parseMediaValue } from '../relations/media-value.ts';
import { parseRelationValue, type RelationValueResult } from '../relations/relation-value.ts';
import { type Field, report, reportAll, type Scope } from './field.ts';
import { isGiven, type PresenceOptions } from './presence.ts';

interface RelationOptions extends PresenceOptions {
  /** The value is an ordered list. */
  readonly many?: boolean;
  /** Singular API ids of the target types. */
  readonly targets: readonly string[];
  /** Polymorphic: the target's type is part of the value. */
  readonly morph?: boolean;
}

interface MediaOptions extends PresenceOptions {
  readonly many?: boolean;
}

type Parse = (value: unknown, scope: Scope) => RelationValueResult;

/** The change that a value describes. null clears the relation, if it may be null. */
function checkChange(value: unknown, required: boolean, scope: Scope, parse: Parse): RelationChange | undefined {
  const clears = value === null && (!required || scope.draft);
  if (!isGiven(value, required, scope) && !clears) return undefined;
  const { change, issues } = parse(value, scope);
  reportAll(scope, issues);
  return change;
}

/** What is wrong with a change of a relation to one entry that must not be empty; undefined if it sets the relation. */
function emptiness(change: RelationChange | undefined, { operation }: Scope): string | undefined {
  if (change === undefined) return operation === 'create' ? 'must be defined' : undefined;
  if (change.kind === 'set') return change.targets.length === 0 ? 'cannot be null' : undefined;
  return change.connect.length === 0
    ? 'cannot be disconnected, because it is required: connect another entry'
    : undefined;
}

/**
 * A relation. Its value becomes a RelationChange. A required relation to one entry can't be empty; a required list must be sent, but
 * may be empty.
 */
export function relation(options: RelationOptions): Field {
  const attribute = { many: options.many === true, targets: options.targets, morph: options.morph === true };
  const parse: Parse = (value, { path, unknownKeys, types }) =>
    parseRelationValue({ attribute, value, path, unknownKeys, types });
  const required = options.required === true;
  return {
    check(value, scope) {
      const failed = scope.issues.length;
      const change = checkChange(value, required, scope, parse);
      const isOpen = !required || attribute.many || scope.draft || scope.issues.length > failed || value === undefined;
      const fault = isOpen ? undefined : emptiness(change, scope);
      if (fault === undefined) return change;
      report(scope, fault);
      return undefined;
    },
  };
}

/**
 * The inverse side of a polymorphic relation. `owner` is the attribute that is written instead: `remark.subject`. A value is
 * refused, or ignored if unknown attributes are.
 */
export function otherSide(owner: string): Field {
  return {
    check(value, scope) {
      if (value !== undefined && scope.unknownKeys === 'reject') report(scope, `is written through ${owner}`);
      return undefined;
    },
  };
}

/** One file or several. The value becomes a RelationChange. A required attribute can't be empty. */
export function media(options: MediaOptions): Field {
  const attribute = { many: options.many === true };
  const required = options.required === true;
  const parse: Parse = (value, { path, unknownKeys, types }) =>
    parseMediaValue({ attribute, value, path, unknownKeys, types });
  return {
    check(value, scope) {
      const change = checkChange(value, required, scope, parse);
      const isEmpty = change?.kind === 'set' && change.targets.length === 0;
      if (!isEmpty || !required || scope.draft) return change;
      report(scope, 'cannot be empty');
      return undefined;
    },
  };
}
