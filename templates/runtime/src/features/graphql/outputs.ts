/** Values of answers: numbers where the server's own answers have text, and names of enumerations. */
import type { ServerSchema } from './server-schema.ts';
import { asText } from './shape.ts';

type Output = (value: unknown) => unknown;

const same: Output = (value) => value;

/** A number, or its digits if it has too many for one. */
function long(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : asText(value);
}

const OUTPUTS: ReadonlyMap<string, Output> = new Map([
  ['Long', long],
  ['Float', (value: unknown) => Number(value)],
  ['ID', (value: unknown) => asText(value)],
]);

/** The enumerations of a server, by value. */
const enumOutputs = new WeakMap<ServerSchema, Map<string, Output>>();

function enumOutput(server: ServerSchema, type: string): Output | undefined {
  const definition = server.enums.get(type);
  if (!definition) return undefined;
  const known = enumOutputs.get(server) ?? new Map<string, Output>();
  enumOutputs.set(server, known);
  const made = known.get(type);
  if (made) return made;
  const names = new Map([...definition.values].map(([name, value]) => [value, name]));
  // A value that the schema no longer has can't be shown.
  const output: Output = (value) => names.get(asText(value)) ?? null;
  known.set(type, output);
  return output;
}

/** How values of a scalar or enumeration are shown. */
export function outputOf(server: ServerSchema, type: string): Output {
  return OUTPUTS.get(type) ?? enumOutput(server, type) ?? same;
}
