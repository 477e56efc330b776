import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, type Chain, createPublicClient, type Hex, http, type LocalAccount, numberToHex } from 'viem';
import { createBundlerClient, createPaymasterClient, entryPoint08Address } from 'viem/account-abstraction';
import { type CreateConnectorFn, createConnector } from 'wagmi';

type SentCalls = {
  readonly calls: readonly { readonly to: Address; readonly data?: Hex; readonly value?: Hex }[];
  readonly capabilities?: { readonly paymasterService?: { readonly url: string; readonly context?: unknown } };
};
type Accounts<detailed> = detailed extends true
  ? readonly { readonly address: Address; readonly capabilities: Record<string, unknown> }[]
  : readonly Address[];
type Parts = {
  readonly owner: LocalAccount;
  readonly chain: Chain;
  readonly nodeUrl: string;
  readonly bundlerUrl: string;
};
type Asked = { readonly method: string; readonly params?: readonly unknown[] };

/** A wallet in a program: a smart account with EIP-5792 that uses the given paymaster service (ERC-7677). */
export function smartWallet(of: Parts): CreateConnectorFn {
  const { chain } = of;
  const client = createPublicClient({ chain, transport: http(of.nodeUrl) });
  const entryPoint = { address: entryPoint08Address, version: '0.8' } as const;
  const opening = toSimpleSmartAccount({ client, owner: of.owner, entryPoint });
  const open = async () =>
    createBundlerClient({ account: await opening, client, transport: http(of.bundlerUrl), pollingInterval: 100 });

  async function send({ calls, capabilities: { paymasterService } = {} }: SentCalls): Promise<{ id: Hex }> {
    const wallet = await open();
    const id = await wallet.sendUserOperation({
      calls: calls.map(({ to, data = '0x', value = '0x0' }) => ({ to, data, value: BigInt(value) })),
      ...(paymasterService && {
        paymaster: createPaymasterClient({ transport: http(paymasterService.url) }),
        paymasterContext: paymasterService.context,
      }),
    });
    return { id };
  }

  async function readStatus(id: Hex): Promise<object> {
    const head = { version: '2.0.0', id, chainId: numberToHex(chain.id), atomic: true };
    const found = await (await open()).getUserOperationReceipt({ hash: id }).catch(() => undefined);
    if (found === undefined) return { ...head, status: 100 };
    const { blockHash, blockNumber, gasUsed, transactionHash } = found.receipt;
    const { success, logs } = found;
    const status = numberToHex(success ? 1 : 0);
    const numbers = { blockNumber: numberToHex(blockNumber), gasUsed: numberToHex(gasUsed) };
    const receipts = [{ logs, status, blockHash, transactionHash, ...numbers }];
    return { ...head, status: success ? 200 : 500, receipts };
  }

  async function request({ method, params: [first] = [] }: Asked): Promise<unknown> {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [(await opening).address];
    if (method === 'eth_chainId') return numberToHex(chain.id);
    if (method === 'wallet_getCapabilities')
      return { [numberToHex(chain.id)]: { paymasterService: { supported: true } } };
    if (method === 'wallet_sendCalls') return send(first as SentCalls);
    if (method === 'wallet_getCallsStatus') return readStatus(first as Hex);
    throw Object.assign(new Error(`The wallet does not support ${method}.`), { code: 4200 });
  }

  const getAccounts = async () => [(await opening).address];
  return createConnector(() => ({
    id: 'smart-wallet',
    name: 'Smart wallet',
    type: 'smart-wallet',
    connect: async <detailed extends boolean = false>() => ({
      // Nothing here requests the detailed form.
      accounts: (await getAccounts()) as unknown as Accounts<detailed>,
      chainId: chain.id,
    }),
    disconnect: async () => undefined,
    getAccounts,
    getChainId: async () => chain.id,
    getProvider: async () => ({ request }),
    isAuthorized: async () => true,
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => undefined,
  }));
}
