import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { depositOf, incrementsOf, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { recordLanding } from '../support/chain/landings.ts';
import { startTestBundler } from '../support/chain/test-bundler.ts';
import { approveAhead } from '../support/paymaster-contracts/biconomy-lab.ts';
import { mintTo } from '../support/paymaster-contracts/send-sponsored.ts';
import { aaSdkClient } from '../support/published-clients/aa-sdk-client.ts';
import { readLanded, startBiconomyBundler } from '../support/published-clients/biconomy-bundler.ts';
import { deployBiconomyAccount } from '../support/published-clients/deploy-biconomy-account.ts';
import {
  abstractjsClient,
  biconomyAccountClient,
  permissionlessClient,
  type Surroundings,
  sdkPaymasterClient,
  viemClient,
} from '../support/published-clients/sending-clients.ts';
import { deployModularFactory } from '../support/published-clients/to-modular-account.ts';
import { useropClient } from '../support/published-clients/userop-client.ts';
import { watchFetch } from '../support/published-clients/watched-fetch.ts';
import { zerodevClient } from '../support/published-clients/zerodev-client.ts';
import { type FamiliesGateway, startFamiliesGateway } from './families-gateway.ts';

let opened: FamiliesGateway;
let surroundings: Surroundings;
beforeAll(async () => {
  opened = await startFamiliesGateway();
  const { lab, config } = opened.service;
  const { devnet } = lab;
  const [chain] = config.chains;
  if (chain === undefined) throw new Error('The service has no chain.');
  surroundings = {
    devnet,
    bundler: await startTestBundler(devnet, chain),
    biconomyBundler: await startBiconomyBundler(devnet, chain),
    biconomyContracts: await deployBiconomyAccount(devnet),
    modularFactory: await deployModularFactory(devnet),
    firstQuotes: watchFetch().firstQuotes,
  };
}, 60_000);
afterAll(async () => {
  vi.unstubAllGlobals();
  await surroundings.bundler.close();
  await surroundings.biconomyBundler.close();
  await opened.close();
});

/** Clients with an account and a bundler, by the EntryPoint. The singletons' own tests have them all. */
const clients = {
  '0.6': [
    sdkPaymasterClient,
    viemClient,
    permissionlessClient,
    biconomyAccountClient,
    useropClient,
    aaSdkClient,
    zerodevClient,
  ],
  '0.7': [sdkPaymasterClient, viemClient, permissionlessClient, abstractjsClient, aaSdkClient, zerodevClient],
  '0.8': [],
  '0.9': [viemClient, permissionlessClient],
} as const satisfies Record<EntryPointVersion, unknown>;

const families = [...paymasterContractFamilies.values()].filter(({ name }) => !name.startsWith('pimlico-singleton'));

const allCells = families.flatMap(({ name, entryPointVersion, modes }) =>
  clients[entryPointVersion].flatMap((client) =>
    modes.map((mode) => ({ client, clientName: client.name, family: name, version: entryPointVersion, mode })),
  ),
);

/**
 * Every client meets one family of its EntryPoint in each mode, and every family one client.
 * `EVERY_CLIENT=1` has all of them meet.
 */
const cells = process.env.EVERY_CLIENT === '1' ? allCells : allCells.filter(isFirstOfItsKind);

function isFirstOfItsKind(cell: (typeof allCells)[number], index: number): boolean {
  const before = allCells.slice(0, index);
  const isNew = (kind: (one: typeof cell) => string) => !before.some((one) => kind(one) === kind(cell));
  return (
    isNew(({ family, mode }) => `${family} ${mode}`) ||
    isNew(({ clientName, version, mode }) => `${clientName} ${version} ${mode}`)
  );
}

/** Clients that take no gas limits out of an answer, with contracts whose stub has a bundler measure too little. */
const isShort = ({ clientName, family }: (typeof allCells)[number]) =>
  ['viem', 'permissionless'].includes(clientName) && family.startsWith('biconomy-token-0.6');

test.each(cells.filter(isShort))(
  '$clientName, $family, $mode: the limits of a bundler are refused with what is needed',
  async ({ client, family, version }) => {
    const { lab } = opened.service;
    const token = tokenWith(lab.devnet, 18);
    const address = getAddress(opened.deployed(family).contract.address);
    const account = await client.open(surroundings, { version, url: await opened.urlOf(family), address });
    await mintTo(lab, token.address, account.sender);
    // The first one deploys the account, for which the limit suffices.
    await account.paid(token);
    await expect(account.paid(token)).rejects.toThrow(/verificationGasLimit must be at least \d+ with this paymaster/);
  },
);

describe.each(cells.filter((cell) => !isShort(cell)))('$clientName, $family, $mode', (cell) => {
  const { client, family, version, mode } = cell;
  test('two operations land, the deposit pays exactly their cost and the user no more than the quotes', async () => {
    const { lab } = opened.service;
    const { devnet } = lab;
    const token = tokenWith(devnet, 18);
    const address = getAddress(opened.deployed(family).contract.address);
    const url = await opened.urlOf(family);
    const raisesLimit = paymasterContractFamilies.get(family)?.verificationGas !== undefined;
    const account = await client.open(surroundings, { version, url, address, raisesLimit });
    const { sender, initCode } = account;
    if (mode === 'ERC20') await mintTo(lab, token.address, sender);
    // This contract takes the tokens in validation, before the operation can approve them.
    if (family === 'biconomy-token-0.7') await approveAhead(lab, { sender, initCode }, token.address, address);
    const isBiconomys = client.name.startsWith('@biconomy');
    const { url: bundlerUrl } = isBiconomys ? surroundings.biconomyBundler : surroundings.bundler;
    const read = async () => ({
      deposit: await depositOf(devnet, version, address),
      tokens: await tokenBalance(devnet, token, sender),
      increments: await incrementsOf(devnet, sender),
    });
    // The first one deploys the account. The next needs so little verification gas that the paymaster's part counts.
    for (let nth = 0; nth < 2; nth += 1) {
      const before = await read();
      const sent = mode === 'ERC20' ? await account.paid(token) : { hash: await account.sponsored(), quoted: 0n };
      const after = await read();
      const outcome = await readLanded(bundlerUrl, sent.hash);
      expect(outcome.paymaster).toBe(address);
      await recordLanding(devnet, {
        client: client.name,
        family,
        entryPoint: version,
        mode,
        outcome,
        calls: { made: 1n, arrived: after.increments - before.increments },
        depositFell: before.deposit - after.deposit,
        tokens: { paid: before.tokens - after.tokens, quoted: sent.quoted },
      });
    }
  });
});
