/** Optional modules and packages: a project has only those that its schema and its settings need. */

/** The package that an import did not find. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return /^Cannot find package '(?<name>[^']+)'/u.exec(error.message)?.groups?.['name'];
}

/**
 * For the `catch` of the import of a package that no schema asks for, but a setting (`use`). If it is missing, throws an error that
 * says how to install it; rethrows any other error. `versioned` is the package with its version: `nodemailer@10`. Must be chained directly to the
 * `import()`, as below.
 */
export function explainMissingPackage(use: string, versioned: string): (error: unknown) => never {
  return (error) => {
    const name = missingPackage(error);
    if (name === undefined || !versioned.startsWith(`${name}@`)) throw error;
    throw new Error(`${use} needs the package ${name}. Run npm install ${versioned}, and then start again.`, {
      cause: error,
    });
  };
}

/**
 * For the `catch` of the import of an optional module. If the module is missing, throws an error that says what to add
 * to the schema (`setting`); if a package that it imports is missing, one that says how to install it. Rethrows any
 * other error. Must be chained directly to the `import()`: bundlers then accept that
 * the module may be missing.
 */
export function explainMissingModule(setting: string): (error: unknown) => never {
  return (error) => {
    const name = missingPackage(error);
    if (name !== undefined) {
      throw new Error(`The package ${name} is not installed. Run npm install, and then start again.`, { cause: error });
    }
    if (!(error instanceof Error && error.message.startsWith('Cannot find module'))) throw error;
    throw new Error(
      `This server was generated without ${setting}. Add it to the schema, and build the project again.`,
      {
        cause: error,
      },
    );
  };
}
