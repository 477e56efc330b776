import { createSmartAccountClient } from 'permissionless';
import { to7702SimpleSmartAccount } from 'permissionless/accounts';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Address, type Hex, http, maxUint256 } from 'viem';
import { createBundlerClient, createPaymasterClient, type SmartAccount } from 'viem/account-abstraction';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { approveCall, targetCall } from '../support/chain/chain-lab.ts';
import { delegatingAccount, signDelegation } from '../support/chain/eip7702-lab.ts';
import type { SendingAccount } from '../support/published-clients/sending-clients.ts';
import { readTokenRate, tokenBound } from '../support/published-clients/token-bound.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';
import type { BundlerLab } from './bundler-lab.ts';

const plain = { retryCount: 0 };
type Calls = { to: Address; data: Hex }[];
type Client = { sendUserOperation(request: { calls: Calls; authorization?: Delegation }): Promise<Hex> };
type Delegation = Awaited<ReturnType<typeof signDelegation>>;
/** A client of an account, with what the paymaster is told. */
type OpenClient = (account: SmartAccount, context: object | undefined) => Client;

/** viem's client with a SimpleAccount. */
export async function openViem(lab: BundlerLab, version: EntryPointVersion): Promise<SendingAccount> {
  const account = await simpleAccount(lab.devnet, version);
  return sending(lab, version, (context) => viemClient(lab, version)(account, context), account.address);
}

/** viem's client with its EIP-7702 account: an owner's own address, which delegates in its first operation. */
export async function openDelegatingViem(lab: BundlerLab): Promise<SendingAccount> {
  const owner = privateKeyToAccount(freshKey());
  const account = await delegatingAccount(lab.devnet, lab.delegate, owner);
  return delegating(lab, owner, account, viemClient(lab, '0.8'));
}

/** permissionless's client with its EIP-7702 account, which sends an authorization and no marker. */
export async function openDelegatingPermissionless(lab: BundlerLab): Promise<SendingAccount> {
  const { devnet, delegate, bundler } = lab;
  const owner = privateKeyToAccount(freshKey());
  const client = chainClient(devnet);
  const account = await to7702SimpleSmartAccount({ client, owner, accountLogicAddress: delegate });
  return delegating(lab, owner, account, (smartAccount, context) =>
    createSmartAccountClient({
      account: smartAccount,
      chain: devnet.client.chain,
      bundlerTransport: http(bundler.url, plain),
      paymaster: pimlicoAt(lab, '0.8', lab.paymaster('0.8').rpcUrl),
      ...(context === undefined ? {} : { paymasterContext: context }),
      userOperation: { estimateFeesPerGas: () => feesOf(lab) },
    }),
  );
}

function viemClient(lab: BundlerLab, version: EntryPointVersion): OpenClient {
  return (account, context) =>
    createBundlerClient({
      account,
      client: chainClient(lab.devnet),
      transport: http(lab.bundler.url, plain),
      paymaster: createPaymasterClient({ transport: http(lab.paymaster(version).rpcUrl, plain) }),
      ...(context === undefined ? {} : { paymasterContext: context }),
      userOperation: { estimateFeesPerGas: () => feesOf(lab) },
    });
}

/**
 * What alto asks for gas. viem would double what the node suggests, and on a chain that has no other transactions the node
 * suggests what the last bundle had: it would soon be far above the chain's price.
 */
async function feesOf(lab: BundlerLab) {
  return (await pimlicoAt(lab, '0.8', lab.bundler.url).getUserOperationGasPrice()).fast;
}

function pimlicoAt({ devnet }: BundlerLab, version: EntryPointVersion, url: string) {
  const entryPoint = { address: devnet.entryPoints[version], version };
  return createPimlicoClient({ transport: http(url, plain), entryPoint });
}

/** Adds the owner's authorization as long as its address has no code. */
function delegating(lab: BundlerLab, owner: PrivateKeyAccount, account: SmartAccount, open: OpenClient) {
  const { devnet, delegate } = lab;
  const openDelegating = (context: object | undefined): Client => ({
    async sendUserOperation({ calls }) {
      const isDelegated = delegateOf(await devnet.client.getCode({ address: owner.address })) !== undefined;
      const delegation = isDelegated ? {} : { authorization: await signDelegation(devnet, owner, delegate) };
      return open(account, context).sendUserOperation({ calls, ...delegation });
    },
  });
  return sending(lab, '0.8', openDelegating, owner.address);
}

function sending(
  lab: BundlerLab,
  version: EntryPointVersion,
  open: (context: object | undefined) => Client,
  sender: Address,
): SendingAccount {
  const { devnet, bundler } = lab;
  const increment = targetCall(devnet, 'increment');
  return {
    sender,
    initCode: '0x',
    sponsored: () => open(undefined).sendUserOperation({ calls: [increment] }),
    async paid(token) {
      const { rpcUrl: url, address: spender } = lab.paymaster(version);
      const rate = await readTokenRate(devnet, { url, version, token: token.address });
      const calls = [approveCall(token, spender, maxUint256), increment];
      const hash = await open({ token: token.address }).sendUserOperation({ calls });
      return { hash, quoted: await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, rate) };
    },
  };
}
