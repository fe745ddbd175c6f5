/** The YAML library, loaded when it is first needed: most schemas are read without it, and loading it takes a while. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

export function yamlLibrary(): typeof Yaml {
  return require('yaml') as typeof Yaml;
}
