import type { Address } from 'viem';

/** What the load is made against. The service of an older commit says less, which is left out then. */
export type BenchTarget = {
  readonly rpcUrl: string;
  readonly target: Address;
  readonly token: Address;
  readonly tokens?: readonly Address[];
  readonly paymaster: Address;
  readonly entryPoint: Address;
  /** SimpleAccounts that are on chain. */
  readonly senders: readonly Address[];
  /** The processes of the chain's node and of the service, for what each takes of a processor. */
  readonly nodePid?: number | undefined;
  readonly servicePid?: number;
  /** A gateway's, where the service is split. */
  readonly gatewayPid?: number | undefined;
  /** Cores at the same database, each with a gateway in its process. */
  readonly others?: readonly { readonly rpcUrl: string; readonly pid?: number | undefined }[];
  readonly adminUrl?: string;
  /** How its paymaster is managed. */
  readonly account?: { readonly url: string; readonly authToken: string; readonly apiKey: string };
  readonly nodeUrl?: string;
  readonly paymasterSigner?: Address;
};

/** What a service keeps after a collection, in bytes, and how many timers, sockets and other handles it has open. */
export type KeptMemory = { readonly heapUsed: number; readonly external: number; readonly handles: number };

/** A service's memory, and the processor time of its longest event loop turn since the last answer, in milliseconds. */
export type WatchedService = KeptMemory & { readonly longestTurnMs: number };

/** The processes that make up the service. */
export function servicePids({ servicePid, gatewayPid, others = [] }: BenchTarget): readonly number[] {
  return [servicePid, gatewayPid, ...others.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
}
