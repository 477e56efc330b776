import type { Address } from 'viem';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import { devPaymasterVersions } from '../../../server/dev/dev-core-config.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import type { DeployedFamilies } from '../paymaster-contracts/deploy-families.ts';

/** What an operator writes next to what he has to, which takes a protection away, or names what only he knows. */
export type ProductionSettings = {
  readonly holds?: object;
  readonly validity?: object;
  readonly tokenPayments?: object;
  readonly gateway?: object;
  readonly webhooks?: object;
  readonly chain?: object;
};

const singletonVersions: ReadonlyMap<string, string> = new Map(
  entryPointVersions.map((version: EntryPointVersion) => [devnetFamilies[version], devPaymasterVersions[version]]),
);

/** The paymaster version that stands for a family in {@link productionConfig}. */
export function versionOfFamily(family: string): string {
  const number = [...paymasterContractFamilies.keys()].indexOf(family);
  return singletonVersions.get(family) ?? `10.${number}.0`;
}

/**
 * A configuration file with what an operator has to set, as in `tollfree.example.json`, for a chain with a contract of every
 * family: all else is as shipped. The chain is asked often, since a development chain's blocks do not keep anybody waiting.
 */
export function productionConfig(devnet: Devnet, families: DeployedFamilies, settings: ProductionSettings): object {
  const { chain, gateway, ...rest } = settings;
  const price = (usd: string) => ({ sources: [{ kind: 'fixed', usd }], minimumSources: 1 });
  return {
    databaseFile: 'tollfree.db',
    masterKeyFile: 'master.key',
    // The proxy in front of the gateway, which tells who asks.
    gateway: {
      listen: '127.0.0.1:0',
      adminListen: '127.0.0.1:0',
      trustedProxies: ['127.0.0.1/32'],
      ...gateway,
    },
    grpc: { listen: 'unix:core.sock' },
    chains: [
      {
        chainId: devnet.chainId,
        name: 'Development chain',
        nodeUrls: [devnet.rpcUrl],
        paymasterContracts: [...families].map(([family, { contract }]) => ({
          version: versionOfFamily(family),
          family,
          address: contract.address satisfies Address,
          tokenRecipient: devnet.tokenRecipient,
        })),
        tokens: devnet.tokens.map(({ symbol, address, decimals }) => ({
          symbol,
          address,
          decimals,
          price: price(decimals === 6 ? '1' : '2.5'),
        })),
        nativePrice: price('2000'),
        signer: { keystoreFile: 'signer.json', passwordFile: 'password' },
        // A busy machine's node takes its time.
        callTimeoutMs: 20_000,
        pollIntervalMs: 200,
        maxFeePerGasCeiling: '200 gwei',
        maxCostPerOperation: '0.05 ether',
        ...chain,
      },
    ],
    ...rest,
  };
}
