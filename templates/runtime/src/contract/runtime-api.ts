/** The version of what generated code expects of this runtime. The generated `app.ts` compares it at compile time. */
export const runtimeApi = 2;
