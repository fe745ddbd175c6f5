/** The action of a foreign key when the row that it refers to is deleted. */
import type { ForeignKey } from '../../storage/storage-model.ts';

const ACTIONS: Readonly<Record<ForeignKey['onDelete'], string>> = {
  cascade: 'CASCADE',
  restrict: 'RESTRICT',
  setNull: 'SET NULL',
};

export function onDelete({ onDelete: rule }: ForeignKey): string {
  return `ON DELETE ${ACTIONS[rule]}`;
}
