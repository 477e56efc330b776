import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

let version: string | undefined;

/** The program's version, from its package. */
export function readVersion(): string {
  version ??= read();
  return version;
}

function read(): string {
  // By package name, since the compiled file is in another folder.
  const text = readFileSync(createRequire(import.meta.url).resolve('tollfree/package.json'), 'utf8');
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed ? String(parsed.version) : 'unknown';
}
