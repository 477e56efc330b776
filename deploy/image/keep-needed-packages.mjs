// Removes from ./node_modules what the compiled program in ./dist does not load: most of its packages are in its files
// already. Run where both are, after `npm ci`.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

/** @type {{ packages: Record<string, { link?: boolean, dependencies?: object, optionalDependencies?: object, peerDependencies?: object }> }} */
const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));

/** Code without the lines of its comments, which have imports as examples. */
function codeOf(file) {
  return readFileSync(file, 'utf8').replaceAll(/^\s*(\*|\/\/|\/\*).*$/gm, '');
}

// What runs in a browser has its packages in its files, and examples that name others.
const forBrowsers = join('clients', 'dashboard', 'dist');
const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.js') && !name.startsWith(forBrowsers),
);
// Where files were put together a function may have got a number.
const imports = files.flatMap((name) =>
  [
    ...codeOf(join('dist', name)).matchAll(
      /\b(?:from|import|(?:require|resolve)(?:\$\d+)?)\s*\(?\s*["']([@a-z][^"'\s]*)["']/g,
    ),
  ].map(([, from]) => from),
);
/** Of the two releases of better-sqlite3 that an install has the program loads the one that this Node.js takes. */
const [ofSqlite, otherSqlite] = Number(process.versions.napi) >= 10 ? ['', '-12'] : ['-12', ''];
const named = imports.map((from) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from);
const wanted = [...new Set(named)].filter(
  (name) => name !== `better-sqlite3${otherSqlite}` && !isBuiltin(name) && existsSync(join('node_modules', name)),
);

if (!wanted.includes(`better-sqlite3${ofSqlite}`))
  throw new Error('The compiled program does not name what it loads SQLite from.');

/** Where Node.js finds a package from another one: next to it or above it. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const location = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[location] !== undefined) return location;
    if (folder === '') return undefined;
  }
}

const kept = new Set();
const open = wanted.map((name) => placeOf(name, '')).filter((location) => location !== undefined);
for (let location = open.pop(); location !== undefined; location = open.pop()) {
  if (kept.has(location)) continue;
  kept.add(location);
  const { dependencies, optionalDependencies, peerDependencies } = packages[location];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = placeOf(name, location);
    if (found !== undefined) open.push(found);
  }
}

for (const location of Object.keys(packages)) {
  // Types are for compilers, also where a package names them as something it needs.
  const isNeeded = kept.has(location) && !location.includes('node_modules/@types/');
  if (location.startsWith('node_modules/') && !isNeeded) rmSync(location, { recursive: true, force: true });
}
// Sources of SQLite, and its builds for other machines.
const sqlite = `node_modules/better-sqlite3${ofSqlite}`;
for (const name of ['deps', 'src', 'build/Release/obj']) rmSync(join(sqlite, name), { recursive: true, force: true });
const builds = join(sqlite, 'prebuilds');
// Of the two C libraries of Linux only glibc tells its version.
const isMusl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
const ownBuild = `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}.node`;
for (const name of existsSync(builds) ? readdirSync(builds) : []) {
  if (name !== ownBuild) rmSync(join(builds, name));
}
rmSync('node_modules/.bin', { recursive: true, force: true });
process.stdout.write(`The program loads ${wanted.sort().join(', ')}: ${kept.size} packages are kept.\n`);
