/** Modules that only some projects have: a project gets those that its schema needs. */

/**
 * For the `catch` of the import of such a module. It says what the schema lacks where the module is not there, and throws on what
 * else went wrong. Bundlers take the `catch` for a sign that the module may be missing, so it stands at the import itself.
 */
export function leftOut(setting: string): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof Error && error.message.startsWith('Cannot find module');
    if (!isMissing) throw error;
    throw new Error(
      `This server was generated without ${setting}. Add it to the schema, and build the project again.`,
      {
        cause: error,
      },
    );
  };
}
