import { type Address, formatEther, getAddress, isAddress } from 'viem';
import type { BundlerExposure } from '../../../core/domain/chain-config.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { createEndpoint } from '../../../core/node/rpc/create-endpoint.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { configuredContracts } from '../../paymaster-contract/configured-contract.ts';
import { type Check, type Finding, type Findings, findingsAbout } from '../finding.ts';

export function checkRelay(chain: ChainSection, client: ChainClient, signers: readonly Address[]): readonly Check[] {
  const { bundler } = chain;
  if (bundler?.relay === undefined) return [];
  const { executors, url = bundler.url[0] } = bundler.relay;
  if (url === undefined) return [];
  const about = `chain ${chain.chainId}, relay`;
  const wallets = executors.map((one) => getAddress(one));
  return [
    { about, run: () => checkBalances(client, wallets, about) },
    { about, run: async () => checkKeys(wallets, signers, about) },
    { about, run: () => checkOwner(url, wallets, about) },
  ];
}

/** Each sends its own bundles: an empty one blocks those that alto assigns to it. */
async function checkBalances(client: ChainClient, executors: readonly Address[], about: string): Promise<Findings> {
  const find = findingsAbout(about);
  return Promise.all(
    executors.map(async (executor) => {
      const [balance, code] = await Promise.all([
        client.getBalance({ address: executor }),
        client.getCode({ address: executor }),
      ]);
      if (code !== undefined && code !== '0x' && !code.startsWith('0xef0100')) {
        return find.failure(
          'executor-contract',
          `${executor} is a contract, which cannot send bundles.`,
          'List the addresses of the bundler’s executor keys in bundler.relay.executors.',
        );
      }
      if (balance > 0n) return find.ok('executor', `${executor} has ${formatEther(balance)} of the chain’s coin.`);
      return find.warning(
        'executor-empty',
        `${executor} has no coin and can send nothing.`,
        'Send it coin from a funding wallet, whose tank it fills, or as the operator.',
      );
    }),
  );
}

/** A shared key would let anyone who can sign with it spend the executors' coin, and use its nonces from two places. */
function checkKeys(executors: readonly Address[], signers: readonly Address[], about: string): readonly Finding[] {
  const find = findingsAbout(about);
  return executors
    .filter((executor) => signers.includes(executor))
    .map((executor) =>
      find.failure(
        'executor-signer',
        `${executor} is an executor and signs for the chain’s paymaster contracts, too.`,
        'Give the bundler executor keys of its own.',
      ),
    );
}

const maxMetricsBytes = 5 * 1024 * 1024;
const timeoutMs = 5_000;

/** Only the bundler's metrics show its wallets; alto lists them once it watches their balances. */
async function checkOwner(url: string, executors: readonly Address[], about: string): Promise<Findings> {
  const find = findingsAbout(about);
  const page = await readMetrics(url);
  const unknown = find.ok(
    'executor-unknown',
    'The bundler does not show its executors. Compare its executor keys with bundler.relay.executors yourself.',
  );
  if (page === undefined) return unknown;
  const named = new Set(
    [...page.matchAll(/^alto_executor_wallet_balance\{[^}]*wallet="(0x[0-9a-fA-F]{40})"/gm)].map(([, one = '']) =>
      isAddress(one, { strict: false }) ? getAddress(one) : one,
    ),
  );
  if (named.size > 0) return compareNames(executors, named, find);
  const total = /^alto_executor_wallets_total_count(?:\{[^}]*\})? (\d+)/m.exec(page)?.[1];
  if (total === undefined) return unknown;
  if (Number(total) === executors.length) return find.ok('executor-count', `The bundler has ${total} executors, too.`);
  return find.warning(
    'executor-other',
    `The bundler has ${total} executors, the configuration ${executors.length}.`,
    'List the address of each executor key of the bundler in bundler.relay.executors. What others pay is in no tank and no ledger.',
  );
}

function compareNames(
  executors: readonly Address[],
  named: ReadonlySet<string>,
  find: ReturnType<typeof findingsAbout>,
): Findings {
  const strange = executors.filter((one) => !named.has(one));
  const missing = [...named].filter((one) => !executors.some((executor) => executor === one));
  if (strange.length + missing.length === 0) return find.ok('executor-owner', 'The executors are the bundler’s.');
  return [
    ...strange.map((one) =>
      find.failure(
        'executor-other',
        `${one} is not an executor of the bundler.`,
        'Remove it from bundler.relay.executors: its coin covers tanks, and no bundle can spend it.',
      ),
    ),
    ...missing.map((one) =>
      find.failure(
        'executor-other',
        `${one} is an executor of the bundler and not in the configuration.`,
        'Add it to bundler.relay.executors. What it pays is in no tank and no ledger.',
      ),
    ),
  ];
}

async function readMetrics(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!answer.ok || Number(answer.headers.get('content-length') ?? 0) > maxMetricsBytes) return undefined;
    const text = await answer.text();
    return text.length > maxMetricsBytes ? undefined : text;
  } catch {
    return undefined;
  }
}

export function checkBundler(chain: ChainSection): readonly Check[] {
  const { url: urls = [], expose = 'NONE' } = chain.bundler ?? {};
  return urls.map((url, index) => {
    const about = `chain ${chain.chainId}, bundler${urls.length === 1 ? '' : ` ${index + 1}`}`;
    return { about, run: () => lookAt(chain, { url, expose }, about) };
  });
}

async function lookAt(
  chain: ChainSection,
  { url, expose }: { readonly url: string; readonly expose: BundlerExposure },
  about: string,
): Promise<readonly Finding[]> {
  const find = findingsAbout(about);
  // The service works without its estimates, but operations that clients send have no alternative.
  const findBad = expose === 'NONE' ? find.warning : find.failure;
  const endpoint = createEndpoint(url, chain.callTimeoutMs);
  const ask = (method: string) => endpoint.ask({ method, params: [] }).catch(() => undefined);
  const [chainId, supported] = await Promise.all([ask('eth_chainId'), ask('eth_supportedEntryPoints')]);
  if (!Array.isArray(supported)) {
    const remedy =
      expose === 'NONE'
        ? 'Check that bundlerUrl belongs to a bundler (ERC-7769). Meanwhile the service uses its own estimates; remove bundlerUrl to always do so.'
        : 'Check that bundler.url belongs to a bundler (ERC-7769). Clients cannot send operations before it responds. To send them elsewhere, set bundler.expose to NONE.';
    return [findBad('bundler-silent', 'It does not report which EntryPoints it supports.', remedy)];
  }
  const theirs = new Set(supported.map((address) => String(address).toLowerCase()));
  const missing = configuredContracts(chain).filter(({ entryPoint }) => !theirs.has(entryPoint.toLowerCase()));
  const findings: Finding[] = [];
  if (typeof chainId === 'string' && Number(chainId) !== chain.chainId) {
    findings.push(
      find.failure(
        'bundler-other-chain',
        `It is a bundler of chain ${Number(chainId)}.`,
        'Give the chain a bundlerUrl (or bundler.url) of its own.',
      ),
    );
  }
  for (const { version, entryPoint } of missing) {
    const message = `It does not support the EntryPoint ${entryPoint} of the contract ${version}.`;
    const remedy =
      expose === 'NONE'
        ? 'Use another bundler; the limits of this one are not used for the contract.'
        : 'Use another bundler, or have this one support the EntryPoint. It does not take operations of the contract.';
    findings.push(findBad('bundler-entry-point', message, remedy));
  }
  return findings.length > 0 ? findings : [find.ok('bundler', 'It supports the EntryPoints of the chain.')];
}
