/** What agents can call over the Model Context Protocol: a route in other words, by the same permission. */
import type { Client } from '../base/client.ts';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import type { Asker } from '../query/entry-request.ts';

/** Who calls a tool. */
export interface ToolCaller extends Asker {
  /** Who waits for the result: work for who has gone is stopped. */
  readonly client: Client;
}

export interface Tool {
  /** `list_articles`: letters, digits and underscores. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the caller must be permitted: `article.find`. Who is not, does not see it. */
  readonly permission: string;
  readonly effect: 'reads' | 'writes' | 'deletes';
  /** Of its arguments: an object without further properties. */
  readonly input: JsonSchema;
  /** `args` have no other names than `input`; their values are not checked. Answers JSON. */
  call(args: Readonly<Record<string, unknown>>, by: ToolCaller): Promise<string>;
}
