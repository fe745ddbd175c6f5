/** Compiles the queries of callers, each shape once: see `EntryQuery`. */
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { type Bindings, createBindings } from './bindings.ts';
import type { EntryQuery } from './entry-query.ts';
import type { Format } from './format.ts';
import { createQueryCache, type Sized } from './query-cache.ts';
import { queryRules } from './query-rules.ts';
import { type QueryObject, type QueryValue, Slot } from './query-value.ts';
import { createAllowList } from './readable-attributes.ts';
import type { QueryScope } from './top-level.ts';

/** What is asked, by whom, and how it is to be answered. */
export interface Question {
  /** Kind of the read: the same query is compiled another way for another one. */
  readonly kind: string;
  readonly type: ContentType;
  readonly caller: Caller;
  readonly query: EntryQuery;
  readonly format: Format;
}

type Compile<Compiled> = (tree: QueryObject, scope: QueryScope) => Compiled;

export interface CompiledQueries {
  /**
   * What `compile` makes of the shape of the query, and the values that are to be bound in it. Throws what `compile` does,
   * for a query with this shape and these values.
   */
  ofShape<Compiled extends Sized>(
    question: Question,
    compile: Compile<Compiled>,
  ): { readonly compiled: Compiled; readonly values: readonly unknown[] };
  /** What `compile` makes of the query with its values, which are a part of it: nothing is to be bound. */
  ofQuery<Compiled extends Sized>(question: Question, compile: Compile<Compiled>): Compiled;
}

/** A shape whose queries have something in common besides, or nothing at all. */
type Remembered<Compiled> = Sized &
  ({ readonly kind: 'bound'; readonly compiled: Compiled; readonly bindings: Bindings } | { readonly kind: 'whole' });

const NOTHING: readonly unknown[] = [];
const WHOLE: Remembered<never> = { kind: 'whole', size: 1 };

/** Whether the text of some slot has decided more than what it is compared with. */
function isRead(value: QueryValue): boolean {
  if (typeof value === 'string') return false;
  if (value instanceof Slot) return value.isRead;
  return Object.values(value).some(isRead);
}

/** What `compile` makes of a tree; what it throws is said in the words of the format. */
function compiledBy<Compiled>(compile: Compile<Compiled>): Compile<Compiled> {
  return (tree, scope) => {
    try {
      return compile(tree, scope);
    } catch (error) {
      throw queryRules(scope.format.rules).refusal(error);
    }
  };
}

/** The compiled queries of a server. */
export function createCompiledQueries(types: ContentTypes, api: ApiSettings): CompiledQueries {
  const allowed = createAllowList(types);
  const cache = createQueryCache();

  function scopeOf({ type, caller, format, query }: Question, bindings?: Bindings): QueryScope {
    const { narrowing, refusesHidden = false } = query;
    return { type, caller, format, allowed, api, bindings, narrowing, refusesHidden };
  }

  function ofQuery<Compiled extends Sized>(question: Question, how: Compile<Compiled>): Compiled {
    const compile = compiledBy(how);
    const { kind, type, caller, query, format } = question;
    const { shape, values } = query;
    const key =
      shape === undefined ? undefined : `=${format.name} ${kind} ${type.uid}?${shape}\0\0${values.join('\0')}`;
    const known = key === undefined ? undefined : cache.get(caller.permissions, key);
    if (known) return known as Compiled;
    const compiled = compile(query.tree(), scopeOf(question));
    if (key !== undefined) cache.set(caller.permissions, key, compiled);
    return compiled;
  }

  return {
    ofQuery,
    ofShape<Compiled extends Sized>(question: Question, how: Compile<Compiled>) {
      const compile = compiledBy(how);
      const { kind, type, caller, query, format } = question;
      const { shape, values } = query;
      if (shape === undefined || values.length === 0) return { compiled: ofQuery(question, compile), values: NOTHING };
      const key = `${format.name} ${kind} ${type.uid}?${shape}`;
      const known = cache.get(caller.permissions, key) as Remembered<Compiled> | undefined;
      if (known?.kind === 'bound') {
        const bound = known.bindings.valuesOf(values);
        // What can't be cast is refused, or stands for no value: not as the compiled query has it.
        return bound
          ? { compiled: known.compiled, values: bound }
          : { compiled: compile(query.tree(), scopeOf(question)), values: NOTHING };
      }
      if (known) return { compiled: ofQuery(question, compile), values: NOTHING };
      const bindings = createBindings();
      const tree = query.tree();
      const compiled = compile(tree, scopeOf(question, bindings));
      if (isRead(tree) || isRead(query.narrowing ?? {})) {
        cache.set(caller.permissions, key, WHOLE);
        return { compiled: ofQuery(question, how), values: NOTHING };
      }
      const remembered: Remembered<Compiled> = { kind: 'bound', compiled, bindings, size: compiled.size };
      cache.set(caller.permissions, key, remembered);
      return { compiled, values: bindings.valuesOf(values) ?? NOTHING };
    },
  };
}
