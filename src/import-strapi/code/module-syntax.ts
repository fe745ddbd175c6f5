/** What a module exports by name, and what it imports. */
import { compiler, type SourceFile, visitAll } from './syntax.ts';

export function exportedNames(source: SourceFile): readonly string[] {
  const ts = compiler();
  return source.statements.flatMap((one) => {
    if (!ts.canHaveModifiers(one) || !ts.getModifiers(one)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) {
      return [];
    }
    if (ts.isFunctionDeclaration(one) && one.name) return [one.name.text];
    return ts.isVariableStatement(one) ? one.declarationList.declarations.map(({ name }) => name.getText()) : [];
  });
}

/** What a file imports from the project. */
export function specifiersIn(source: SourceFile): readonly string[] {
  const ts = compiler();
  const found: string[] = [];
  visitAll(source, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push((node.moduleSpecifier as unknown as { readonly text: string }).text);
    }
    if (
      ts.isCallExpression(node) &&
      (node.expression.getText() === 'require' || node.expression.kind === ts.SyntaxKind.ImportKeyword)
    ) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    }
  });
  return found.filter((one) => one.startsWith('.'));
}
