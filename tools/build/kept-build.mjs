import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Names that are never sources: build output, installed packages, and Markdown pages. */
const leftOut = new Set(['dist', 'node_modules', 'README.md', 'docs', 'pictures']);

/**
 * A digest of all files at or below the paths. It uses contents, not times, which a checkout changes. What is built does not
 * depend on the Node.js that builds it.
 */
export function digestOf(paths) {
  const digest = createHash('sha256');
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

/** The folder a build writes to before {@link keep} moves it into place: a failed build leaves the kept one unchanged. */
export function draftOf(folder) {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(dirname(draft), { recursive: true });
  return draft;
}

/** Moves a complete build into place. */
export function keep(draft, folder, digest) {
  writeFileSync(join(draft, '.digest'), digest);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}
