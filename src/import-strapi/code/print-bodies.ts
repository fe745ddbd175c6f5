/** The bodies of translated modules, by what a module exports. */
import type { Parsed } from './parsed-file.ts';
import { exportNames, type ModulePrinter } from './print-module.ts';
import { compiler, propertyName } from './syntax.ts';

/** Functions of an exported object, one by one. */
export function printMethods(printer: ModulePrinter, file: Parsed): string {
  const names = exportNames(file.source, file.shape);
  const all = file.shape.object?.properties ?? [];
  // Of two members with one name, the last counts.
  const keyOfMember = (one: (typeof all)[number]): string | undefined => one.name && propertyName(one.name);
  const last = [...all].filter(
    (one, index) =>
      keyOfMember(one) === undefined || !all.slice(index + 1).some((later) => keyOfMember(later) === keyOfMember(one)),
  );
  const members = last.map((one) => {
    const key = one.name && propertyName(one.name);
    return printer.method(one, (key !== undefined && names.get(key)) || 'member');
  });
  return printer.statements() + members.join('\n');
}

/** A module with one value: a policy, a middleware, a helper. */
export function printValue(printer: ModulePrinter): string {
  const { shape } = printer;
  const { statement } = shape;
  const statements = printer.statements();
  if (statement === undefined) return statements;
  const ts = compiler();
  const value = ts.isExportAssignment(statement)
    ? statement.expression
    : ts.isExpressionStatement(statement) && ts.isBinaryExpression(statement.expression)
      ? statement.expression.right
      : undefined;
  if (value === undefined) return statements;
  const comments = printer.rewriter.comments(statement);
  return `${statements}${comments}export default ${printer.rewriter.print(value)};\n`;
}

/** All statements, with the export as a value. */
export function printWhole(printer: ModulePrinter): string {
  const { source, shape } = printer;
  const ts = compiler();
  return source.statements
    .filter((one) => !(ts.isExpressionStatement(one) && /^['"]use strict['"]/u.test(one.getText())))
    .map((one) => {
      if (one !== shape.statement) return printer.statement(one);
      const value = ts.isExportAssignment(one)
        ? one.expression
        : ts.isExpressionStatement(one) && ts.isBinaryExpression(one.expression)
          ? one.expression.right
          : one;
      return `${printer.rewriter.comments(one)}export default ${printer.rewriter.print(value)};\n`;
    })
    .join('');
}
