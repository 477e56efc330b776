import type { Hex } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { DevFile } from './dev-file.ts';

/** The lines of `dev.env`, which `node --env-file` and others read: what an application's program needs, and no more. */
export function describeEnvironment(dev: DevFile, ownerKey: Hex): string {
  const urlOf = (version: EntryPointVersion) =>
    dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === version)?.rpcUrl ?? '';
  const [token] = dev.chain.tokens;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['NODE_URL', dev.chain.rpcUrl],
    ['CHAIN_ID', String(dev.chain.chainId)],
    ['BUNDLER_URL', dev.bundlerUrl],
    ['SERVICE_URL', dev.gatewayUrl],
    ['PAYMASTER_URL', urlOf('0.8')],
    ['PAYMASTER_URL_09', urlOf('0.9')],
    ['PAYMASTER_URL_07', urlOf('0.7')],
    ['PAYMASTER_URL_06', urlOf('0.6')],
    ['CONTRACT', dev.chain.target],
    ['TOKEN', token?.address ?? ''],
    ['OWNER_KEY', ownerKey],
  ];
  const head = '# Of a running `tollfree dev`, for development only. PAYMASTER_URL is for EntryPoint 0.8.';
  return [head, ...lines.map(([name, value]) => `${name}=${value}`), ''].join('\n');
}
