/** `POST /mcp`: streamable HTTP without sessions, authenticated by API tokens. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context, Middleware } from 'koa';
import { clientOf } from '../../http/client.ts';
import { lazyImport } from '../../base/lazy-import.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import { mayFind } from '../../contract/policy/caller.ts';
import { readObject } from '../../http/body.ts';
import { waitForTurn } from '../../http/long-requests.ts';
import { callContextOf } from '../../http/request.ts';
import type { ToolCaller } from '../../http/tool.ts';
import { describeComponents, describeTypes } from '../../contract/describe-types.ts';
import { allTools, byPermissions, type Host } from './all-tools.ts';
import { toolServer } from './tool-server.ts';

const PATH = '/mcp';

/** Accepts API tokens only: they limit what an agent may do, and can be revoked. Throws UnauthorizedError. */
function toolCallerOf(ctx: Context): ToolCaller {
  const call = callContextOf(ctx);
  if (call.caller.kind !== 'token') {
    ctx.set('WWW-Authenticate', 'Bearer');
    throw new UnauthorizedError('An API token is required: npm run server -- token create');
  }
  return { ...call, client: clientOf(ctx) };
}

/** The MCP handler expects a web `Request`. The body is parsed before, so that the usual size limit applies. */
async function handOver(ctx: Context, by: ToolCaller, handler: ReturnType<typeof createMcpHandler>): Promise<void> {
  const body = await readObject(ctx);
  const headers = Object.entries(ctx.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  const request = new Request(new URL(PATH, 'http://localhost'), { method: 'POST', headers });
  const authInfo = { token: '', clientId: by.caller.role, scopes: [], extra: { by } };
  await waitForTurn(ctx);
  const response = await handler.fetch(request, { parsedBody: body, authInfo });
  ctx.status = response.status;
  ctx.body = Buffer.from(await response.arrayBuffer());
  ctx.set('Content-Type', response.headers.get('content-type') ?? 'application/json');
}

export function serveTools(host: Host): Middleware {
  const { definition, logger } = host;
  const model = (by: ToolCaller): string => {
    const isFound = (uid: string) => mayFind(by.caller, uid);
    const types = definition.contentTypes;
    return JSON.stringify({
      contentTypes: describeTypes(types, isFound),
      components: describeComponents(types, isFound),
    });
  };
  const about = { name: definition.name, model };
  const toolsOf = lazyImport(async () => byPermissions(await allTools(host)));
  const handler = createMcpHandler(
    async ({ authInfo }) => {
      const by = authInfo?.extra?.['by'] as ToolCaller;
      return toolServer(about, (await toolsOf())(by), by, host);
    },
    // The tools never change while a server runs, so there is nothing to subscribe to.
    { maxSubscriptions: 0, onerror: (error) => logger.debug({ err: error }, 'mcp') },
  );
  return async (ctx, next) => {
    if (ctx.path !== PATH) return next();
    const by = toolCallerOf(ctx);
    if (ctx.method === 'POST') return handOver(ctx, by, handler);
    ctx.set('Allow', 'POST');
    ctx.status = 405;
  };
}
