/** Files for editors: the JSON Schema of the schema language, with the names of this project. */
import type { ContentModel } from '../../model/content-model.ts';
import { schemaJsonSchema } from '../../schema/json-schema.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { lateJsonFile } from '../managed-file.ts';
import { schemaNamesOf } from './schema-names.ts';

/** The name that modelines of schemas refer to: `# yaml-language-server: $schema=./content-gen.schema.json`. */
const SCHEMA_FILE = 'content-gen.schema.json';

export function editorFiles(model: ContentModel): readonly GeneratedFile[] {
  return [lateJsonFile(SCHEMA_FILE, schemaNamesOf(model), schemaJsonSchema)];
}
