import type { UsageItem } from '@tollfree/contract/usage';
import { csvText } from './csv-text.ts';

/** Has the browser save usage as a CSV file. */
export function saveCsv(name: string, keyTitle: string, rows: readonly UsageItem[]): void {
  const address = URL.createObjectURL(new Blob([csvText(keyTitle, rows)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
