/** The engines by name; `mysql` includes MariaDB. */
export const ENGINES = ['sqlite', 'postgres', 'mysql'] as const;

export type EngineName = (typeof ENGINES)[number];
