import { Client, types as pgTypes } from 'pg';
import { createConnection } from 'mysql2/promise';
import { SCHEMA_TEXT } from './support/zz-relation-database.ts';
import { raw, sql, join } from '../templates/runtime/src/database/sql.ts';
import { UniqueViolation } from '../templates/runtime/src/database/database.ts';
import { readFileSync } from 'node:fs';
pgTypes.setTypeParser(20, (v: string) => Number(v));
function pgDialect(lock: string): any {
  const id = (n: string) => raw(`"${n}"`);
  return { name: 'postgres', id, rowLock: raw(lock),
    jsonRows: (json: string, cols: any) => sql`(SELECT * FROM json_to_recordset(CAST(${json} AS json)) AS x(${join(Object.entries(cols).map(([n, t]) => raw(`"${n}" ${t === 'integer' ? 'bigint' : 'text'}`)), ', ')}))`,
    updateFrom: (table: string, rows: any, assign: any, where: any) => sql`UPDATE ${id(table)} AS t SET ${join(Object.entries(assign).map(([c, v]: any) => sql`${id(c)} = ${v}`), ', ')} FROM ${rows} AS r WHERE ${where}` };
}
function myDialect(): any {
  const id = (n: string) => raw('`' + n + '`');
  return { name: 'mysql', id, rowLock: raw(' FOR UPDATE'),
    jsonRows: (json: string, cols: any) => sql`(SELECT * FROM JSON_TABLE(${json}, '$[*]' COLUMNS (${join(Object.entries(cols).map(([n, t]) => raw('`' + n + '` ' + (t === 'integer' ? 'bigint' : 'varchar(255)') + ` PATH '$.${n}'`)), ', ')})) AS x)`,
    updateFrom: (table: string, rows: any, assign: any, where: any) => sql`UPDATE ${id(table)} AS t JOIN ${rows} AS r ON ${where} SET ${join(Object.entries(assign).map(([c, v]: any) => sql`t.${id(c)} = ${v}`), ', ')}` };
}
export async function openPg(): Promise<any> {
  const server = { host: '127.0.0.1', port: 5432, user: 'root' };
  const name = `content_gen_rel_${process.pid}`;
  const admin = new Client({ ...server, database: 'postgres' }); await admin.connect();
  await admin.query(`CREATE DATABASE "${name}"`);
  const c = new Client({ ...server, database: name }); await c.connect();
  const ddl = SCHEMA_TEXT.replaceAll('integer PRIMARY KEY AUTOINCREMENT', 'bigserial PRIMARY KEY').replaceAll(/\binteger\b/g, 'bigint');
  const creates = ddl.split(';').map((x) => x.trim()).filter(Boolean);
  // forward reference leaves->hubs
  for (const s of creates) { await c.query(s.replace('REFERENCES "hubs" ("id") ON DELETE SET NULL, hub_of_many_pos', ', hub_of_many_pos').replace(/"hub_of_many" bigint ,/, '"hub_of_many" bigint,')); }
  await c.query('ALTER TABLE leaves ADD FOREIGN KEY (hub_of_many) REFERENCES hubs(id) ON DELETE SET NULL');
  const exec = async (s: any) => {
    let n = 0; let text = s.text.replace(/\?/g, () => `$${++n}`);
    if (text.includes('sqlite_sequence')) { const t = /name = '(\w+)'/.exec(text)![1]; return c.query(`ALTER SEQUENCE ${t}_id_seq RESTART WITH 1`); }
    if (/^SELECT \* FROM \(SELECT/.test(text) && text.includes('ORDER BY own, pos')) text = text.replace('FROM (', 'FROM (').replace(') WHERE own', ') AS z WHERE own');
    const r = await c.query(text, s.params);
    const m = /^INSERT INTO (\w+) \(id\) VALUES/.exec(text); if (m) await c.query(`SELECT setval('${m[1]}_id_seq', (SELECT max(id) FROM ${m[1]}))`);
    return r; };
  const tx: any = { dialect: pgDialect(' FOR NO KEY UPDATE'), all: async (s: any) => (await exec(s)).rows, get: async (s: any) => (await exec(s)).rows[0], run: async (s: any) => ({ changes: (await exec(s)).rowCount ?? 0 }) };
  return { ...tx, transaction: async (w: any) => { await c.query('BEGIN'); try { const r = await w(tx); await c.query('COMMIT'); return r; } catch (e) { await c.query('ROLLBACK'); throw e; } },
    close: async () => { await c.end(); await admin.query(`DROP DATABASE "${name}"`); await admin.end(); } };
}
export async function openMy(): Promise<any> {
  const name = `content_gen_rel_${process.pid}`;
  const c = await createConnection({ host: '127.0.0.1', port: 3306, user: 'root', multipleStatements: true });
  await c.query(`CREATE DATABASE \`${name}\``); await c.query(`USE \`${name}\``);
  const ddl = SCHEMA_TEXT.replaceAll('"', '`').replaceAll('integer PRIMARY KEY AUTOINCREMENT', 'bigint AUTO_INCREMENT PRIMARY KEY').replaceAll(/\binteger\b/g, 'bigint');
  await c.query('SET foreign_key_checks=0');
  for (const s of ddl.split(';').map((x) => x.trim()).filter(Boolean)) await c.query(s);
  await c.query('SET foreign_key_checks=1');
  const exec = async (s: any): Promise<any> => {
    let text = s.text;
    if (text.includes('sqlite_sequence')) { const t = /name = '(\w+)'/.exec(text)![1]; return (await c.query(`ALTER TABLE ${t} AUTO_INCREMENT = 1`))[0]; }
    if (/^SELECT \* FROM \(SELECT/.test(text) && text.includes('ORDER BY own, pos')) text = text.replace(') WHERE own', ') AS z WHERE own');
    text = text.replace('DEFAULT VALUES', '() VALUES ()');
    return (await c.execute(text, s.params))[0]; };
  const tx: any = { dialect: myDialect(), all: async (s: any) => await exec(s), get: async (s: any) => (await exec(s))[0], run: async (s: any) => ({ changes: (await exec(s)).affectedRows ?? 0 }) };
  return { ...tx, transaction: async (w: any) => { await c.query('BEGIN'); try { const r = await w(tx); await c.query('COMMIT'); return r; } catch (e) { await c.query('ROLLBACK'); throw e; } },
    close: async () => { await c.query(`DROP DATABASE \`${name}\``); await c.end(); } };
}
