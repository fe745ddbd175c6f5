/**
 * Tools for a server with many content types: instead of some tools for each type, which agents would have to read in every
 * conversation, a few that find, describe and run them. What they find and run are the tools that the caller would otherwise have.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../contract/routes/json-schema.ts';
import type { Tool } from '../../http/tool.ts';
import { checkNames } from './check-names.ts';

/** A tool as it is offered to a caller who has its permission. */
export type OfferedTool = Omit<Tool, 'permission'>;

/** A tool of a content type. */
export interface TypeTool extends Tool {
  /** The content type. */
  readonly type: string;
  /** The name of the type that people see, and its description. */
  readonly about: string;
}

/** The largest number of content types that have tools of their own. */
export const MOST_TYPES_WITH_TOOLS = 10;

/** How many types one answer lists. */
const MOST_FOUND = 30;

const OPERATION: JsonSchema = { type: 'string', description: 'Such as list_articles: a name from find_operations.' };

function input(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** The operation that the arguments name. Throws ProtocolError if the caller has none of this name. */
function operationIn(tools: ReadonlyMap<string, TypeTool>, { operation }: Readonly<Record<string, unknown>>): TypeTool {
  const tool = tools.get(String(operation));
  if (!tool) throw invalid(`there is no operation ${String(operation)}: find_operations lists them`);
  return tool;
}

/** The types whose names and descriptions have all words, each with its operations. */
function findIn(tools: ReadonlyMap<string, TypeTool>, search: unknown): string {
  const words = typeof search === 'string' ? search.toLowerCase().split(/\s+/u).filter(Boolean) : [];
  const types = new Map<string, { type: string; about: string; operations: string[] }>();
  for (const { name, type, about } of tools.values()) {
    const found = types.get(type) ?? { type, about, operations: [] };
    found.operations.push(name);
    types.set(type, found);
  }
  const matching = [...types.values()].filter((one) => {
    const text = JSON.stringify(Object.values(one)).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const more = matching.length - MOST_FOUND;
  return JSON.stringify({ types: matching.slice(0, MOST_FOUND), ...(more > 0 && { furtherTypes: more }) });
}

const RUNNERS = [
  { name: 'run_reading_operation', effect: 'reads', verb: 'Runs an operation that reads' },
  { name: 'run_writing_operation', effect: 'writes', verb: 'Runs an operation that creates, changes or publishes' },
  { name: 'run_deleting_operation', effect: 'deletes', verb: 'Runs an operation that deletes' },
] as const;

function runner({ name, effect, verb }: (typeof RUNNERS)[number], all: ReadonlyMap<string, TypeTool>): OfferedTool[] {
  const own = new Map([...all].filter(([, tool]) => tool.effect === effect));
  const [example] = own.keys();
  if (example === undefined) return [];
  return [
    {
      name,
      title: verb,
      description: `${verb}, such as ${example}. describe_operation returns the schema of its arguments.`,
      effect,
      input: input({ operation: OPERATION, arguments: { type: 'object' } }, ['operation']),
      async call(args, by) {
        const tool = operationIn(own, args);
        const given = args['arguments'] ?? {};
        if (typeof given !== 'object' || Array.isArray(given)) throw invalid('arguments must be an object');
        checkNames(tool, given);
        return tool.call(given as Readonly<Record<string, unknown>>, by);
      },
    },
  ];
}

/** The tools that find, describe and run the operations of content types. */
export function genericTools(tools: ReadonlyMap<string, TypeTool>): readonly OfferedTool[] {
  if (tools.size === 0) return [];
  return [
    {
      name: 'find_operations',
      title: 'Find operations',
      description: 'Lists content types with their operations. Search by words of their names and descriptions.',
      effect: 'reads',
      input: input(
        { search: { type: 'string', description: 'Words, all of which must occur; by default every type.' } },
        [],
      ),
      call: ({ search }) => Promise.resolve(findIn(tools, search)),
    },
    {
      name: 'describe_operation',
      title: 'Describe an operation',
      description: 'Returns what an operation does, and the JSON Schema of its arguments.',
      effect: 'reads',
      input: input({ operation: OPERATION }, ['operation']),
      async call(args) {
        const { name, description, effect, input: schema } = operationIn(tools, args);
        return JSON.stringify({ operation: name, description, effect, arguments: schema });
      },
    },
    ...RUNNERS.flatMap((one) => runner(one, tools)),
  ];
}
