/** `content-gen schema`: prints the schema language, as text or as a JSON Schema. */
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Prints the language, and returns the exit code. */
export async function schemaCommand({ json = false }: { readonly json?: boolean }, io: Io): Promise<number> {
  const { schemaJsonSchema } = await import('../schema/json-schema.ts');
  const { renderReference } = await import('../schema/reference.ts');
  io.stdout.write(json ? `${JSON.stringify(schemaJsonSchema(), undefined, 2)}\n` : renderReference());
  return EXIT.done;
}
