import { renameSync, writeFileSync } from 'node:fs';

/** Writes the file readable by its owner only, and whole: a reader never sees half of it. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
