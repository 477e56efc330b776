import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { P256, PublicKey, Signature, WebAuthnP256 } from 'ox';
import { toSafeSmartAccount } from 'permissionless/accounts';
import {
  type Address,
  type HashTypedDataParameters,
  type Hex,
  hashMessage,
  hashTypedData,
  http,
  type SignableMessage,
  toHex,
  zeroAddress,
} from 'viem';
import {
  createBundlerClient,
  createPaymasterClient,
  type PaymasterActions,
  type SmartAccount,
  type WebAuthnAccount,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { deployMetaMask } from '../support/accounts/deploy-metamask.ts';
import { landByService } from '../support/accounts/land-by-service.ts';
import {
  openSafe7579,
  safe141Contracts,
  safe150Contracts,
  safe7579Contracts,
} from '../support/accounts/matrix-accounts.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { type ClientLab, chainClient, expectSponsored, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

const owners = (count: number) => Array.from({ length: count }, () => privateKeyToAccount(freshKey()));
const plain = { retryCount: 0 };

/** Takes raised limits out of an answer. */
const sdkPaymaster = () => createPaymaster(createSponsorClient({ url: lab.paymaster('0.7').rpcUrl }));
/** Takes none. */
const viemPaymaster = () => createPaymasterClient({ transport: http(lab.paymaster('0.7').rpcUrl, plain) });

function clientOf(account: SmartAccount, paymaster: () => PaymasterActions = sdkPaymaster) {
  return createBundlerClient({
    account,
    client: chainClient(lab.devnet),
    transport: http(lab.bundler.url, plain),
    paymaster: paymaster(),
    pollingInterval: 20,
  });
}

async function openSafe(version: '1.4.1' | '1.5.0', count: number) {
  await (version === '1.4.1' ? safe141Contracts : safe150Contracts)(lab.devnet);
  return toSafeSmartAccount({ client: chainClient(lab.devnet), owners: owners(count), version });
}

async function landTwice(account: SmartAccount) {
  const client = clientOf(account);
  for (let nth = 0; nth < 2; nth += 1) {
    await expectSponsored(lab, '0.7', account.address, 'permissionless', async () => {
      const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
      return client.waitForUserOperationReceipt({ hash });
    });
  }
}

/** Sends two operations whose limits the service chooses, which it asks for with this signature. */
async function landTwiceByService(account: SmartAccount, stub: (account: SmartAccount) => Promise<Hex>) {
  for (let nth = 0; nth < 2; nth += 1) await landByService(lab, '0.7', { account }, stub);
}
const sponsorshipInfo = { webhookData: {}, smartAccountInfo: { name: 'SAFE', version: '1.4.1' } };

describe.each(['1.4.1', '1.5.0'] as const)('a Safe %s that all its owners sign for', (version) => {
  test.each([1, 2, 3, 12])('lands with %i owners, with the limits of the service', async (count) => {
    await landTwiceByService(await openSafe(version, count), (account) => account.getStubSignature());
  });

  test.each([1, 3, 12])('lands with %i owners, if its client sends no signature to estimate with', async (count) => {
    await landTwiceByService(await openSafe(version, count), async () => '0x');
  });

  test.each([3, 12])('lands with %i owners, with the limits of a bundler that saw one signature', async (count) => {
    await landTwice(await openSafe(version, count));
  });
});

test('limits that pay for one signature are refused to a client that takes none out of an answer', async () => {
  const account = await openSafe('1.4.1', 12);
  const sending = clientOf(account, viemPaymaster).sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
  await expect(sending).rejects.toThrow(
    /verificationGasLimit is \d+ gas, with which the operation fails\. It needs about \d+/,
  );
});

test('limits that pay for one signature are refused with what is needed, where the answer has no limits', async () => {
  const account = await openSafe('1.4.1', 12);
  await landTwice(account);
  const prepared = await clientOf(account).prepareUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
  const sponsor = createSponsorClient({ url: lab.paymaster('0.7').rpcUrl });
  const askWith = (verificationGasLimit: bigint) => {
    const { callGasLimit, preVerificationGas } = prepared;
    const limits = { callGasLimit: BigInt(callGasLimit), preVerificationGas: BigInt(preVerificationGas) };
    const operation = { ...prepared, ...limits, verificationGasLimit } as never;
    return sponsor.sponsorUserOperation(operation, { mode: 'SPONSORED', sponsorshipInfo, calculateGasLimits: false });
  };
  // The answer to viem's client was raised to this by the service.
  const needed = BigInt(prepared.verificationGasLimit);
  const refusal = {
    reason: 'ESTIMATION_FAILED',
    field: 'verificationGasLimit',
    details: { needed: expect.anything() },
  };
  await expect(askWith(needed - 11n * 7_000n)).rejects.toMatchObject(refusal);
  expect((await askWith(needed)).verificationGasLimit).toBe(needed);
});

describe('a Safe7579 that all its owners sign for', () => {
  const open = async (count: number) => {
    await safe7579Contracts(lab.devnet);
    return openSafe7579(lab.devnet, { owners: owners(count) });
  };

  test.each([2, 3, 5, 12])('lands with %i owners', async (count) => {
    await landTwice(await open(count));
  });
});

describe("MetaMask's accounts", () => {
  const setPolicy = (policy: object) =>
    lab.service.managementOf(lab.authToken).setPolicy({ apiKey: lab.paymaster('0.7').apiKey, policy });
  // Their contracts are not at their public addresses here.
  beforeAll(() => setPolicy({ accounts: 'ANY' }));
  afterAll(() => setPolicy({}));

  const openMultiSig = async (count: number) => {
    const signers = owners(count);
    return toMetaMaskSmartAccount({
      client: chainClient(lab.devnet),
      implementation: Implementation.MultiSig,
      deployParams: [signers.map(({ address }) => address), BigInt(count)],
      deploySalt: '0x',
      signer: signers.map((account) => ({ account })),
      environment: await deployMetaMask(lab.devnet),
    });
  };

  test.each([3, 12])('of %i signers that all sign lands', async (count) => {
    await landTwice(await openMultiSig(count));
  });

  test('with a passkey lands', async () => {
    const privateKey = P256.randomPrivateKey();
    const { x, y } = P256.getPublicKey({ privateKey });
    const keyId = toHex('key');
    const webAuthnAccount = passkeyAccount(privateKey);
    const account = await toMetaMaskSmartAccount({
      client: chainClient(lab.devnet),
      implementation: Implementation.Hybrid,
      deployParams: [zeroAddress, [keyId], [BigInt(x)], [BigInt(y)]],
      deploySalt: '0x',
      signer: { webAuthnAccount, keyId },
      environment: await deployMetaMask(lab.devnet),
    });
    await landTwice(account);
  });
});

/** viem's account of a passkey that a program holds. */
function passkeyAccount(privateKey: Hex): WebAuthnAccount {
  const sign = async ({ hash }: { hash: Hex }) => {
    const { metadata, payload } = WebAuthnP256.getSignPayload({
      challenge: hash,
      origin: 'https://shop.example',
      rpId: 'shop.example',
    });
    const signature = P256.sign({ payload, privateKey, hash: true });
    return { signature: Signature.toHex(signature).slice(0, 130) as Hex, webauthn: metadata, raw: {} as never };
  };
  return {
    id: 'key' as Hex,
    type: 'webAuthn' as const,
    publicKey: PublicKey.toHex(P256.getPublicKey({ privateKey }), { includePrefix: false }),
    sign,
    signMessage: ({ message }: { message: SignableMessage }) => sign({ hash: hashMessage(message) }),
    signTypedData: (parameters) => sign({ hash: hashTypedData(parameters as HashTypedDataParameters) }),
  };
}

type Frame = { readonly to?: Address; readonly input: Hex; readonly gasUsed: Hex; readonly calls?: readonly Frame[] };

/** Gas of the account's `validateUserOp` in the transaction. */
async function validationGas(hash: Hex, account: Address): Promise<number> {
  const top = await lab.devnet.client.request<{ Method: string; Parameters: unknown[]; ReturnType: Frame }>({
    method: 'debug_traceTransaction',
    params: [hash, { tracer: 'callTracer' }],
  });
  const find = (frame: Frame): Frame | undefined =>
    frame.to?.toLowerCase() === account.toLowerCase() && frame.input.startsWith('0x19822f7c')
      ? frame
      : (frame.calls ?? []).map(find).find((found) => found !== undefined);
  const frame = find(top);
  if (frame === undefined) throw new Error('The transaction validates nothing.');
  return Number(frame.gasUsed);
}

test('a further owner costs a Safe less than is added for one, and not much less', async () => {
  const gasOf = async (count: number) => {
    const account = await openSafe('1.4.1', count);
    const client = clientOf(account);
    // The operation that creates the account has written its owners' slots, so it reads them for less.
    await landTwice(account);
    const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, 'increment')] });
    const { receipt } = await client.waitForUserOperationReceipt({ hash });
    return validationGas(receipt.transactionHash, account.address);
  };
  const perOwner = ((await gasOf(12)) - (await gasOf(2))) / 10;
  expect(perOwner).toBeLessThan(7_000);
  expect(perOwner).toBeGreaterThan(5_600);
});
