/** Optional modules and packages: a project has only those that its schema needs. */

/**
 * For the `catch` of the import of an optional module. If the module is missing, throws an error that says what to add
 * to the schema (`setting`); rethrows any other error. Must be chained directly to the `import()`: bundlers then accept that
 * the module may be missing.
 */
export function explainMissingModule(setting: string): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof Error && /^Cannot find (?:module|package)/u.test(error.message);
    if (!isMissing) throw error;
    throw new Error(
      `This server was generated without ${setting}. Add it to the schema, and build the project again.`,
      {
        cause: error,
      },
    );
  };
}
