/** Runs a command that the project declares in `src/extensions/`. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type * as zod from 'zod';
import { loadZod } from '../../base/lazy-packages.ts';
import { UsageError } from '../../base/command-errors.ts';
import type { AnyExtensions, ServerDefinition } from '../definition.ts';
import type { DeclaresCommands, OwnCommand } from '../own-commands.ts';
import { createServer } from '../server.ts';
import { type Command, runCommand } from './command.ts';

type Commands = Readonly<Record<string, OwnCommand>>;

/** The commands of a project. zod is loaded only if it declares any. */
export function declaredCommands({ commands }: DeclaresCommands): Commands {
  return commands?.({ z: loadZod(), command: (declaration) => declaration }) ?? {};
}

/** An option as its schema describes it. */
interface Option {
  readonly name: string;
  /** `--dry-run` for `dryRun`. */
  readonly flag: string;
  readonly isFlag: boolean;
  readonly isNumber: boolean;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly description: string;
}

interface PropertySchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly items?: { readonly type?: string };
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

function isNumeric(type: string | undefined): boolean {
  return type === 'number' || type === 'integer';
}

function optionsOf(args: zod.ZodObject | undefined): readonly Option[] {
  if (!args) return [];
  const { properties = {}, required = [] } = loadZod().toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, PropertySchema>).map(([name, schema]) => {
    const byDefault = schema.default === undefined ? '' : ` (default: ${JSON.stringify(schema.default)})`;
    return {
      name,
      flag: flagOf(name),
      isFlag: schema.type === 'boolean',
      isNumber: isNumeric(schema.type) || isNumeric(schema.items?.type),
      isList: schema.type === 'array',
      isRequired: required.includes(name),
      description: `${schema.description ?? ''}${byDefault}`.trim(),
    };
  });
}

export function usageOf(name: string, { summary, args }: OwnCommand): string {
  const options = optionsOf(args);
  const forms = options.map((option) => `--${option.flag}${option.isFlag ? '' : ' VALUE'}`);
  const width = Math.max(...forms.map(({ length }) => length), 0);
  const required = options.flatMap(({ isRequired, isFlag }, index) =>
    isRequired && !isFlag ? [` ${forms[index]}`] : [],
  );
  const lines = options.map(({ description }, index) =>
    `  ${(forms[index] ?? '').padEnd(width)}  ${description}`.trimEnd(),
  );
  const head = `Usage: npm run server -- ${name}${required.join('')}${options.length > required.length ? ' [options]' : ''}\n`;
  return [head, ...(summary ? [`${summary}\n`] : []), ...(lines.length > 0 ? [`${lines.join('\n')}\n`] : [])].join(
    '\n',
  );
}

function numberOf(text: unknown): unknown {
  const number = Number(text);
  return typeof text === 'string' && text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/** The values of the options, converted as their schema wants them. Throws UsageError. */
async function parsedArgs({ args }: OwnCommand, texts: readonly string[]): Promise<unknown> {
  const options = optionsOf(args);
  const config: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    options.map(
      ({ flag, isFlag, isList }) => [flag, { type: isFlag ? 'boolean' : 'string', multiple: isList }] as const,
    ),
  );
  const { values } = parseArgs({ args: [...texts], options: config, strict: true, allowNegative: true });
  if (!args) return {};
  const given = options.flatMap(({ name, flag, isNumber }) => {
    const value = values[flag];
    if (value === undefined) return [];
    if (!isNumber) return [[name, value] as const];
    return [[name, Array.isArray(value) ? value.map(numberOf) : numberOf(value)] as const];
  });
  const parsed = await args.safeParseAsync(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`--${flagOf(String(issue?.path[0] ?? ''))}: ${issue?.message ?? 'is invalid'}`);
}

/** Resolves with the exit code: that of the command, 1 if it throws, 2 for invalid options. */
export function runOwn(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  { name, command, args }: { readonly name: string; readonly command: OwnCommand; readonly args: readonly string[] },
): Promise<number> {
  const work: Command = async (context) => {
    const values = await parsedArgs(command, args);
    const settings = { ...context.settings, logLevel: 'warn' };
    const server = await createServer(definition, { settings, extensions });
    try {
      const { entries, jobs, sessions, roles, mailer, log, inTransaction } = server.services;
      const call = { entries, jobs, sessions, roles, mailer, log, inTransaction, args: values, print: context.print };
      return (await command.run(call as never)) ?? 0;
    } finally {
      await server.close();
    }
  };
  return runCommand(definition, () => work, usageOf(name, command));
}
