import type { Hex } from 'viem';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { type DevFile, defaultEntryPointVersion } from './dev-file.ts';

/** Index of the funded key with which setup programs fill gas tanks: `tollfree dev` sends nothing with it. */
const fundingKeyNumber = 4;

/** The lines of `dev.env`, for `node --env-file` and similar: what the SDK's example programs need. */
export function describeEnvironment(dev: DevFile, ownerKey: Hex): string {
  const urlOf = (version: EntryPointVersion) =>
    dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === version)?.rpcUrl ?? '';
  const [token] = dev.chain.tokens;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['NODE_URL', dev.chain.rpcUrl],
    ['CHAIN_ID', String(dev.chain.chainId)],
    ['BUNDLER_URL', dev.bundlerUrl],
    ['SERVICE_URL', dev.gatewayUrl],
    ['AUTH_TOKEN', dev.authToken],
    ['PAYMASTER_URL', urlOf(defaultEntryPointVersion)],
    ...entryPointVersions.map((version) => [`PAYMASTER_URL_${version.replace('.', '')}`, urlOf(version)] as const),
    ['CONTRACT', dev.chain.target],
    ['TOKEN', token?.address ?? ''],
    ['ACCOUNT_FACTORY', dev.chain.accountFactories[defaultEntryPointVersion]],
    ['OWNER_KEY', ownerKey],
    ['FUNDING_KEY', dev.chain.fundedKeys[fundingKeyNumber] ?? ''],
  ];
  const head = `# Written by a running \`tollfree dev\`, for development only. PAYMASTER_URL is for EntryPoint ${defaultEntryPointVersion}.`;
  return [head, ...lines.map(([name, value]) => `${name}=${value}`), ''].join('\n');
}
