/** Checks the names of the arguments of a tool; their values are checked by what the tool calls. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Tool } from '../../http/tool.ts';

/** Throws ProtocolError for an unknown argument, and for a missing one. */
export function checkNames({ name, input }: Pick<Tool, 'name' | 'input'>, args: object): void {
  const missing = ((input['required'] ?? []) as readonly string[]).find((key) => !Object.hasOwn(args, key));
  if (missing !== undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} needs the argument ${JSON.stringify(missing)}`);
  }
  const known = Object.keys((input['properties'] ?? {}) as object);
  const unknown = Object.keys(args).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `${name} has no argument ${JSON.stringify(unknown)}: its arguments are ${known.join(', ')}`,
  );
}
