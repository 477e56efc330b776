import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({
  version: z.string(),
  license: z.string(),
  devDependencies: z.record(z.string(), z.string()),
});

/** What `tollfree dev` runs or reads at runtime: the node, the code of contracts, and the chain with other gas prices. */
const isNeeded = (name: string) =>
  /^@(foundry-rs|ethereumjs|safe-global|account-abstraction)\//.test(name) || name === '@pimlico/mock-paymaster';

/**
 * Lays out the optional package of `tollfree dev`, with no code of its own: in the service's versions it brings what is
 * too large, or has another license, to be part of the service.
 */
export function layOutDevelopmentChain(repository: string, folder: string): void {
  const { version, license, devDependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')),
  );
  const manifest = {
    name: '@tollfree/development-chain',
    version,
    description: 'What `tollfree dev` needs next to the package tollfree',
    license,
    dependencies: Object.fromEntries(Object.entries(devDependencies).filter(([name]) => isNeeded(name))),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(
    join(folder, 'README.md'),
    '# @tollfree/development-chain\n\nInstall it next to `tollfree` of the same version: then `tollfree dev` starts a chain on your machine.\n',
  );
  copyFileSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'));
  // With its table of sources and licenses.
  cpSync(join(repository, 'server/dev/account-contracts'), join(folder, 'account-contracts'), { recursive: true });
}
