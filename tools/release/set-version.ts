import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '../run-step.ts';
import { packageFolders, readManifest, root } from './packages.ts';

/** The heading of an entry before its release. */
const unreleased = 'not released yet';

/** The version suffix between two releases, so that no build of the sources claims to be the last release. */
const inWork = '-dev';

/**
 * `npm run release:version -- 1.2.3`: sets the release version in the packages, the lock file, the chart, the changelog and
 * the protocol image. `1.3.0-dev`, after it, sets the next version in the packages and the lock file.
 *
 * @throws Error when the changelog has no entry for it, or lacks a change.
 */
const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) throw new Error('Give the version: npm run release:version -- 1.2.3');
const isRelease = !version.endsWith(inWork);

const waiting = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md') && name !== 'README.md');
if (isRelease && waiting.length > 0) {
  throw new Error(`The changelog lacks changes. Sum up .changeset/${waiting.join(', ')} there and delete the files.`);
}
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const heading = `## ${isRelease ? version : version.slice(0, -inWork.length)} – ${unreleased}`;
if (!changelog.includes(heading)) throw new Error(`CHANGELOG.md has no entry "${heading}". Write it first.`);

const { version: before } = readManifest('.');
const keys = ['version', ...packageFolders.map((folder) => readManifest(folder).name)];
for (const folder of packageFolders) {
  const file = join(root, folder, 'package.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    keys.reduce((changed, key) => changed.replace(`"${key}": "${before}"`, `"${key}": "${version}"`), text),
  );
}
const chart = join(root, 'deploy/helm/tollfree/Chart.yaml');
writeFileSync(chart, readFileSync(chart, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`));
if (isRelease) {
  const dated = changelog.replace(heading, `## ${version} – ${new Date().toISOString().slice(0, 10)}`);
  writeFileSync(join(root, 'CHANGELOG.md'), dated);
}
const lockOnly = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
const held = await runStep('lock file', 'npm', lockOnly);
const imaged = held && (!isRelease || (await runStep('protocol image', 'npm', ['run', '--silent', 'release:image'])));
process.exit(imaged ? 0 : 1);
