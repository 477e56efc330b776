import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFolders, readManifest } from '../../tools/release/packages.ts';

test('the packages have the version of the newest entry in the changelog, with -dev until its release', () => {
  const [, newest, state] = /^## (\S+) – (.+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const version = state === 'not released yet' ? `${newest}-dev` : newest;
  expect(packageFolders.map((folder) => readManifest(folder).version)).toEqual(packageFolders.map(() => version));
  const chart = readFileSync('deploy/helm/tollfree/Chart.yaml', 'utf8');
  expect([...chart.matchAll(/^(?:version|appVersion): (.+)$/gm)].map(([, said]) => said)).toEqual([version, version]);
});
