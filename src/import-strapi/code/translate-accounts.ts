/** `strapi-server` of users-permissions: actions and routes of accounts. */
import type { Parsed } from './parsed-file.ts';
import { printWhole } from './print-bodies.ts';
import { moduleTo } from './strapi-rule.ts';
import type { Translation } from './translation.ts';
import { usersExtensionText } from './users-extension.ts';

export function translateAccounts(translation: Translation, file: Parsed): void {
  const { target } = translation.fileContext(file);
  let hasRoutes = false;
  translation.print(file, (printer) => {
    const text = usersExtensionText(printer);
    if (text === undefined) {
      const reason = 'write hooks of user, endpoints, or routes in place of those of accounts';
      printer.rewriter.markAt(file.source, reason);
      return `untranslated(${JSON.stringify(reason)});\n${printWhole(printer)}`;
    }
    hasRoutes = text.includes('export function routes(');
    const generated = moduleTo(translation.fileContext(file), '../generated/extensions.ts');
    if (hasRoutes) {
      printer.imports.lines.push(
        "import type { OwnServices, Router } from '@content-gen/runtime';",
        `import type { Entries } from '${generated}';`,
      );
    }
    return text;
  });
  if (hasRoutes) translation.wiring.routes.push(`${translation.importAll(target, 'Accounts')}.routes`);
}
