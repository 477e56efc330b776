// npm runs this after `npm ci` in a clone. better-sqlite3 13 has builds for Node.js 22.14 and newer, so nothing needs
// compiling there. Older Node.js needs version 12, which takes a minute to compile; npm leaves that to this script.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const home = resolve(import.meta.dirname, '../../node_modules/better-sqlite3-12');
const built = join(home, 'build/Release');
const isNeeded = Number(process.versions.napi) < 10 && existsSync(home);

if (isNeeded && !existsSync(join(built, 'better_sqlite3.node'))) {
  process.stdout.write(
    `Compiling SQLite for Node.js ${process.versions.node}: a minute or two. Node.js 22.14 and newer need no compiling.\n`,
  );
  const { status, signal, error, stderr } = spawnSync('npm', ['run', '--silent', 'install'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    const said = (stderr ?? '').trimEnd().split('\n').slice(-20).join('\n');
    process.stderr.write(`${said}\n${error?.message ?? (signal ? `Ended by ${signal}.` : '')}\n`);
    process.stderr.write(
      'SQLite could not be compiled. Install python3, make and a C++ compiler, or use Node.js 22.14 or newer.\n',
    );
    process.exit(1);
  }
  // The compiler's intermediate files are seven times as large as the result.
  for (const name of ['obj', 'obj.target', '.deps', 'sqlite3.a', 'test_extension.node']) {
    rmSync(join(built, name), { recursive: true, force: true });
  }
}
