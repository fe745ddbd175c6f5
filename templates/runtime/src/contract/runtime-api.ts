/** Version of the interface between generated code and this runtime. The generated `app.ts` compares it at compile time. */
export const runtimeApi = 3;
