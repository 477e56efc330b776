import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { askPassword } from '../../clients/cli/terminal/prompts.ts';
import { readNamedFile, readPassword } from '../../clients/cli/terminal/read-file.ts';
import { Secret } from '../../core/base/values/secret.ts';
import type { RelayConfig, VendorConfig } from '../../core/domain/chain-config.ts';
import type { ChainConfig, CoreConfig, ExplorerConfig } from '../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import type { EthSignConfig, KeyConfig, LocalKeyConfig, SignerConfig } from '../../core/domain/signer-config.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { VendorSection } from './chain-part-schemas.ts';
import type { ChainSection } from './chain-schema.ts';
import type { Config } from './config-schema.ts';
import { signerTimeoutMs } from './fixed-settings.ts';
import { databaseOf } from './load-config.ts';
import { readExplorerKey, readMasterKey, readSignerToken, readVendorUrl } from './secret-files.ts';
import type { KeySection, SignerSection } from './signer-schema.ts';

/**
 * The core's configuration: the file's settings with the contents of its secret files. Asks at the terminal for a keystore
 * password that no file has. Throws a `CliError` for what is missing.
 */
export async function toCoreConfig(config: Config): Promise<CoreConfig> {
  const { masterKeyFile, chains } = config;
  const database = databaseOf(config);
  if (masterKeyFile === undefined) throw missing('masterKeyFile');
  if (chains === undefined) throw missing('chains');
  const coreChains: ChainConfig[] = [];
  // Sequentially: each may ask for a password.
  for (const chain of chains) coreChains.push(await toChainConfig(chain));
  return {
    database,
    masterKey: readMasterKey(masterKeyFile),
    previousMasterKeys: config.previousMasterKeyFiles.map(readMasterKey),
    chains: coreChains,
    webhooks: config.webhooks,
    validity: config.validity,
    decisions: config.decisions,
    auditLog: omitAbsent(config.auditLog),
    ledger: omitAbsent(config.ledger),
    signUp: config.dashboard.signUp,
    operators: config.dashboard.operators,
    holds: config.holds,
    tokenPayments: config.tokenPayments,
  };
}

function missing(name: string): Error {
  return mistake(`${name} is missing in the configuration. Name a configuration file with --config.`);
}

async function toChainConfig(chain: ChainSection): Promise<ChainConfig> {
  const {
    accounts,
    bundler,
    allowedBundlers,
    explorer,
    explorerPageUrl,
    maxFeePerGasCeiling,
    maxCostPerOperation,
    sequencerUptime,
    startBlock,
    hotWallet,
    vendor,
    ...others
  } = chain;
  if (chain.paymasterContracts.length === 0) {
    throw mistake(
      `The chain ${chain.chainId} has no paymasterContracts in the configuration, so nothing can be signed on it. Name one.`,
    );
  }
  const { signer, signers = signer === undefined ? [] : [signer], ...rest } = others;
  const opened: SignerConfig[] = [];
  // Sequentially: each may ask for a password.
  for (const section of signers) opened.push(await toSignerConfig(section, chain.chainId));
  const wallet = hotWallet && (await toLocalKey(hotWallet.wallet, `the hot wallet of chain ${chain.chainId}`));
  const [newest, ...previousSigners] = opened;
  if (newest === undefined) throw missing(`The signer of chain ${chain.chainId}`);
  return {
    ...rest,
    entryPoints: entryPointsOf(chain),
    signer: newest,
    previousSigners,
    startBlock: BigInt(startBlock),
    ...omitAbsent({
      accounts,
      bundler: bundler && { urls: bundler.url, expose: bundler.expose, asksForLimits: bundler.asksForLimits },
      allowedBundlers,
      relay: bundler?.relay && toRelay(chain, bundler),
      explorer: explorer && toExplorer(explorer),
      explorerPageUrl,
      sequencerUptime,
      maxFeePerGasCeiling: maxFeePerGasCeiling === 'none' ? undefined : maxFeePerGasCeiling,
      maxCostPerOperation: maxCostPerOperation === 'none' ? undefined : maxCostPerOperation,
      vendor: vendor && toVendor(vendor),
      hotWallet: hotWallet && wallet && omitAbsent({ ...hotWallet, wallet }),
    }),
  };
}

/** If the chain's contracts use only one EntryPoint, it need not be named. */
function toRelay(chain: ChainSection, { url, relay }: NonNullable<ChainSection['bundler']>): RelayConfig | undefined {
  const [firstUrl] = url;
  if (relay === undefined || firstUrl === undefined) return undefined;
  const versions = Object.keys(entryPointsOf(chain)) as EntryPointVersion[];
  const [only] = versions;
  const entryPoint = relay.entryPoint ?? (versions.length === 1 ? only : undefined);
  if (entryPoint !== undefined && versions.includes(entryPoint)) {
    return { kind: relay.kind, executors: relay.executors, url: relay.url ?? firstUrl, entryPoint };
  }
  throw mistake(
    `bundler.relay.entryPoint of chain ${chain.chainId} must be one of the versions that the chain's paymasterContracts use: ${versions.join(', ')}.`,
  );
}

/** The second paymaster of a chain, with its URL, which only the core sees. */
export function toVendor({ url, urlFile, budget, ...others }: VendorSection): VendorConfig {
  const { usdPerDay, usdPerMonth, maxSharePerClient } = budget;
  return {
    ...others,
    url: urlFile === undefined ? new Secret(url ?? '') : readVendorUrl(urlFile),
    budget: { usdMicrosPerDay: usdPerDay, usdMicrosPerMonth: usdPerMonth, maxSharePerClient },
  };
}

function toExplorer(explorer: NonNullable<ChainSection['explorer']>): ExplorerConfig {
  if (explorer.kind === 'sourcify') return explorer;
  const { apiKeyFile, ...others } = explorer;
  return { ...others, apiKey: readExplorerKey(apiKeyFile) };
}

/** The EntryPoints of the chain's paymaster contracts, at their canonical addresses unless configured otherwise. */
function entryPointsOf(chain: ChainSection): ChainConfig['entryPoints'] {
  const entryPoints: Partial<Record<EntryPointVersion, `0x${string}`>> = {};
  for (const { family } of chain.paymasterContracts) {
    const version = paymasterContractFamilies.get(family)?.entryPointVersion;
    if (version !== undefined) entryPoints[version] = chain.entryPoints[version] ?? entryPointAddresses[version];
  }
  return entryPoints;
}

/** A signing key with the contents of its files. Asks at the terminal for a keystore password that no file has. */
async function toSignerConfig({ standIns = [], ...section }: SignerSection, chainId: number): Promise<SignerConfig> {
  const first = await toKeyConfig(section, chainId);
  const others: KeyConfig[] = [];
  // Sequentially: each may ask for a password.
  for (const one of standIns) others.push(await toKeyConfig(one, chainId));
  return others.length === 0 ? first : { ...first, standIns: others };
}

async function toKeyConfig(section: KeySection, chainId: number): Promise<KeyConfig> {
  const { keystoreFile, passwordFile, ethSign, awsKms, googleKms } = section;
  if (ethSign !== undefined) return toEthSign(ethSign);
  if (awsKms !== undefined) return { kind: 'aws-kms', timeoutMs: signerTimeoutMs, ...omitAbsent(awsKms) };
  if (googleKms !== undefined) return { kind: 'google-kms', timeoutMs: signerTimeoutMs, ...omitAbsent(googleKms) };
  return toLocalKey({ keystoreFile, passwordFile }, `chain ${chainId}`);
}

/** A keystore that is opened locally. `owner` describes whose key it is. */
async function toLocalKey(
  { keystoreFile, passwordFile }: Pick<KeySection, 'keystoreFile' | 'passwordFile'>,
  owner: string,
): Promise<LocalKeyConfig> {
  const json = readNamedFile(keystoreFile ?? '', 'The keystore file');
  const password =
    passwordFile === undefined
      ? await askPassword(
          `Password of the keystore of ${owner}`,
          `The keystore of ${owner} needs a password: set its passwordFile, or start at a terminal.`,
        )
      : readPassword(passwordFile);
  return { kind: 'keystore', json, password: new Secret(password) };
}

function toEthSign({ url, address, tokenFile, caFile }: NonNullable<KeySection['ethSign']>): EthSignConfig {
  const certificateAuthority = caFile === undefined ? undefined : readNamedFile(caFile, 'The certificate file');
  if (certificateAuthority !== undefined && !certificateAuthority.includes('-----BEGIN CERTIFICATE-----')) {
    throw mistake(`The certificate file ${caFile} has no certificate in PEM.`);
  }
  const token = tokenFile === undefined ? undefined : readSignerToken(tokenFile);
  return { kind: 'eth-sign', url, address, timeoutMs: signerTimeoutMs, ...omitAbsent({ token, certificateAuthority }) };
}
