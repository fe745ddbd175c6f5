/** What MySQL and MariaDB do with a transaction when they run a statement. */

/** Statements that can share a transaction, unless a procedure that they call ends it. */
const DML: ReadonlySet<string> = new Set(
  'BEGIN CALL CASE DELETE DO EXECUTE FOR IF INSERT LOAD LOOP REPEAT REPLACE SELECT UPDATE WHILE WITH'.split(' '),
);

function isDml(words: readonly string[]): boolean {
  const [first = '', second] = words;
  // MariaDB: SET STATEMENT max_statement_time = 60 FOR UPDATE …
  if (first === 'SET' && second === 'STATEMENT') return DML.has(words[words.indexOf('FOR') + 1] ?? '');
  return DML.has(first) || second === ':';
}

function setsSession(words: readonly string[]): boolean {
  const [first, second] = words;
  if (first === 'SET') return second !== 'STATEMENT';
  return first === 'PREPARE' || (first === 'SELECT' && words[words.lastIndexOf('INTO') + 1] === '@');
}

/** How a statement with these tokens runs: it sets what lives in the session, can be in a transaction, or commits by itself. */
export function mysqlEffect(words: readonly string[]): 'session' | 'each' | 'autocommit' {
  if (setsSession(words)) return 'session';
  return isDml(words) ? 'each' : 'autocommit';
}
