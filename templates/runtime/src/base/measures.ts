/** What a process counts, whether or not anybody asks: numbers that cost nothing to keep. Each only grows. */
export const measures = {
  /** Queries whose shape was known, and those that had to be compiled. */
  queriesReused: 0,
  queriesCompiled: 0,
  /** Transactions and statements that were run again: the database had undone them for others, or its connection was dead. */
  databaseRetries: 0,
  /** Writes that waited for another process that writes to the SQLite file. */
  databaseBusy: 0,
  slowStatements: 0,
};
