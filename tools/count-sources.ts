import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';

// `npm run count:sources`: the amount of handwritten, shipped source code.

const product = ['contract', 'proto', 'core', 'gateway', 'server', 'clients'];
const extensions = new Set(['.ts', '.tsx', '.mjs', '.proto', '.sol', '.css']);
const isGenerated = (path: string) => path.startsWith('proto/') || path.includes('.generated.');

const paths = execFileSync('git', ['ls-files', ...product], { encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\n')
  .filter((path) => extensions.has(extname(path)) && !isGenerated(path));
const files = paths.map((path) => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n') }));

/** Lines of import statements, including multi-line ones. */
function importLines({ lines }: (typeof files)[number]): number {
  const text = lines.join('\n');
  return [...text.matchAll(/^import\b[^;]*;/gm)].reduce((sum, [found]) => sum + found.split('\n').length, 0);
}

const sizes = files.map(({ lines }) => lines.length).sort((one, other) => one - other);
const inFolder = new Map<string, number>();
for (const { path } of files) inFolder.set(dirname(path), (inFolder.get(dirname(path)) ?? 0) + 1);

const rows: readonly (readonly [string, number])[] = [
  ['lines', sizes.reduce((sum, size) => sum + size, 0)],
  ['files', files.length],
  ['median lines of a file', sizes[Math.floor(sizes.length / 2)] ?? 0],
  ['files under 15 lines', sizes.filter((size) => size < 15).length],
  ['files over 300 lines', sizes.filter((size) => size > 300).length],
  ['import lines', files.reduce((sum, file) => sum + importLines(file), 0)],
  ['folders with one file', [...inFolder.values()].filter((count) => count === 1).length],
];
for (const [name, value] of rows) process.stdout.write(`${String(value).padStart(8)}  ${name}\n`);
