/** Why a command of the command line ends without having done what was asked for. */

/** The arguments make no sense: usage is printed. */
export class UsageError extends Error {}

/** What was asked for is not done, and nothing was changed. */
export class Refused extends Error {}
