import { Implementation, toMetaMaskSmartAccount } from '@metamask/smart-accounts-kit';
import { type Address, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deployMetaMask } from '../support/accounts/deploy-metamask.ts';
import { bundler, incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

const plain = { retryCount: 0 };

type Environment = Awaited<ReturnType<typeof deployMetaMask>>;

/** An owner's own address that has delegated to this code, and MetaMask's account for it (EIP-7702). */
async function openAccount(environment: Environment, delegate: Address) {
  const { client: chain } = lab.devnet;
  const owner = privateKeyToAccount(freshKey());
  // The kit has no operation for it: its account has to be there before the first one.
  const delegation = await signDelegation(lab.devnet, owner, delegate);
  const sent = { account: bundler, chain: chain.chain, to: owner.address, authorizationList: [delegation] } as const;
  await chain.waitForTransactionReceipt({ hash: await chain.sendTransaction({ ...sent, gas: 200_000n }) });
  const client = chainClient(lab.devnet);
  const account = await toMetaMaskSmartAccount({
    client,
    implementation: Implementation.Stateless7702,
    address: owner.address,
    signer: { account: owner },
    environment,
  });
  return createBundlerClient({
    account,
    client,
    transport: http(lab.bundler.url, plain),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster('0.7').rpcUrl, plain) }),
    pollingInterval: 20,
  });
}

test.each([1, 2])("sponsored operations of MetaMask's EIP-7702 account with %i calls land", async (calls) => {
  const { devnet } = lab;
  const environment = await deployMetaMask(devnet);
  const delegate = environment.implementations.EIP7702StatelessDeleGatorImpl;
  if (delegate === undefined) throw new Error('The kit has deployed no account for EIP-7702.');
  const client = await openAccount(environment, delegate);
  const { address } = client.account;
  const increments = Array.from({ length: calls }, () => targetCall(devnet, 'increment'));
  for (let nth = 0; nth < 2; nth += 1) {
    const hash = await client.sendUserOperation({ calls: increments });
    const receipt = await client.waitForUserOperationReceipt({ hash });
    expect(receipt).toMatchObject({ success: true, paymaster: lab.paymaster('0.7').address });
  }
  expect(await incrementsOf(devnet, address)).toBe(BigInt(2 * calls));
  expect(await devnet.client.getBalance({ address })).toBe(0n);
});
