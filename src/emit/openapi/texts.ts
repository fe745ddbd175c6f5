/** What the schema says about a type, component or attribute for people. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';

interface Described {
  readonly displayName: string | undefined;
  readonly description: string | undefined;
}

/** `title` and `description` of its JSON Schema; undefined where the schema of the project has none. */
export function textsOf({ displayName, description }: Described): JsonSchema {
  return { title: displayName, description };
}
