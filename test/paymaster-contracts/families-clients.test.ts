import { type Address, encodeFunctionData, getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { devTargetAbi } from '../../clients/cli/dev/devnet/contracts.generated.ts';
import type { DevCall } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../clients/cli/dev/user-operation/dev-user-operation.ts';
import { systemClock } from '../../clients/cli/system-clock.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/paymaster-contracts/families.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { readTank } from '../fixtures/chain-books.ts';
import { approveCall, depositOf, incrementsOf, tokenBalance, tokenWith } from '../fixtures/chain-lab.ts';
import { recordLanding } from '../fixtures/landings.ts';
import { silentLogger } from '../fixtures/running-service.ts';
import { biconomyPaymasterClients, plainBiconomyClient } from '../published-clients/biconomy-paymaster-client.ts';
import { curlClient, sdkClient } from '../published-clients/plain-clients.ts';
import { approvedAhead, customer } from './biconomy-lab.ts';
import { type FamiliesService, startFamiliesService } from './families-service.ts';
import { mintTo } from './send-sponsored.ts';

/** A version of the paymaster for every family, in the order of the table of families. */
const versions = new Map([...paymasterContractFamilies.keys()].map((family, index) => [family, `${index + 1}.0.0`]));
const nobody: Address = '0x00000000000000000000000000000000000000b0';

let service: FamiliesService;
let gateway: Gateway;
beforeAll(async () => {
  service = await startFamiliesService(
    (deployed, treasury) =>
      [...versions].map(([family, version]) => ({
        version,
        family,
        address: deployed.get(family)?.contract.address ?? nobody,
        treasury,
      })),
    silentLogger,
  );
  const anywhere = { host: '127.0.0.1', port: 0 };
  gateway = await startGateway({
    core: service.core,
    listen: anywhere,
    admin: anywhere,
    limits: defaultGatewayLimits,
    logger: silentLogger,
    clock: systemClock,
  });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
});

const urls = new Map<string, string>();

/** Where the clients ask for a paymaster of the version, which has coin in its tank. */
async function urlOf(version: string, contract: Address): Promise<string> {
  const known = urls.get(version);
  if (known !== undefined) return known;
  const { apiKey } = await service.paymaster(version);
  const { devnet } = service.lab;
  const readFunded = () => readTank(service.databaseFile, contract, customer(service.lab).address).funded;
  await vi.waitFor(() => expect(readFunded()).toBeGreaterThan(0n), { timeout: 20_000 });
  const url = `${gateway.url}/api/v1/${devnet.chainId}/${apiKey}`;
  urls.set(version, url);
  return url;
}

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
    const deployed = service.deployed.get(family);
    const paymasterVersion = versions.get(family);
    if (deployed === undefined || paymasterVersion === undefined) throw new Error(`${family} is not deployed.`);
    const address = getAddress(deployed.contract.address);
    const url = await urlOf(paymasterVersion, address);
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
        return { operation: next, quoted: (await client.quote(url, next, feeToken)).most };
      }
      const calls = [approveCall(token(), price.spender, price.most), increment()];
      return { operation: await service.build(version, salt, calls), quoted: price.most };
    }
  });
});
