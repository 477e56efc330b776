import { join } from 'node:path';
import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { expect, test, vi } from 'vitest';
import { compileSolidity } from '../../tools/compile-solidity.ts';
import { newSmartAccount, nextOperation } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { deploy } from '../support/chain/deploy-code.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';

const compiled = compileSolidity(join(import.meta.dirname, 'contracts/Collectible.sol'));
const abi = parseAbi(['function safeMint(address to)']);
const callbacks = compileSolidity(join(import.meta.dirname, '../gas/contracts/Callbacks.sol')).get('Callbacks');
const service = useProductionService();

function creationOf(name: string): Hex {
  const found = compiled.get(name);
  if (found === undefined) throw new Error(`There is no contract ${name}.`);
  return found.creationBytecode;
}

test('a method that calls the caller’s contract back is named, and its cap bounds what the tank pays', async () => {
  const { devnet } = service();
  const { rpcUrl, management, apiKey } = await fundedTank(service(), { family: '0.7', amount: parseEther('10') });
  const collectible = await deploy(devnet, creationOf('Collectible'));
  const burner = await deploy(devnet, creationOf('Burner'));
  const registered = await management.registerSmartContract({
    apiKey,
    name: 'collectible',
    address: collectible,
    abi,
    whitelistedMethods: ['safeMint'],
  });
  expect(registered.callsBack).toEqual(['safeMint(address) calls the receiver (ERC-721)']);

  const account = newSmartAccount('0.7');
  const mintTo = async (to: Address) => {
    const data = encodeFunctionData({ abi, args: [to] });
    return nextOperation(devnet, account, [{ to: collectible, data }]);
  };
  const first = await mintTo('0x00000000000000000000000000000000000000a1');
  await land(devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));

  // Some honest operations, then a cap of half as much again as they usually need.
  for (const to of [
    '0x00000000000000000000000000000000000000a2',
    '0x00000000000000000000000000000000000000a3',
  ] as const) {
    const honest = await mintTo(to);
    await land(devnet, account, withAnswer(honest, await sponsor(rpcUrl, honest)));
  }
  const wide = { contract: collectible, method: 'safeMint', maxCallGas: 10_000_000 };
  const { methodGas = [] } = await management.previewPolicy({ apiKey, policy: { methodGas: [wide] } });
  const [{ suggestedMaxCallGas, operations } = {}] = methodGas;
  expect(operations).toBe(3);

  const attack = await mintTo(burner);
  const signed = await sponsor(rpcUrl, attack);
  // The service's own estimate: without a cap it pays for whatever the receiver does.
  expect(signed.callGasLimit).toBeGreaterThan(1_300_000n);

  const policy = { methodGas: [{ ...wide, maxCallGas: suggestedMaxCallGas ?? expect.fail('Nothing is suggested.') }] };
  const { cutOff } = await management.previewPolicy({ apiKey, policy });
  expect(cutOff.map(({ rule }) => rule)).toEqual(['policy-method-gas']);
  await management.setPolicy({ apiKey, policy });
  expect(await askSponsorship(rpcUrl, attack)).toMatchObject({
    reason: 'LIMIT_EXCEEDED',
    message: expect.stringMatching(/at most \d+ for an operation that calls safeMint of 0x/),
  });
  const honest = await mintTo('0x00000000000000000000000000000000000000a4');
  expect((await sponsor(rpcUrl, honest)).callGasLimit).toBeLessThan(BigInt(suggestedMaxCallGas ?? 0));
});

test('a method that no list knows is named after the first operation that calls it', async () => {
  const { devnet } = service();
  const { rpcUrl, management, apiKey } = await fundedTank(service(), { family: '0.7', amount: parseEther('10') });
  const { abi: ownAbi, creationBytecode } = callbacks ?? expect.fail('There is no contract Callbacks.');
  const contract = await deploy(devnet, creationBytecode);
  const registered = await management.registerSmartContract({
    apiKey,
    name: 'callbacks',
    address: contract,
    abi: ownAbi,
    whitelistedMethods: ['refund', 'quietNote'],
  });
  expect(registered).not.toHaveProperty('callsBack');

  const account = newSmartAccount('0.7');
  const note = encodeFunctionData({ abi: ownAbi, functionName: 'quietNote', args: [contract, 1n] });
  const refund = encodeFunctionData({ abi: ownAbi, functionName: 'refund' });
  const operation = await nextOperation(devnet, account, [
    { to: contract, data: note },
    { to: contract, data: refund },
  ]);
  await sponsor(rpcUrl, operation);
  await vi.waitFor(async () => {
    const contracts = await management.listSmartContracts({ apiKey });
    const { callsBack } = contracts.find(({ name }) => name === 'callbacks') ?? {};
    const [{ decisionId = '' } = {}] = (await management.listDecisions({ apiKey, limit: 1 })).decisions;
    expect(callsBack).toEqual([
      `refund() calls an address that the caller chooses (seen in the operation of decision ${decisionId})`,
    ]);
  });
});
