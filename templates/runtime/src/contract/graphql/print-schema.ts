/** Prints a GraphQL schema: `schema.graphql`. */
import type { Argument, Definition, GraphqlModel } from './model.ts';

const WIDTH = 100;

function described(description: string | undefined, indent: string): string {
  if (description === undefined) return '';
  const text = description
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '\\"""')
    .replaceAll(/[\u0000-\u0008\u000b-\u001f]/gu, ' ');
  const isShort = !text.includes('\n') && text.length < 70 && !text.endsWith('"') && !text.endsWith('\\');
  if (isShort) return `${indent}"""${text}"""\n`;
  const lines = text.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`));
  return `${indent}"""\n${lines.join('\n')}\n${indent}"""\n`;
}

function argument({ name, type, default: initial }: Argument): string {
  return initial === undefined ? `${name}: ${type}` : `${name}: ${type} = ${initial}`;
}

function argumentsOf(args: readonly Argument[] | undefined, around: number): string {
  if (!args || args.length === 0) return '';
  const texts = args.map(argument);
  const line = `(${texts.join(', ')})`;
  return line.length + around <= WIDTH ? line : `(\n${texts.map((text) => `    ${text}\n`).join('')}  )`;
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join('\n')}\n}`;
}

function bodyOf(definition: Definition): string {
  const { name } = definition;
  switch (definition.kind) {
    case 'scalar':
      return `scalar ${name}`;
    case 'union':
      return `union ${name} =${definition.members.map((member) => `\n  | ${member}`).join('')}`;
    case 'enum':
      return block(
        `enum ${name}`,
        [...definition.values.keys()].map((value) => `  ${value}`),
      );
    case 'input':
      return block(
        `input ${name}`,
        definition.fields.map((field) => `${described(field.description, '  ')}  ${argument(field)}`),
      );
    case 'object':
      return block(
        `type ${name}`,
        definition.fields.map(({ name: field, type, args, description }) => {
          const around = field.length + type.length + 4;
          return `${described(description, '  ')}  ${field}${argumentsOf(args, around)}: ${type}`;
        }),
      );
  }
}

/** The schema in the language of GraphQL. */
export function printGraphql(model: GraphqlModel): string {
  const types = model.map((definition) => `${described(definition.description, '')}${bodyOf(definition)}`);
  return `${types.join('\n\n')}\n`;
}
