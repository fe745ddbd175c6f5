import { describe, expect, it } from 'vitest';
import { refusedStatements } from './refused-statements.ts';
import { splitStatements, statementsOf } from './statements.ts';
import type { SqlEngine } from './tokens.ts';

const ENGINES = ['sqlite', 'postgres', 'mysql'] as const;

/** What is refused of a script: the line of each statement. */
const refused = (script: string, engine: SqlEngine) => refusedStatements(script, engine).map(({ line }) => line);

describe.each(ENGINES)('statements on %s', (engine) => {
  it.each([
    ['UPDATE a SET b = 1', ['UPDATE a SET b = 1']],
    ["a 'x;''y' b; c", ["a 'x;''y' b", 'c']],
    ['a "x;""y" b; c;', ['a "x;""y" b', 'c']],
    ['-- a;\nb; -- c;\n', ['-- a;\nb']],
    ['a /* ; */ b; /* c */', ['a /* ; */ b']],
    [';;a;;', ['a']],
    ['', []],
    ['CREATE TABLE t (a int, b int); DROP TABLE t', ['CREATE TABLE t (a int, b int)', 'DROP TABLE t']],
    ['SELECT CASE WHEN a THEN b END; c', ['SELECT CASE WHEN a THEN b END', 'c']],
  ])('splits %j', (script, statements) => {
    expect(splitStatements(script, engine)).toStrictEqual(statements);
  });

  it.each([
    'COMMIT',
    'commit work',
    'COMMIT AND CHAIN',
    '/* c */ COMMIT',
    'BEGIN',
    'Begin Work',
    'START TRANSACTION READ WRITE',
    'END',
    'ROLLBACK',
    'ROLLBACK TO SAVEPOINT a',
    'SAVEPOINT a',
    'RELEASE a',
    'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE',
  ])('refuses %s, wherever it stands', (statement) => {
    expect(refused(statement, engine)).toStrictEqual([1]);
    expect(refused(`UPDATE a SET b = ';';\n-- c\n${statement};\n\nUPDATE a SET c = 1;`, engine)).toStrictEqual([3]);
  });

  it.each([
    "INSERT INTO a VALUES ('COMMIT; ROLLBACK')",
    '-- COMMIT;\nUPDATE a SET b = 1',
    '/* ; COMMIT; */ UPDATE a SET b = 1;',
    'UPDATE "commit" SET "begin" = 1; SELECT "end" FROM "rollback"',
    'UPDATE beginnings SET ends = 1; DELETE FROM commits',
    'SELECT CASE WHEN a THEN 1 END FROM b; SELECT 1',
  ])('runs %s', (script) => {
    expect(refused(script, engine)).toStrictEqual([]);
  });

  it('refuses what does not end', () => {
    for (const open of ["'a; COMMIT;", '"a; COMMIT', '/* a; COMMIT']) {
      expect(refused(`UPDATE a SET b = 1;\nUPDATE a SET b = ${open}`, engine)).toStrictEqual([2]);
    }
  });
});

describe('statements of SQLite', () => {
  const trigger =
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE b SET c = CASE WHEN d THEN 1 END;\n  DELETE FROM e;\nEND';

  it('may be triggers, whose bodies have statements', () => {
    expect(splitStatements(`${trigger};\nSELECT [;] FROM f;`, 'sqlite')).toStrictEqual([trigger, 'SELECT [;] FROM f']);
    expect(
      refused(`${trigger};\nCREATE TEMP TRIGGER u AFTER INSERT ON a BEGIN SELECT 1; END;`, 'sqlite'),
    ).toStrictEqual([]);
    expect(refused(`${trigger};\nCOMMIT`, 'sqlite')).toStrictEqual([5]);
    expect(refused(trigger.replace('END;', '').replace(/END$/u, ''), 'sqlite')).toStrictEqual([1]);
  });

  it('are refused if a transaction can have no such statement', () => {
    for (const one of [
      'VACUUM',
      "ATTACH 'x' AS y",
      'DETACH y',
      'PRAGMA foreign_keys = OFF',
      'PRAGMA main.journal_mode=WAL',
      '.read x',
    ]) {
      expect([one, refused(one, 'sqlite')]).toStrictEqual([one, [1]]);
    }
    for (const one of ['PRAGMA defer_foreign_keys = ON', 'PRAGMA main.user_version', 'PRAGMA foreign_key_check']) {
      expect([one, refused(one, 'sqlite')]).toStrictEqual([one, []]);
    }
  });
});

describe('statements of PostgreSQL', () => {
  it.each([
    ['dollar quotes', 'DO $$ BEGIN UPDATE a SET b = 1; COMMIT; END $$'],
    ['named dollar quotes', 'CREATE FUNCTION f() RETURNS int AS $f$ SELECT $$;$$; $f$ LANGUAGE sql'],
    ['escapes', String.raw`SELECT E'\'; COMMIT; '`],
    ['backslashes', String.raw`SELECT 'a\' || 'b'`],
    ['nested comments', '/* a /* ; */ ; COMMIT; */ SELECT 1'],
    ['rules', 'CREATE RULE r AS ON INSERT TO a DO ALSO (DELETE FROM b; DELETE FROM c)'],
    [
      'atomic bodies',
      'CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END',
    ],
    ['identifiers and parameters', 'SELECT a$b$c, $1'],
  ])('may have %s', (_, statement) => {
    expect(splitStatements(`${statement};\nSELECT 2;`, 'postgres')).toStrictEqual([statement, 'SELECT 2']);
    expect(refused(`${statement};\nSELECT 2;`, 'postgres')).toStrictEqual([]);
    expect(refused(`${statement};\nCOMMIT;`, 'postgres')).toStrictEqual([2]);
  });

  it('are refused if they are none, or a transaction can have no such statement', () => {
    for (const one of [
      'ABORT',
      "PREPARE TRANSACTION 'a'",
      "COMMIT PREPARED 'a'",
      'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
      'SET LOCAL transaction_read_only = on',
      'VACUUM a',
      'CREATE DATABASE a',
      'REINDEX TABLE CONCURRENTLY a',
      'COPY a (b) FROM STDIN',
      String.raw`\i other.sql`,
      String.raw`SELECT 1 \g`,
      'CREATE UNIQUE INDEX CONCURRENTLY a ON b (c)',
      '-- content-gen: each by itself\nSELECT 1;\n-- content-gen: commit\nDROP INDEX CONCURRENTLY a',
    ]) {
      expect([one, refused(one, 'postgres').length]).toStrictEqual([one, 1]);
    }
    const apart = '-- content-gen: each by itself\nCREATE INDEX CONCURRENTLY a ON b (c);\nDROP INDEX CONCURRENTLY d;';
    expect(refused(apart, 'postgres')).toStrictEqual([]);
    expect(refused("COPY a FROM '/tmp/x'; PREPARE p AS SELECT 1; SET search_path TO a", 'postgres')).toStrictEqual([]);
  });
});

describe('statements of MySQL and MariaDB', () => {
  it.each([
    ['escapes and hashes', String.raw`SELECT 'a\'; COMMIT; ', 5--1 # ; COMMIT;`],
    [
      'executed comments',
      '/*!50003 CREATE*/ /*!50017 DEFINER=`a`@`b`*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET @a = 1; END */',
    ],
    ['a body', 'CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW BEGIN\n  UPDATE b SET c = 1;\n  DELETE FROM d;\nEND'],
    ['a body with a name', 'CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW x: BEGIN SET @a = 1; END x'],
    [
      'compound statements',
      "CREATE OR REPLACE DEFINER = CURRENT_USER() PROCEDURE IF NOT EXISTS p(n INT) COMMENT 'x' BEGIN DECLARE i INT DEFAULT IF(n, 1, 2); l: LOOP SET i = i + 1; IF i > 3 THEN LEAVE l; ELSEIF i > 9 THEN SET i = REPEAT('1', 2); ELSE BEGIN END; END IF; END LOOP; WHILE i > 0 DO SET i = i - 1; END WHILE; REPEAT SET i = 1; UNTIL i END REPEAT; CASE i WHEN 1 THEN IF n THEN SET i = CASE WHEN n THEN IF(n, 1, 2) ELSE 3 END; END IF; END CASE; CREATE TABLE IF NOT EXISTS q (a int); END",
    ],
    [
      'a compound statement as a body',
      'CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW IF NEW.b THEN SET @c = 1; SET @d = 2; END IF',
    ],
    ['a compound statement without a program', 'IF (SELECT 1) THEN SELECT 2; SELECT 3; END IF'],
    ['a block without a program', 'BEGIN NOT ATOMIC SELECT 2; SELECT 3; END'],
    ['a function of one expression', 'CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN IF(a, 1, 2)'],
    ['a procedure that commits', 'CREATE PROCEDURE p() BEGIN START TRANSACTION; COMMIT; END'],
    ['an event', "CREATE DEFINER='a'@'b' EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM a; DELETE FROM b; END"],
    ['tables with the names of programs', 'CREATE TABLE event (`trigger` INT, begin INT)'],
  ])('may have %s', (_, statement) => {
    const next = _.includes('hashes') ? '\n;SELECT 2;' : ';\nSELECT 2;';
    expect(splitStatements(`${statement}${next}`, 'mysql')).toStrictEqual([statement, 'SELECT 2']);
    expect(refused(`${statement}${next}`, 'mysql')).toStrictEqual([]);
    expect(refused(`${statement}${next}\nCOMMIT;`, 'mysql')).toHaveLength(1);
  });

  it('end at the DELIMITER', () => {
    const body = 'CREATE PROCEDURE p() BEGIN SELECT 1; END';
    for (const delimiter of ['//', '$$', ';;', 'done']) {
      const script = `SELECT 1;\ndelimiter ${delimiter}\n${body}${delimiter === 'done' ? ' ' : ''}${delimiter}\nSELECT ';' ${delimiter}\nDELIMITER ;\nSELECT 3;`;
      expect(splitStatements(script, 'mysql')).toStrictEqual(['SELECT 1', body, "SELECT ';'", 'SELECT 3']);
    }
  });

  it('are refused if they are none, or change what the migrator relies on', () => {
    for (const one of [
      'SET autocommit = 0',
      'SET @a = 1, SESSION `autocommit` := 0',
      'SET @@session.autocommit = 0',
      'SET completion_type = 2',
      'SET SESSION TRANSACTION READ ONLY',
      "XA START 'a'",
      'LOCK TABLES a WRITE',
      'UNLOCK TABLES',
      'USE other',
      '/*!40000 COMMIT */',
      'source x.sql',
      String.raw`SELECT 1 \G`,
      'CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2;',
    ]) {
      expect([one, refused(one, 'mysql')]).toStrictEqual([one, [1]]);
    }
    expect(refused("SET @autocommit = 1; SET NAMES utf8mb4; SET a.b = 'autocommit'; CALL p()", 'mysql')).toStrictEqual(
      [],
    );
  });
});

describe('a statement', () => {
  it('has words in upper case, without comments, and its place', () => {
    expect(statementsOf("\n-- a\ncreate /* b */ Table t ('x');", 'sqlite')).toMatchObject([
      { at: 6, words: ['CREATE', 'TABLE', 'T', '(', "'x'", ')'], isUnfinished: false },
    ]);
  });
});
