import { encodeFunctionData, getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { approveCall, depositOf, incrementsOf, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { recordLanding } from '../support/chain/landings.ts';
import { approvedAhead } from '../support/paymaster-contracts/biconomy-lab.ts';
import { mintTo } from '../support/paymaster-contracts/send-sponsored.ts';
import {
  biconomyPaymasterClients,
  plainBiconomyClient,
} from '../support/published-clients/biconomy-paymaster-client.ts';
import { curlClient, sdkClient } from '../support/published-clients/plain-clients.ts';
import { type FamiliesGateway, startFamiliesGateway } from './families-gateway.ts';
import type { FamiliesService } from './families-service.ts';

let opened: FamiliesGateway;
let service: FamiliesService;
beforeAll(async () => {
  opened = await startFamiliesGateway();
  service = opened.service;
});
afterAll(() => opened.close());

let salt = 1_000n;
const token = () => tokenWith(service.lab.devnet, 18);
const increment = (): DevCall => ({
  to: service.lab.devnet.target.address,
  data: encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' }),
});

/** The clients that can ask for any family of the EntryPoint without a bundler. */
function clientsOf(version: EntryPointVersion) {
  return version === '0.6'
    ? [curlClient, sdkClient, ...biconomyPaymasterClients.map(plainBiconomyClient)]
    : [curlClient, sdkClient];
}

const cells = [...paymasterContractFamilies.values()].flatMap(({ name, entryPointVersion, modes }) =>
  clientsOf(entryPointVersion).flatMap((client) =>
    modes.map((mode) => ({ client, clientName: client.name, family: name, version: entryPointVersion, mode })),
  ),
);

describe.each(cells)('$clientName, $family, $mode', ({ client, family, version, mode }) => {
  test('an operation lands, the deposit pays exactly its cost and the user no more than the quote', async () => {
    const { lab } = service;
    const { devnet } = lab;
    const address = getAddress(opened.deployed(family).contract.address);
    const url = await opened.urlOf(family);
    salt += 1n;
    const built = await service.build(version, salt, [increment()]);
    let operation = built;
    let quoted = 0n;
    if (mode === 'ERC20') ({ operation, quoted } = await quote(built));
    const read = async () => ({
      deposit: await depositOf(devnet, version, address),
      tokens: await tokenBalance(devnet, token(), operation.sender),
      increments: await incrementsOf(devnet, operation.sender),
    });
    const signed =
      mode === 'ERC20'
        ? await client.pay(url, operation, token().address)
        : await client.sponsor(url, 'pm_sponsorUserOperation', operation);
    const before = await read();
    const outcome = await service.land(operation, { gas: signed, paymasterAndData: signed.paymasterAndData });
    const after = await read();
    expect(outcome.paymaster).toBe(address);
    await recordLanding(devnet, {
      client: client.name,
      family,
      entryPoint: version,
      mode,
      outcome,
      calls: { made: 1n, arrived: after.increments - before.increments },
      depositFell: before.deposit - after.deposit,
      tokens: { paid: before.tokens - after.tokens, quoted },
    });

    /** Asks for the price and lets the paymaster take that much: inside the operation, or before where it must be. */
    async function quote(drafted: DevUserOperation) {
      const feeToken = token().address;
      await mintTo(lab, feeToken, drafted.sender);
      const price = await client.quote(url, drafted, feeToken);
      expect(price.spender).toBe(address);
      if (family === 'biconomy-token-0.7') {
        const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n };
        const bare = { ...drafted, gas: { ...gas, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n } };
        await approvedAhead(lab, bare, feeToken, price.spender);
        const next = await service.build(version, salt, [increment()]);
        return { operation: next, quoted: (await client.quote(url, next, feeToken)).max };
      }
      const calls = [approveCall(token(), price.spender, price.max), increment()];
      return { operation: await service.build(version, salt, calls), quoted: price.max };
    }
  });
});
