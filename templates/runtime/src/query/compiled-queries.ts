/** Compiles queries, each shape once: see `EntryQuery`. */
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { withoutEmpty } from './empty-values.ts';
import type { EntryQuery, Narrowing } from './entry-query.ts';
import type { FileMarks } from './file-urls.ts';
import type { Format } from './format.ts';
import type { ReportIgnored } from './ignored-names.ts';
import { createQueryCache, type Sized } from './query-cache.ts';
import { queryRules } from './query-rules.ts';
import { type QueryObject, type QueryValue, Slot } from './query-value.ts';
import { createAllowList } from './readable-attributes.ts';
import { permittedFor } from './rules/permitted-attributes.ts';
import type { QueryScope } from './top-level.ts';

/** A query, with everything else that its compilation depends on. */
export interface CompilationInput {
  /** The kind of the read: each kind compiles the same query differently. */
  readonly kind: string;
  readonly type: ContentType;
  readonly caller: Caller;
  readonly query: EntryQuery;
  readonly format: Format;
}

type Compile<Compiled> = (tree: QueryObject, scope: QueryScope) => Compiled;

export interface CompiledQueries {
  /**
   * Compiles the shape of the query, or takes it from the cache, and returns the values to bind. Throws what `compile` throws for
   * a query with this shape and these values.
   */
  ofShape<Compiled extends Sized>(
    input: CompilationInput,
    compile: Compile<Compiled>,
  ): { readonly compiled: Compiled; readonly values: readonly unknown[] };
  /** Compiles the query together with its values: nothing is left to bind. */
  ofQuery<Compiled extends Sized>(input: CompilationInput, compile: Compile<Compiled>): Compiled;
}

/** A cached shape: either compiled for all its queries, or known to require that each is compiled with its values. */
type Remembered<Compiled> = Sized &
  ({ readonly kind: 'bound'; readonly compiled: Compiled; readonly bindings: Bindings } | { readonly kind: 'whole' });

const NOTHING: readonly unknown[] = [];
/** The kinds of reads of one entry. */
const ONE: ReadonlySet<string> = new Set(['one', 'document', 'write', 'selection', 'selection draft', 'open one']);
const NONE = (): readonly Narrowing[] => [];
const WHOLE: Remembered<never> = { kind: 'whole', size: 1 };

/** Whether compiling the query has read some slot, and so depends on its string. */
function isRead(value: QueryValue): boolean {
  if (typeof value === 'string') return false;
  if (value instanceof Slot) return value.isRead;
  return Object.values(value).some(isRead);
}

/** Wraps `compile`: empty parameters count as absent, and errors are worded as in the format. */
function compiledBy<Compiled>(compile: Compile<Compiled>): Compile<Compiled> {
  return (tree, scope) => {
    try {
      return compile(withoutEmpty(tree), scope);
    } catch (error) {
      throw queryRules(scope.format.rules).refusal(error);
    }
  };
}

/** Creates the compiled queries of a server. */
export function createCompiledQueries(
  types: ContentTypes,
  api: ApiSettings,
  reportIgnored?: ReportIgnored,
  marks?: FileMarks,
): CompiledQueries {
  const allowed = createAllowList(types, marks);
  const cache = createQueryCache();

  function scopeOf({ kind, type, caller, format, query }: CompilationInput, bindings?: Bindings): QueryScope {
    const { narrowings = NONE, refusesHidden = false, aliases = false } = query;
    return {
      type,
      caller,
      format,
      allowed: permittedFor(allowed, caller, ONE.has(kind) ? 'one' : 'many'),
      api,
      bindings,
      narrowings: narrowings(),
      refusesHidden,
      aliases,
      reportIgnored,
    };
  }

  function ofQuery<Compiled extends Sized>(input: CompilationInput, how: Compile<Compiled>): Compiled {
    const compile = compiledBy(how);
    const { kind, type, caller, query, format } = input;
    const { shape, values } = query;
    const key =
      shape === undefined ? undefined : `=${format.name} ${kind} ${type.uid}?${shape}\0\0${values.join('\0')}`;
    const known = key === undefined ? undefined : cache.get(caller.permissions, key);
    if (known) return known as Compiled;
    const compiled = compile(query.tree(), scopeOf(input));
    if (key !== undefined) cache.set(caller.permissions, key, compiled);
    return compiled;
  }

  return {
    ofQuery,
    ofShape<Compiled extends Sized>(input: CompilationInput, how: Compile<Compiled>) {
      const compile = compiledBy(how);
      const { kind, type, caller, query, format } = input;
      const { shape, values } = query;
      if (shape === undefined || values.length === 0) return { compiled: ofQuery(input, compile), values: NOTHING };
      const key = `${format.name} ${kind} ${type.uid}?${shape}`;
      const known = cache.get(caller.permissions, key) as Remembered<Compiled> | undefined;
      if (known?.kind === 'bound') {
        const bound = known.bindings.valuesOf(values);
        // A value that can't be cast is an error or matches nothing; the compiled query handles neither.
        return bound
          ? { compiled: known.compiled, values: bound }
          : { compiled: compile(query.tree(), scopeOf(input)), values: NOTHING };
      }
      if (known) return { compiled: ofQuery(input, compile), values: NOTHING };
      const bindings = createBindings();
      const tree = query.tree();
      const compiled = compile(tree, scopeOf(input, bindings));
      if (isRead(tree) || (query.narrowings ?? NONE)().some((narrowing) => Object.values(narrowing).some(isRead))) {
        cache.set(caller.permissions, key, WHOLE);
        return { compiled: ofQuery(input, how), values: NOTHING };
      }
      const remembered: Remembered<Compiled> = { kind: 'bound', compiled, bindings, size: compiled.size };
      cache.set(caller.permissions, key, remembered);
      return { compiled, values: bindings.valuesOf(values) ?? NOTHING };
    },
  };
}
