/** Monotonic counters of the process. Always maintained, since they cost next to nothing. */
export const counters = {
  /** Queries whose compiled form was cached, and those that had to be compiled. */
  queriesReused: 0,
  queriesCompiled: 0,
  /** Retries of transactions and statements, after conflicts with others or on a dead connection. */
  databaseRetries: 0,
  /** Writes that had to wait for another process writing to the SQLite file. */
  databaseBusy: 0,
  slowStatements: 0,
  /** Events that receivers have accepted, and tries that failed. */
  webhooksTold: 0,
  webhookFailures: 0,
  /** Jobs that are done, runs that failed, and jobs that were given up. */
  jobsDone: 0,
  jobFailures: 0,
  jobsGivenUp: 0,
  /** Schedules and releases that were done at their time, and those that were refused. */
  schedulesDone: 0,
  schedulesRefused: 0,
  /** Events that this process has told its clients, and clients that were cut off as they did not read. */
  eventsTold: 0,
  eventClientsCut: 0,
  /** Rows of the audit that this process has linked, and refusals that it has counted. */
  auditRows: 0,
  auditRefusals: 0,
};
