/** Checks a document before any request has it. */
import { createDocuments } from './documents.ts';
import { RequestError } from './errors.ts';
import type { ServerSchema } from './server-schema.ts';

/** What is wrong with it. */
export function checkDocument(server: ServerSchema, text: string): readonly string[] {
  try {
    createDocuments(server, true).read(text, () => true);
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.errors.map(({ message, locations }) => {
      const at = locations?.[0];
      return at ? `${at.line}:${at.column} ${message}` : message;
    });
  }
}
