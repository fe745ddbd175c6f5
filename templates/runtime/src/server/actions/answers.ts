/** The results of actions as answers of services. */
import type { EntryAnswer, ListAnswer } from '../../query/answer.ts';
import type { Pagination } from '../../query/page-meta.ts';

/** What a response may contain beside `data`. */
type Result = Readonly<Record<string, unknown>>;

function resultOf(result: unknown): Result {
  return typeof result === 'object' && result !== null && !Array.isArray(result)
    ? (result as Result)
    : { data: result };
}

/** An answer that nobody else has: its values are not copied. The body is built on first access, since a format may replace it. */
abstract class ActionAnswer {
  readonly tag = undefined;
  protected readonly result: Result;

  constructor(result: unknown) {
    this.result = resultOf(result);
  }

  toJSON(): unknown {
    return this.result;
  }
}

class ActionEntry extends ActionAnswer implements EntryAnswer {
  readonly version: number | undefined;
  #body: string | undefined;

  constructor(result: unknown, version: number | undefined) {
    super(result);
    this.version = version;
  }

  get body(): string {
    return (this.#body ??= JSON.stringify(this.result));
  }

  entry(): unknown {
    return this.result['data'];
  }

  with(data: unknown): EntryAnswer {
    return new ActionEntry({ ...this.result, data }, this.version);
  }
}

class ActionList extends ActionAnswer implements ListAnswer {
  #body: Buffer | undefined;

  get body(): Buffer {
    return (this.#body ??= Buffer.from(JSON.stringify(this.result)));
  }

  get pagination(): Pagination {
    const { pagination = {} } = (this.result['meta'] ?? {}) as { readonly pagination?: Pagination };
    return pagination;
  }

  entries(): readonly unknown[] {
    const { data } = this.result;
    return Array.isArray(data) ? (data as readonly unknown[]) : [];
  }

  with(data: readonly unknown[]): ListAnswer {
    return Array.isArray(this.result['data']) ? new ActionList({ ...this.result, data }) : this;
  }

  on(pagination: Pagination): ListAnswer {
    return new ActionList({ ...this.result, meta: { ...(this.result['meta'] as object | undefined), pagination } });
  }
}

/** The answer for an entry with another body. */
export function oneAnswer(result: unknown, version: number | undefined): EntryAnswer {
  return new ActionEntry(result, version);
}

/** The answer for a list with another body. */
export function manyAnswer(result: unknown): ListAnswer {
  return new ActionList(result);
}
