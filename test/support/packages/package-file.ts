import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const requireHere = createRequire(import.meta.url);

/** Path of a file inside an installed package, of the tests or of the repository, read past its `exports`. */
export function packageFile(packageName: string, file: string): string {
  const roots = (requireHere.resolve.paths(packageName) ?? []).map((folder) => join(folder, packageName));
  const root = roots.find((each) => existsSync(join(each, 'package.json')));
  if (root === undefined) throw new Error(`${packageName} is not installed. Run \`npm run packages\`.`);
  return join(root, file);
}
