import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Names that are never sources: what builds write, what is installed, and pages for people. */
const leftOut = new Set(['dist', 'node_modules', 'README.md', 'docs', 'pictures']);

/** Differs when a file at or below one of the paths does. Content counts, not times: a checkout changes those. */
export function digestOf(paths) {
  const digest = createHash('sha256').update(process.version);
  for (const path of paths) addPath(digest, path);
  return digest.digest('hex');
}

function addPath(digest, path) {
  const full = resolve(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) if (!leftOut.has(name)) addPath(digest, join(path, name));
    return;
  }
  const content = readFileSync(full);
  digest.update(`${path} ${content.length}\n`).update(content);
}

/** Whether the folder is a complete build of sources with this digest. */
export function isKept(folder, digest) {
  const mark = join(folder, '.digest');
  return existsSync(mark) && readFileSync(mark, 'utf8') === digest;
}

/** Where a build writes before {@link keep} puts it in its place: one that fails leaves the kept build as it was. */
export function draftOf(folder) {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(dirname(draft), { recursive: true });
  return draft;
}

/** Puts a complete build in its place. */
export function keep(draft, folder, digest) {
  writeFileSync(join(draft, '.digest'), digest);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}
