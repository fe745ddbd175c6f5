/** Tools that agents can call over the Model Context Protocol. Each corresponds to a route, and needs its permission. */
import type { Client } from '../base/client.ts';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import type { CallContext } from '../query/entry-request.ts';

/** The caller of a tool. */
export interface ToolCaller extends CallContext {
  /** The client that waits for the result. Work is aborted when it disconnects. */
  readonly client: Client;
}

export interface Tool {
  /** `list_articles`: letters, digits and underscores. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The permission that the caller needs: `article.find`. Other callers don't see the tool. */
  readonly permission: string;
  readonly effect: 'reads' | 'writes' | 'deletes';
  /** Schema of the arguments: an object without additional properties. */
  readonly input: JsonSchema;
  /** `args` has only members that are in `input`, but their values are not validated. Returns JSON. */
  call(args: Readonly<Record<string, unknown>>, by: ToolCaller): Promise<string>;
}
