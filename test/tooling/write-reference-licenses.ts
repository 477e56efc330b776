import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { installBeside } from './beside/install-beside.ts';
import { referenceLicenses } from './build/add-reference.ts';
import { renderLicenses } from './build/list-licenses.ts';

/** What Scalar's own build says of its script. */
const statsSchema = z.object({ modules: z.array(z.object({ name: z.string() })) });
const installedSchema = z.object({
  version: z.string(),
  devDependencies: z.object({ '@scalar/api-reference': z.string() }),
});

/**
 * `npm run reference:licenses`: writes the licences of the packages in Scalar's script. To be run when the version of
 * `@scalar/fastify-api-reference` changes. The packages are installed into the machine's temporary folder.
 */
const packageFile = resolve('node_modules/@scalar/fastify-api-reference/package.json');
const { version, devDependencies } = installedSchema.parse(JSON.parse(readFileSync(packageFile, 'utf8')));
const reference = { name: '@scalar/api-reference', version: devDependencies['@scalar/api-reference'] };
const home = installBeside(reference);
if (home === undefined)
  throw new Error('npm could not install @scalar/api-reference. Check the connection and try again.');
const { modules } = statsSchema.parse(JSON.parse(readFileSync(join(home, 'dist/browser/webpack-stats.json'), 'utf8')));
const names = modules.flatMap(({ name }) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1] ?? []);
const folders = [...new Set([reference.name, ...names])].map((name) => join(home, '../..', name));
const licenses = renderLicenses(folders.filter((folder) => existsSync(join(folder, 'package.json'))));
writeFileSync(referenceLicenses, `Packages in the script of @scalar/fastify-api-reference ${version}\n\n${licenses}\n`);
