import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { packAll, version } from '../../test/support/packages/pack.ts';
import { packageFolders, readManifest, root } from './packages.ts';

const sbomSchema = z.looseObject({
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
});

/**
 * `npm run release:pack`: builds everything published into the folder `release`: the packages, an SBOM of the service
 * (CycloneDX), and checksums. In GitHub's workflow the tag must match the version.
 */
const folder = join(root, 'release');
const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository } = process.env;
if (tag !== undefined && tag !== `v${version}`) {
  throw new Error(`The tag ${tag} is not of version ${version}. Run npm run release:version first.`);
}
const strangers = packageFolders.filter(
  (each) =>
    repository !== undefined && readManifest(each).repository?.url !== `git+https://github.com/${repository}.git`,
);
if (strangers.length > 0) {
  throw new Error(
    `npm proves where a package was built by its "repository". Set it in ${strangers.join(', ')}/package.json.`,
  );
}

mkdirSync(folder, { recursive: true });
const { contract, sdk, service, developmentChain } = await packAll(folder, { isRelease: true });
const sbom = join(folder, `tollfree-${version}.cdx.json`);
const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
});
const list = sbomSchema.parse(JSON.parse(text));
const installed = new Set(list.components.map((component) => component['bom-ref']));
list.components.push(...bundledComponents().filter((component) => !installed.has(component['bom-ref'])));
// npm uses the folder's name.
list.metadata.component.name = readManifest('.').name;
writeFileSync(sbom, `${JSON.stringify(list, null, 2)}\n`);
const files = [contract, sdk, service, developmentChain, sbom].map((file) => resolve(file));
const sums = files.map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}`);
writeFileSync(join(folder, 'SHA256SUMS'), `${sums.join('\n')}\n`);
process.stdout.write(`${sums.join('\n')}\n`);

/** Bundled packages, which npm does not install: from the list of their licenses. */
function bundledComponents() {
  const licenses = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  return [...licenses.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(([, name = '', version = '']) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }));
}
