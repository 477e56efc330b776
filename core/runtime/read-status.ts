import type { PartStatus } from '../domain/operations/service-operations.ts';
import { contractsOf } from '../node/followed-chain.ts';
import type { ChainRuntime } from '../sponsorship/run/sponsorship-parts.ts';
import type { WatchedStore } from './watch-writes.ts';

/** `Core.status`: the store, each chain, and the paymaster contracts that were stopped at start. */
export async function readStatus(
  store: WatchedStore,
  chains: ReadonlyMap<number, ChainRuntime>,
): Promise<readonly PartStatus[]> {
  const faults = new Map([...chains].map(([chainId, chain]) => [chainId, chain.watcher.fault() ?? unanswered(chain)]));
  const someChainWorks = [...faults.values()].includes(undefined);
  const parts: PartStatus[] = [await storeStatus(store), ...(await leaderOf(store))];
  for (const [chainId, chain] of chains) {
    const fault = faults.get(chainId);
    parts.push({
      part: `chain ${chainId}`,
      ready: fault === undefined,
      detail: fault ?? 'the node responds',
      ...(someChainWorks ? { optional: true } : {}),
    });
    parts.push(...nodesOfOtherChains(chainId, chain), ...partialNodes(chainId, chain), ...bundlerOf(chainId, chain));
    parts.push(...signersOf(chainId, chain, chains.size > 1));
    parts.push(...stoppedContracts(chainId, chain), ...missingPrice(chainId, chain));
    if (fault === undefined) parts.push(...contractsBehind(chainId, chain));
  }
  return parts;
}

/** Which of several processes keeps the ledger. Whether it is up to date is reported per chain. */
async function leaderOf({ leadership }: WatchedStore): Promise<readonly PartStatus[]> {
  if (!leadership.isShared) return [];
  const leader = (await leadership.leader().catch(() => undefined)) ?? 'an unknown process';
  const detail = leadership.leads() ? `kept by ${leader}, this process` : `kept by ${leader}`;
  return [{ part: 'ledger', ready: true, detail, optional: true }];
}

/** Nodes of another chain, which are not asked. Whether others can reach the chain is reported for the chain. */
function nodesOfOtherChains(chainId: number, { guards = [] }: ChainRuntime): readonly PartStatus[] {
  return guards.flatMap((guard, index) => {
    const other = guard.otherChain();
    if (other === undefined) return [];
    const detail = `it is a node of chain ${other} and is not asked`;
    return [{ part: `node ${index + 1} of chain ${chainId}`, ready: false, detail, optional: true }];
  });
}

/** A needed method that no node of the chain answers. */
function unanswered({ nodes = () => [] }: ChainRuntime): string | undefined {
  const [first, ...others] = nodes();
  const method = first?.unanswered.find((each) => others.every((other) => other.unanswered.includes(each)));
  return method === undefined ? undefined : `no node answers ${method}`;
}

/** Nodes that answer only some methods. */
function partialNodes(chainId: number, { nodes = () => [] }: ChainRuntime): readonly PartStatus[] {
  return nodes().flatMap((node, index) => {
    if (node.unanswered.length === 0) return [];
    const detail = `it does not answer ${node.unanswered.join(', ')}`;
    return [{ part: `node ${index + 1} of chain ${chainId}`, ready: false, detail, optional: true }];
  });
}

/** Without it the service works, with only its own estimates. */
function bundlerOf(chainId: number, { bundlerFault, bundler }: ChainRuntime): readonly PartStatus[] {
  if (bundlerFault === undefined) return [];
  const fault = bundlerFault();
  const without =
    bundler === undefined
      ? 'with only the service’s own estimates'
      : 'clients cannot send operations, and estimates are only the service’s own';
  const detail = fault === undefined ? 'the bundler responds' : `degraded, ${without}: ${fault}`;
  const part = `bundler of chain ${chainId}`;
  return [
    { part, ready: fault === undefined, detail, optional: true },
    ...(bundler?.refused() ?? []).map((refused) => ({
      part: `${part} and paymaster ${refused.paymaster}`,
      ready: false,
      detail: `bundler ${refused.bundler} refuses its operations (${refused.code}); another one is asked first`,
      optional: true as const,
    })),
  ];
}

/** Remote keys. A chain whose key does not sign is no reason to stop a service that signs for others. */
function signersOf(chainId: number, { contracts }: ChainRuntime, hasOthers: boolean): readonly PartStatus[] {
  const signers = new Set(
    [...contracts.values()].flatMap(({ signer, fault }) => (fault === undefined ? [signer] : [])),
  );
  return [...signers].flatMap(({ address, backends }) => {
    if (backends === undefined) return [];
    const fault = backends.fault();
    const complaint = backends.complaint();
    return [
      {
        part: `signer ${address} of chain ${chainId}`,
        ready: complaint === undefined,
        detail: fault ?? (complaint === undefined ? 'it signs' : `degraded: ${complaint}`),
        ...(fault === undefined || hasOthers ? { optional: true } : {}),
      },
    ];
  });
}

function stoppedContracts(chainId: number, chain: ChainRuntime): readonly PartStatus[] {
  return [...chain.contracts.values()].flatMap(({ version, fault }) =>
    fault === undefined
      ? []
      : [{ part: `paymaster version ${version} on chain ${chainId}`, ready: false, detail: fault, optional: true }],
  );
}

/** What counts in USD or is paid in tokens is refused meanwhile; everything else is signed. */
function missingPrice(chainId: number, { coinPrice }: ChainRuntime): readonly PartStatus[] {
  const fault = coinPrice.fault?.();
  if (fault === undefined) return [];
  const detail = `degraded, limits and budgets in USD and payment in tokens are refused: ${fault}`;
  return [{ part: `price of the coin of chain ${chainId}`, ready: false, detail, optional: true }];
}

/** Contracts whose ledger is behind, while others follow. */
function contractsBehind(chainId: number, chain: ChainRuntime): readonly PartStatus[] {
  const addresses = new Set(contractsOf(chain).map(({ location }) => location.address));
  return [...addresses].flatMap((address) => {
    const detail = chain.watcher.faultOf(address);
    if (detail === undefined) return [];
    return [
      { part: `ledger of paymaster contract ${address} on chain ${chainId}`, ready: false, detail, optional: true },
    ];
  });
}

async function storeStatus(store: WatchedStore): Promise<PartStatus> {
  try {
    await store.db.selectFrom('contract_watches').select('chain_id').limit(1).execute();
  } catch {
    return { part: 'store', ready: false, detail: 'the database does not respond' };
  }
  const fault = await store.writeFault();
  return { part: 'store', ready: fault === undefined, detail: fault ?? 'the database responds' };
}
