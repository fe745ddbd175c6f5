/** `npm run server -- graphql`: writes the GraphQL schema with the fields of endpoints, and the documents that clients may name. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { UsageError } from '../../base/command-errors.ts';
import { describeGraphql } from '../../contract/graphql/describe-schema.ts';
import { modelOfRole } from '../../contract/graphql/model-of-role.ts';
import { withOwnFields } from '../../contract/graphql/own-fields.ts';
import { printGraphql } from '../../contract/graphql/print-schema.ts';
import { graphqlScope } from '../../contract/graphql/scope.ts';
import type { GraphqlSettings } from '../../contract/graphql/settings.ts';
import { checkDocument } from '../../features/graphql/check-document.ts';
import { createServerSchema } from '../../features/graphql/server-schema.ts';
import type { AnyExtensions, ServerDefinition } from '../definition.ts';
import { fieldOf } from '../describe-field.ts';
import { declaredEndpoints } from '../mount-endpoints.ts';
import { runWithoutDatabase } from './command.ts';
import { unknownCommand } from './wrong-arguments.ts';

const SCHEMA = 'schema.server.graphql';
const TRUSTED = 'src/extensions/trusted-documents.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- graphql <command> [FILE…]

  write [FILE] [--role ROLE]
      writes the schema, with the fields of src/extensions/index.ts, to FILE (default: ${SCHEMA}); with --role, what that
      role can use
  trust FILE… [--to FILE]
      checks documents, and writes them with their hashes to ${TRUSTED}: .graphql files with one
      operation each, or the JSON of Apollo Client, Relay or graphql-codegen

Exit codes: 0 done, 1 failed, 2 invalid arguments.
`;

function ownFieldsOf(extensions: AnyExtensions) {
  const endpoints = declaredEndpoints(extensions).filter(({ graphql }) => graphql !== undefined);
  return endpoints.map((endpoint) => ({ field: fieldOf(endpoint), permission: endpoint.permission ?? undefined }));
}

async function write(
  { contentTypes, api, roles }: ServerDefinition,
  { extensions, settings }: { readonly extensions: AnyExtensions; readonly settings: GraphqlSettings },
  { file = SCHEMA, role }: { readonly file?: string | undefined; readonly role?: string | undefined },
): Promise<number> {
  if (/(?:^|[\\/])schema\.graphql$/u.test(file)) {
    throw new UsageError('schema.graphql belongs to content-gen: choose another FILE');
  }
  if (role !== undefined && !Object.hasOwn(roles, role)) {
    throw new UsageError(`The schema has no role ${role}; it has ${Object.keys(roles).join(', ')}`);
  }
  const own = ownFieldsOf(extensions);
  const model = withOwnFields(
    describeGraphql(graphqlScope(contentTypes, api.format ?? 'v4', settings)),
    own.map(({ field }) => field),
  );
  const permissions = new Map(own.map(({ field, permission }) => [field.name, permission]));
  const shown = role === undefined ? model : modelOfRole(model, new Set(roles[role]), permissions);
  await writeFile(file, printGraphql(shown));
  process.stdout.write(`${file}\n`);
  return 0;
}

type Named = readonly (readonly [name: string, text: string])[];

/** The documents in a JSON file: a manifest of Apollo Client, or a map of hashes of Relay or graphql-codegen. */
function documentsInJson(json: unknown, file: string): Named {
  const { operations } = json as { readonly operations?: unknown };
  if (Array.isArray(operations)) {
    return operations.map(({ id, body }: { readonly id?: unknown; readonly body?: unknown }) => [
      String(id),
      String(body),
    ]);
  }
  const entries = Object.entries(json as object);
  if (entries.length === 0 || entries.some(([, text]) => typeof text !== 'string')) {
    throw new UsageError(`${file} is neither a manifest of persisted queries nor a map of hashes and documents`);
  }
  return entries;
}

async function documentsIn(file: string): Promise<Named> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} can't be read: ${error.code}`);
  });
  if (!file.endsWith('.json')) return [[createHash('sha256').update(text).digest('hex'), text]];
  try {
    return documentsInJson(JSON.parse(text), file);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file} is not valid JSON`);
    throw error;
  }
}

/** The module that `src/extensions/index.ts` imports. */
function moduleOf(documents: Named): string {
  const lines = documents.map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},`);
  return `// Written by \`npm run server -- graphql trust\`.
/** GraphQL documents by their hashes. */
export const trustedDocuments: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`;
}

async function trust(
  { contentTypes, api }: ServerDefinition,
  { extensions, settings }: { readonly extensions: AnyExtensions; readonly settings: GraphqlSettings },
  { files, to = TRUSTED }: { readonly files: readonly string[]; readonly to?: string | undefined },
): Promise<number> {
  if (files.length === 0) throw new UsageError('Name the files with the documents');
  const own = ownFieldsOf(extensions).map(({ field }) => field);
  const server = createServerSchema(contentTypes, api.format ?? 'v4', settings, own);
  const documents = new Map<string, string>();
  let failures = 0;
  for (const file of files) {
    for (const [name, text] of await documentsIn(file)) {
      documents.set(name, text);
      for (const problem of checkDocument(server, text)) {
        failures += 1;
        process.stderr.write(`${file}: ${problem}\n`);
      }
    }
  }
  if (failures > 0) {
    process.stderr.write('Nothing was written.\n');
    return 1;
  }
  const sorted = [...documents].sort(([one], [other]) => (one < other ? -1 : 1));
  await writeFile(to, moduleOf(sorted));
  process.stdout.write(`${to}: ${sorted.length} documents\n`);
  if (!extensions.trustedDocuments) {
    process.stdout.write('To use them, add `trustedDocuments` to defineExtensions in src/extensions/index.ts.\n');
  }
  return 0;
}

async function run(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  settings: GraphqlSettings,
  args: readonly string[],
): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { role: { type: 'string' }, to: { type: 'string' } },
  });
  const [command, ...files] = positionals;
  const project = { extensions, settings };
  if (command === 'trust') return trust(definition, project, { files, to: values.to });
  if (command !== 'write') throw unknownCommand(command, ['write', 'trust']);
  const [file, further] = files;
  if (further !== undefined) throw new UsageError(`Expected one FILE; unexpected: ${further}`);
  return write(definition, project, { file, role: values.role });
}

/** Runs `npm run server -- graphql …`; it needs no database. Returns the exit code. */
export function runGraphql(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  settings: GraphqlSettings,
  args: readonly string[],
): Promise<number> {
  return runWithoutDatabase(() => run(definition, extensions, settings, args), USAGE);
}
