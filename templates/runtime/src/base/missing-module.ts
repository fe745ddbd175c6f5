/** Optional modules and packages: a project has only those that its schema needs. */

/**
 * For the `catch` of the import of an optional module. If the module is missing, throws an error that says what to add
 * to the schema (`setting`); if a package that it imports is missing, one that says how to install it. Rethrows any
 * other error. Must be chained directly to the `import()`: bundlers then accept that
 * the module may be missing.
 */
export function explainMissingModule(setting: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Error)) throw error;
    const name = /^Cannot find package '(?<name>[^']+)'/u.exec(error.message)?.groups?.['name'];
    if (name !== undefined) {
      throw new Error(`The package ${name} is not installed. Run npm install, and then start again.`, { cause: error });
    }
    if (!error.message.startsWith('Cannot find module')) throw error;
    throw new Error(
      `This server was generated without ${setting}. Add it to the schema, and build the project again.`,
      {
        cause: error,
      },
    );
  };
}
