/** An MCP server for a single request, with the tools that its caller may use. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { HttpError } from '../../contract/errors.ts';
import { type Audit, countRefusal } from '../../http/audit.ts';
import type { Logger } from '../../http/log.ts';
import type { ToolCaller } from '../../http/tool.ts';
import { checkNames } from './check-names.ts';
import type { OfferedTool } from './generic-tools.ts';

/** Information about the server as a whole. */
export interface AboutServer {
  readonly name: string;
  /** The content types, as JSON. */
  model(by: ToolCaller): string;
}

const MODEL = {
  uri: 'content://model',
  name: 'model',
  title: 'The content types',
  description: 'The content types and components of this server: attributes with their types and rules, and relations.',
  mimeType: 'application/json',
};

const INSTRUCTIONS =
  'Content types with their entries. Read the resource content://model first. Relations are written as ids, or as {connect, disconnect, set}.';

/** The description of a tool in the response to `tools/list`. */
function announced({ name, title, description, effect, input }: OfferedTool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...input, type: 'object' as const },
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect === 'deletes', openWorldHint: false },
  };
}

type Failure = Pick<HttpError, 'status' | 'name' | 'message' | 'details'>;

/** Like the response of a route: errors have further properties that are for the log only. */
function failed({ status, name, message, details }: Failure): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error: { status, name, message, details } }) }],
  };
}

interface ToolHost {
  readonly logger: Logger;
  readonly audit: Audit | undefined;
}

/** Reports errors as the routes do: unexpected errors are logged in full, but the response is generic. */
async function callTool(
  tool: OfferedTool,
  args: Readonly<Record<string, unknown>>,
  by: ToolCaller,
  { logger, audit }: ToolHost,
) {
  checkNames(tool, args);
  try {
    return { content: [{ type: 'text' as const, text: await tool.call(args, by) }] };
  } catch (error) {
    countRefusal(audit, error);
    if (error instanceof HttpError) return failed(error);
    if (error instanceof ProtocolError) throw error;
    logger.error({ err: error, tool: tool.name }, 'unexpected error');
    return failed({ status: 500, name: 'InternalServerError', message: 'Internal Server Error', details: {} });
  }
}

/** `tools`: the tools that the caller may use, by name. */
export function toolServer(
  about: AboutServer,
  tools: ReadonlyMap<string, OfferedTool>,
  by: ToolCaller,
  host: ToolHost,
): Server {
  const server = new Server(
    { name: about.name, version: '1.0.0' },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(announced) }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name}`);
    return callTool(tool, params.arguments ?? {}, by, host);
  });
  server.setRequestHandler('resources/list', () => ({ resources: [MODEL] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    if (params.uri !== MODEL.uri) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no resource ${params.uri}`);
    }
    return { contents: [{ uri: MODEL.uri, mimeType: MODEL.mimeType, text: about.model(by) }] };
  });
  return server;
}
