import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable only by its owner. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
