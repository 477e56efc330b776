import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { releaseImageFolder } from './find-release-image.ts';
import { bufProgram, installPackages } from './install-packages.ts';
import { runStep } from './run-step.ts';

/**
 * `npm run release:image`: stores the current protocol files as the image of the version in package.json, replacing the
 * previous one. Part of a release; between releases the check compares with this image.
 */
installPackages('test');
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
mkdirSync(releaseImageFolder, { recursive: true });
const image = `${version}.binpb`;
const built = await runStep(`protocol image of ${version}`, bufProgram, [
  'build',
  '--exclude-source-info',
  '--output',
  join(releaseImageFolder, image),
]);
const earlier = readdirSync(releaseImageFolder).filter((name) => name.endsWith('.binpb') && name !== image);
if (built) for (const name of earlier) rmSync(join(releaseImageFolder, name));
process.exit(built ? 0 : 1);
