/** Where the code is that all projects share: in the project, in `runtime/`, or installed as the package `@content-gen/runtime`. */
export const RUNTIME_PLACES = ['vendored', 'package'] as const;

export type RuntimePlace = (typeof RUNTIME_PLACES)[number];
