/** What a table can hold on the chosen engines. */
import { reportError } from '../diagnostics/report.ts';
import type { Report } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Attribute, ContentType, Dialect, ScalarType } from './content-model.ts';

const maxColumns: Readonly<Record<Dialect, number>> = { sqlite: 2000, postgres: 1600, mysql: 1017 };
/** Of MySQL: secondary indexes of a table, and bytes of a row without its texts. */
const maxIndexes = 64;
const maxRowSize = 65_535;

/** The columns that a table may have beside those of its attributes. */
const ownColumns = 7;
const ownIndexes = 2;

const indexedTexts = new Set<ScalarType>(['email', 'uid', 'enumeration', 'password']);

interface Cost {
  readonly columns: number;
  readonly indexes: number;
  /** Bytes of the row on MySQL. */
  readonly bytes: number;
}

function costOf(attribute: Attribute): Cost {
  switch (attribute.kind) {
    case 'scalar': {
      const isShort = indexedTexts.has(attribute.type) || (attribute.unique && attribute.type !== 'integer');
      // A text that can be indexed has up to 255 characters of four bytes; a longer one is kept beside the row.
      return { columns: 1, indexes: attribute.unique || attribute.type === 'uid' ? 1 : 0, bytes: isShort ? 1022 : 30 };
    }
    case 'media':
      return attribute.multiple ? { columns: 0, indexes: 0, bytes: 0 } : { columns: 1, indexes: 1, bytes: 8 };
    case 'relation': {
      const isKey = attribute.owner && !attribute.many && attribute.relation !== 'morphToOne';
      return isKey ? { columns: 2, indexes: 1, bytes: 16 } : { columns: 0, indexes: 0, bytes: 0 };
    }
    case 'component':
    case 'dynamiczone':
      return { columns: 1, indexes: 0, bytes: 12 };
  }
}

function sum(costs: readonly Cost[], key: keyof Cost): number {
  return costs.reduce((total, cost) => total + cost[key], 0);
}

/** Reports a type whose table would be too large for one of `databases`. */
export function checkLimits(report: Report, databases: readonly Dialect[], type: ContentType): void {
  const { uid, location } = type;
  const costs = type.attributes.map(costOf);
  const hint = 'divide it into several types, or put attributes into components';
  const columns = ownColumns + sum(costs, 'columns');
  const narrow = databases.find((database) => columns > maxColumns[database]);
  if (narrow !== undefined) {
    const message = `the table of ${named(uid)} has ${columns} columns, ${narrow} allows ${maxColumns[narrow]}`;
    reportError(report, { code: 'limit/columns', message, location, hint });
  }
  if (!databases.includes('mysql')) return;
  const indexes = ownIndexes + sum(costs, 'indexes');
  if (indexes > maxIndexes) {
    const message = `the table of ${named(uid)} has ${indexes} indexes, mysql allows ${maxIndexes}`;
    reportError(report, {
      code: 'limit/indexes',
      message,
      location,
      hint: 'have fewer unique attributes and relations',
    });
  }
  const bytes = sum(costs, 'bytes') + 2100;
  if (bytes > maxRowSize) {
    const message = `a row of ${named(uid)} has about ${bytes} bytes, mysql allows ${maxRowSize}`;
    reportError(report, { code: 'limit/row-size', message, location, hint });
  }
}
