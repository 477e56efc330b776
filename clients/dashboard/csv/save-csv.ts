import { saveFile } from './save-file.ts';

/** Has the browser save a text as a CSV file. */
export function saveCsv(name: string, text: string): void {
  saveFile(name, 'text/csv', text);
}
