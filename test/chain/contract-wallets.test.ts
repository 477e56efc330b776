import { omitAbsent } from '@tollfree/contract/omit-absent';
import { toSafeSmartAccount } from 'permissionless/accounts';
import { concat, hashMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept } from '../../core/domain/result/result.ts';
import type { AskContractWallet } from '../../core/domain/sign-in.ts';
import { askContractWallet } from '../../core/node/ask-contract-wallet.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { deploySafe } from '../../server/dev/devnet/deploy-safe.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { bundler } from '../support/chain/chain-lab.ts';
import { accepted, refusalOf, startManagement, type TestManagement } from '../support/core/start-management.ts';
import { openPaymaster } from '../support/service/chain-paymaster.ts';
import { chainClient } from '../support/service/client-lab.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

type Safe = Awaited<ReturnType<typeof newSafe>>;
const origin = 'https://gas.example.org';
const forged = 'SIGN_IN_SIGNATURE_NOT_ACCEPTED: Signature does not match the wallet in the message';

let service: RunningService;
let devnet: Devnet;
beforeAll(async () => {
  service = await startService({});
  devnet = service.devnet;
  await deploySafe(devnet.client, bundler);
});
afterAll(() => service.close());

/** A Safe 1.4.1 of one owner, on no chain yet. */
async function newSafe() {
  const owners = [privateKeyToAccount(generatePrivateKey())] as [ReturnType<typeof privateKeyToAccount>];
  return toSafeSmartAccount({ client: chainClient(devnet), owners, version: '1.4.1' });
}

async function deploy(safe: Safe): Promise<void> {
  const { factory, factoryData } = await safe.getFactoryArgs();
  if (factory === undefined || factoryData === undefined) throw new Error('The Safe is there already.');
  const hash = await devnet.client.sendTransaction({ account: bundler, chain: null, to: factory, data: factoryData });
  await devnet.client.waitForTransactionReceipt({ hash });
}

/** Two chains with one node behind them: an address has the same code on both. */
const otherChain = 31_338;
function askEither(): AskContractWallet {
  const { chainId } = devnet;
  const nodes = { name: 'test', nodeUrls: [devnet.rpcUrl], callTimeoutMs: 5_000, pollIntervalMs: 100 };
  const client = createChainClient({ chainId, ...nodes });
  return async (question) =>
    [chainId, otherChain].includes(question.chainId) ? askContractWallet(client, question) : accept(undefined);
}

async function signIn(
  { management }: TestManagement,
  safe: Pick<Safe, 'address' | 'signMessage'>,
  given: { readonly chainId?: number; readonly accountId?: string } = {},
) {
  const { nonce, issuedAt } = accepted(await management.createSignInNonce());
  const { chainId = devnet.chainId, accountId } = given;
  const message = createSiweMessage({
    address: safe.address,
    chainId,
    domain: 'gas.example.org',
    nonce,
    uri: origin,
    version: '1',
    issuedAt: new Date(issuedAt * 1_000),
  });
  const signature = await safe.signMessage({ message });
  return management.signInWithWallet({
    message,
    signature,
    origin,
    client: '203.0.113.7',
    ...omitAbsent({ accountId }),
  });
}

const opened = () => startManagement({ signUp: 'open', askContractWallet: askEither() });

describe('a Safe', () => {
  test('signs in before it is deployed (ERC-6492) and afterwards (ERC-1271), to the same account', async () => {
    const management = await opened();
    const safe = await newSafe();
    const first = accepted(await signIn(management, safe));
    expect(first.identity).toMatchObject({ wallet: safe.address, chainId: devnet.chainId, role: 'owner' });
    await deploy(safe);
    const second = accepted(await signIn(management, safe));
    expect(second.identity.accountId).toBe(first.identity.accountId);
  });

  test('does not sign in with the signature of another Safe, nor with one of its owner for another contract', async () => {
    const management = await opened();
    const [safe, other] = [await newSafe(), await newSafe()];
    await deploy(safe);
    expect(refusalOf(await signIn(management, { ...other, address: safe.address }))).toBe(forged);
    expect(refusalOf(await signIn(management, { ...safe, address: other.address }))).toBe(forged);
  });

  test('signs in only on chains of the service', async () => {
    const safe = await newSafe();
    expect(refusalOf(await signIn(await opened(), safe, { chainId: 5 }))).toMatch(/^CONTRACT_WALLET_NOT_SUPPORTED/);
  });

  test('is a member on the chain that it was invited on, and nothing on another chain', async () => {
    const management = await opened();
    const owner = await newSafe();
    const { accountId } = accepted(await signIn(management, owner)).identity;
    const safe = await newSafe();
    accepted(
      await management.management.addMember({
        accountId,
        wallet: safe.address,
        role: 'viewer',
        chainId: devnet.chainId,
      }),
    );
    const elsewhere = { chainId: otherChain, accountId };
    expect(refusalOf(await signIn(management, safe, elsewhere))).toMatch(/^NOT_A_MEMBER/);
    const own = accepted(await signIn(management, safe, { chainId: otherChain }));
    expect(own.identity.accountId).not.toBe(accountId);
    const switched = await management.management.switchAccount({ session: own.session, accountId });
    expect(refusalOf(switched)).toMatch(/^NOT_A_MEMBER/);
    const invited = { wallet: safe.address, chainId: otherChain };
    expect(accepted(await management.management.listMemberships(invited))).toHaveLength(1);
    expect(accepted(await signIn(management, safe, { accountId })).identity.role).toBe('viewer');
  });

  test('is not the wallet with a private key that was invited without a chain', async () => {
    const management = await opened();
    const { accountId } = accepted(await signIn(management, await newSafe())).identity;
    const safe = await newSafe();
    accepted(await management.management.addMember({ accountId, wallet: safe.address, role: 'owner' }));
    expect(refusalOf(await signIn(management, safe, { accountId }))).toMatch(/^NOT_A_MEMBER/);
  });

  test('becomes a funding wallet by signing on the paymaster’s chain, another one’s signature is refused', async () => {
    const { management, apiKey, paymasterId } = await openPaymaster(service, '0.7');
    const [safe, other] = [await newSafe(), await newSafe()];
    const { fundingMessage } = await management.createFundingMessage({ apiKey, paymasterId });
    const given = { apiKey, paymasterId, address: safe.address };
    const forgery = await other.signMessage({ message: fundingMessage });
    await expect(management.setFundingWallet({ ...given, signature: forgery })).rejects.toThrow('Invalid signature');
    await deploy(safe);
    const signature = await safe.signMessage({ message: fundingMessage });
    await expect(management.setFundingWallet({ ...given, signature })).resolves.toMatchObject({ paymasterId });
  });
});

test('a plain key’s signature in a form of its own is no contract’s: one consent has one signature', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const message = 'text';
  const signature = await wallet.sign({ hash: hashMessage(message) });
  // v of 0 or 1 in place of 27 or 28, which the validator of ERC-6492 takes too.
  const bare = concat([signature.slice(0, -2) as `0x${string}`, signature.endsWith('1b') ? '0x00' : '0x01']);
  const question = { chainId: devnet.chainId, wallet: wallet.address, message };
  expect(accepted(await askEither()({ ...question, signature }))).toBe(false);
  expect(accepted(await askEither()({ ...question, signature: bare }))).toBe(false);
});

test('a node that does not answer is a refusal, and no verdict', async () => {
  const nodes = { name: 'test', nodeUrls: ['http://127.0.0.1:9'], callTimeoutMs: 500, pollIntervalMs: 100 };
  const client = createChainClient({ chainId: 1, ...nodes });
  const question = { chainId: 1, wallet: bundler.address, message: 'text', signature: '0x1234' } as const;
  expect(refusalOf(await askContractWallet(client, question))).toMatch(/^CHAIN_UNAVAILABLE/);
});
