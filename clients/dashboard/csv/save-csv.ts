import { saveFile } from './save-file.ts';

/** Lets the browser download a text as a CSV file. */
export function saveCsv(name: string, text: string): void {
  saveFile(name, 'text/csv', text);
}
