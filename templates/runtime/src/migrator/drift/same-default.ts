/** Compares the default of a column with its text in a catalogue. */
import type { StoredColumn, StoredType } from '../../contract/stored-table.ts';
import type { DialectName } from '../../database/dialect.ts';

/** The default of a NOT NULL column that has none in the schema: SQLite requires one to add the column to a table. */
const NOTHING: Readonly<Record<StoredType, string>> = {
  id: '0',
  string: '',
  text: '',
  integer: '0',
  biginteger: '0',
  float: '0',
  decimal: '0',
  boolean: '0',
  date: '1970-01-01',
  time: '00:00:00.000',
  datetime: '1970-01-01T00:00:00.000Z',
  json: 'null',
  position: '0',
};

/** A number without insignificant zeros. */
function plainNumber(text: string): string {
  if (!/^[+-]?\d+(?:\.\d+)?$/u.test(text)) return String(Number(text));
  const [whole = '', part = ''] = text.replace(/^\+/u, '').split('.');
  const fraction = part.replace(/0+$/u, '');
  const digits = whole.replace(/^(?<sign>-?)0+(?=\d)/u, '$<sign>');
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/** A moment in milliseconds since 1970; engines omit the time zone, or trailing zeros. */
function instant(text: string): string {
  const iso = text.replace(' ', 'T').replace(/(?<zone>[+-]\d\d)$/u, '$<zone>:00');
  return String(Date.parse(/(?:Z|[+-]\d\d:\d\d)$/u.test(iso) ? iso : `${iso}Z`));
}

/** Maps texts with the same meaning to the same text. */
function canonical(type: StoredType, text: string): string {
  switch (type) {
    case 'id':
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
    case 'position':
      return plainNumber(text);
    case 'boolean':
      return /^(?:1|t|true)$/iu.test(text) ? '1' : '0';
    case 'datetime':
      return instant(text);
    case 'time':
      return text.includes('.') ? text.replace(/\.?0+$/u, '') : text;
    case 'string':
    case 'text':
    case 'date':
    case 'json':
      return text;
  }
}

/** The content of a quoted string; undefined if the text is not one. */
function unquoted(text: string, hasEscapes: boolean): string | undefined {
  const inside = /^'(?<inside>(?:[^']|'')*)'$/su.exec(hasEscapes ? text.replaceAll(String.raw`\'`, "''") : text);
  const value = inside?.groups?.['inside']?.replaceAll("''", "'");
  if (!hasEscapes || value === undefined) return value;
  const controls: Readonly<Record<string, string>> = {
    n: '\n',
    r: '\r',
    t: '\t',
    b: '\b',
    f: '\f',
    0: '\0',
    Z: '\x1a',
  };
  return value.replaceAll(/\\(?<escaped>[\s\S])/gu, (_, escaped: string) => controls[escaped] ?? escaped);
}

/** The possible values of a default in a catalogue: several, as MySQL and MariaDB show it in different ways. */
function readings(dialect: DialectName, shown: string): readonly string[] {
  switch (dialect) {
    case 'sqlite':
      return [unquoted(shown, false) ?? shown];
    case 'postgres': {
      const bare = shown
        .replace(/(?:::[a-z][a-z ]*(?:\([\d,]+\))?(?: with(?:out)? time zone)?)+$/u, '')
        .replace(/^\((?<inside>.*)\)$/su, '$<inside>');
      return [(bare.startsWith('E') ? unquoted(bare.slice(1), true) : unquoted(bare, false)) ?? bare];
    }
    case 'mysql': {
      // MariaDB shows the expression, MySQL the value or an expression with escaped quotes.
      const expression = /^_utf8mb4\\'(?<inside>.*)\\'$/su.exec(shown)?.groups?.['inside'];
      const quoted = unquoted(shown, true);
      const all = [expression && unquoted(`'${expression}'`, true), quoted, unquoted(shown, false), shown];
      return all.filter((one) => one !== undefined);
    }
  }
}

/** Both MariaDB and MySQL show characters beyond U+FFFF as question marks: as four of them, or as one. */
const LOST_CHARACTERS = ['????', '?'];

/** The texts with which a catalogue may show a default. */
function writings(dialect: DialectName, text: string): readonly string[] {
  if (dialect !== 'mysql') return [text];
  return [text, ...LOST_CHARACTERS.map((marks) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, marks))];
}

/** Whether a column has the default that it should have. `shown`: the default in the catalogue. */
export function isSameDefault(dialect: DialectName, column: StoredColumn, shown: string | undefined): boolean {
  const { type, nullable, default: given } = column;
  const isOptional = dialect === 'sqlite' && !nullable && given === undefined;
  const wanted = given ?? (isOptional ? NOTHING[type] : undefined);
  if (shown === undefined) return given === undefined;
  if (wanted === undefined) return /^\(?null\b/iu.test(shown);
  const expected = new Set(writings(dialect, canonical(type, String(wanted))));
  return readings(dialect, shown).some((one) => expected.has(canonical(type, one)));
}
