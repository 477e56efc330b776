import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Puts the package of the compiled SDK into the service, which serves it at `/sdk.tgz`.

const root = resolve(import.meta.dirname, '../..');
const built = resolve(root, process.argv[2] ?? 'dist');
mkdirSync(built, { recursive: true });
const draft = mkdtempSync(join(built, 'sdk-'));
const args = ['pack', '--workspace', 'clients/sdk', '--ignore-scripts', '--silent', '--pack-destination', draft];
execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const [tarball] = readdirSync(draft);
if (tarball === undefined) throw new Error('npm made no package of clients/sdk.');
renameSync(join(draft, tarball), join(built, 'sdk.tgz'));
rmSync(draft, { recursive: true });
