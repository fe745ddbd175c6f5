/** The order of tables in an export. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TransferTable } from '../../contract/content-transfer.ts';
import { planSections } from './sections.ts';

/** References between tables: to an earlier one, they may be required. */
const references = fc.array(fc.record({ from: fc.nat({ max: 7 }), to: fc.nat({ max: 7 }), required: fc.boolean() }), {
  maxLength: 16,
});

it('has what rows require before them, whatever else they refer to, and each column once', () => {
  fc.assert(
    fc.property(references, fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }), (edges, order) => {
      const tables = order.map((from): TransferTable => ({
        name: `t${from}`,
        key: ['id'],
        columns: [
          { name: 'id', type: 'key' },
          ...edges.flatMap((edge, index) => {
            if (edge.from !== from) return [];
            const isRequired = edge.required && edge.to < from;
            return [
              {
                name: `c${index}`,
                type: 'key',
                references: `t${edge.to}`,
                ...(isRequired && ({ required: true } as const)),
              } as const,
            ];
          }),
        ],
      }));
      const exported = new Set<string>();
      for (const { table, columns, fills } of planSections(tables)) {
        for (const { references: to, required } of columns) {
          if (required) expect(fills).toBe(false);
          if (to !== undefined) expect(exported).toContain(to);
        }
        exported.add(table);
      }
      const names = planSections(tables).flatMap(({ table, columns, fills }) =>
        columns.flatMap(({ name }) => (fills && name === 'id' ? [] : [`${table}.${name}`])),
      );
      expect(names.toSorted()).toEqual(
        tables.flatMap(({ name, columns }) => columns.map((one) => `${name}.${one.name}`)).toSorted(),
      );
    }),
  );
});
